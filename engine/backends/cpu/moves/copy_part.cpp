// SPDX-License-Identifier: Apache-2.0
// weft.reorder copies to another order of the dims. weft.copy_part copies the common box of two
// parts of one value and sets the rest to `fill` (everything without an operand).
#include "backends/cpu/moves/box_copy.h"
#include "backends/cpu/request.h"
#include "backends/cpu/team.h"
#include "device/copy_pieces.h"

namespace weft::cpu {

void copy_part(KernelList& list);

namespace {

/// Calls `make` with a value of the unsigned type of the element's size.
template <class Make>
ChoiceOrRefusal bySize(DType dtype, const Make& make) {
    switch (byteSize(dtype)) {
    case 1: return make(std::uint8_t{});
    case 2: return make(std::uint16_t{});
    case 4: return make(std::uint32_t{});
    default: return make(std::uint64_t{});
    }
}

ChoiceOrRefusal chooseReorder(const KernelRequest& request) {
    const TensorPart& from = request.inputs[0];
    const TensorPart& to = request.outputs[0];
    if (!isOrder(from.format) || !isOrder(to.format)) {
        return refuse("does not support blocked memory formats");
    }
    const BoxCopy copy =
        boxCopy(to.shape, stridesOf(from.format, from.shape), stridesOf(to.format, to.shape));
    const int cores = request.cores;
    return bySize(to.dtype, [&]<class T>(T) -> ChoiceOrRefusal {
        KernelChoice choice = choiceOf([=](const KernelArguments& arguments) {
            runCopy(copy, input<T>(arguments, 0), output<T>(arguments, 0), cores);
        });
        choice.inputFormats = {from.format};
        choice.outputFormats = {to.format};
        return choice;
    });
}

struct CommonBox {
    Shape size;            ///< empty dims: no common elements
    std::int64_t from = 0; ///< offsets in elements
    std::int64_t to = 0;
    [[nodiscard]] std::int64_t elements() const { return elementsOf(size); }
};

CommonBox commonBox(const TensorPart& from, const TensorPart& to) {
    CommonBox box;
    const auto fromSteps = stridesOf(from.format, from.shape);
    const auto toSteps = stridesOf(to.format, to.shape);
    for (std::size_t k = 0; k < to.shape.size(); ++k) {
        const std::int64_t first = std::max(from.begin[k], to.begin[k]);
        const std::int64_t last =
            std::min(from.begin[k] + from.shape[k], to.begin[k] + to.shape[k]);
        box.size.push_back(std::max<std::int64_t>(0, last - first));
        box.from += (first - from.begin[k]) * fromSteps[k];
        box.to += (first - to.begin[k]) * toSteps[k];
    }
    return box;
}

ChoiceOrRefusal chooseCopy(const KernelRequest& request) {
    const TensorPart& to = request.outputs[0];
    const int cores = request.cores;
    const std::int64_t elements = to.elements();
    TensorPart from = request.inputs.empty() ? TensorPart{} : request.inputs[0];
    from.format = {};
    CommonBox box;
    BoxCopy copy;
    if (!request.inputs.empty()) {
        box = commonBox(from, to);
        copy = boxCopy(box.size, stridesOf({}, from.shape), stridesOf({}, to.shape));
    } else {
        box.size = {0};
    }
    const bool covers = box.elements() == elements;
    const bool isEmpty = box.elements() == 0;
    return bySize(to.dtype, [&]<class T>(T) -> ChoiceOrRefusal {
        const T fill = static_cast<T>(bitsOf(to.dtype, request.attributes.real("fill")));
        return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                            T* const y = output<T>(arguments, 0);
                            if (!covers) {
                                std::fill_n(y, elements, fill);
                            }
                            if (!isEmpty) {
                                runCopy(copy, input<T>(arguments, 0) + box.from, y + box.to, cores);
                            }
                        }));
    });
}

} // namespace

void copy_part(KernelList& list) {
    list.add({"weft.reorder", "cpu", chooseReorder, anyType});
    list.add({"weft.copy_part", "cpu", chooseCopy, anyType});
}

} // namespace weft::cpu
