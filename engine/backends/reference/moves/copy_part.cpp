// SPDX-License-Identifier: Apache-2.0
// weft.copy_part copies the common box of two parts of one value and sets the rest to `fill`
// (everything without an operand). weft.reorder copies to another format. Both support any element
// type by its size.
#include "backends/reference/reference_kernel.h"
#include "device/format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace weft::reference {

namespace {

template <class T>
T fillOf(DType dtype, double fill) {
    if constexpr (sizeof(T) == 4) {
        if (dtype == DType::f32) {
            const auto value = static_cast<float>(fill);
            T bits = 0;
            std::memcpy(&bits, &value, sizeof(T));
            return bits;
        }
    }
    if constexpr (sizeof(T) == 8) {
        if (dtype == DType::f64) {
            T bits = 0;
            std::memcpy(&bits, &fill, sizeof(T));
            return bits;
        }
    }
    return std::isinf(fill) ? std::numeric_limits<T>::max() : static_cast<T>(fill);
}

/// Rows of the innermost dim, copied one by one.
struct RowCopies {
    std::int64_t length = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> offsets; ///< {from, to} in elements
};

RowCopies rowsBetween(const TensorPart& from, const TensorPart& to) {
    RowCopies rows;
    const std::size_t rank = to.shape.size();
    if (rank == 0) {
        return {1, {{0, 0}}};
    }
    Shape first(rank);
    Shape count(rank);
    for (std::size_t k = 0; k < rank; ++k) {
        first[k] = std::max(from.begin[k], to.begin[k]);
        count[k] = std::min(from.begin[k] + from.shape[k], to.begin[k] + to.shape[k]) - first[k];
        if (count[k] <= 0) {
            return rows;
        }
    }
    rows.length = count[rank - 1];
    const auto offset = [&](const TensorPart& part, const Shape& index) {
        std::int64_t at = 0;
        for (std::size_t k = 0; k < rank; ++k) {
            at = at * part.shape[k] + first[k] + index[k] - part.begin[k];
        }
        return at;
    };
    Shape index(rank, 0);
    const std::int64_t total = elementsOf(count) / rows.length;
    for (std::int64_t n = 0; n < total; ++n) {
        rows.offsets.emplace_back(offset(from, index), offset(to, index));
        for (std::size_t k = rank - 1; k-- > 0;) {
            if (++index[k] < count[k]) {
                break;
            }
            index[k] = 0;
        }
    }
    return rows;
}

template <class T>
std::unique_ptr<Kernel> copyKernel(const KernelRequest& request) {
    const TensorPart& to = request.outputs[0];
    const std::int64_t elements = to.elements();
    RowCopies rows = request.inputs.empty() ? RowCopies{} : rowsBetween(request.inputs[0], to);
    const bool covers = rows.length * static_cast<std::int64_t>(rows.offsets.size()) == elements;
    const T fill = fillOf<T>(to.dtype, request.attributes.real("fill"));
    return makeKernel([rows = std::move(rows), elements, covers,
                       fill](const KernelArguments& arguments) {
        auto* y = static_cast<T*>(arguments.outputs[0]);
        if (!covers) {
            std::fill_n(y, elements, fill);
        }
        for (const auto& [from, target] : rows.offsets) {
            std::copy_n(static_cast<const T*>(arguments.inputs[0]) + from, rows.length, y + target);
        }
    });
}

/// Offset of each logical element, by its row-major index.
std::vector<std::int64_t> placesOf(const TensorPart& part) {
    const std::size_t rank = part.shape.size();
    const FormatLayout layout = layoutOf(part.format, rank);
    Shape block(rank, 1);
    for (const auto& [dim, size] : layout.blocks) {
        block[static_cast<std::size_t>(dim)] *= size;
    }
    std::vector<std::int64_t> places;
    places.reserve(static_cast<std::size_t>(part.elements()));
    Shape index(rank, 0);
    for (std::int64_t n = 0; n < part.elements(); ++n) {
        std::int64_t at = 0;
        for (const int dim : layout.order) {
            const auto d = static_cast<std::size_t>(dim);
            at = at * ((part.shape[d] + block[d] - 1) / block[d]) + index[d] / block[d];
        }
        Shape rest(rank);
        Shape step = block;
        for (std::size_t d = 0; d < rank; ++d) {
            rest[d] = index[d] % block[d];
        }
        for (const auto& [dim, size] : layout.blocks) {
            const auto d = static_cast<std::size_t>(dim);
            step[d] /= size;
            at = at * size + rest[d] / step[d] % size;
        }
        places.push_back(at);
        for (std::size_t k = rank; k-- > 0;) {
            if (++index[k] < part.shape[k]) {
                break;
            }
            index[k] = 0;
        }
    }
    return places;
}

template <class T>
std::unique_ptr<Kernel> reorderKernel(const KernelRequest& request) {
    const std::int64_t held = elementsIn(request.outputs[0].format, request.outputs[0].shape);
    return makeKernel([from = placesOf(request.inputs[0]), to = placesOf(request.outputs[0]),
                       held](const KernelArguments& arguments) {
        const auto* x = static_cast<const T*>(arguments.inputs[0]);
        auto* y = static_cast<T*>(arguments.outputs[0]);
        if (held != static_cast<std::int64_t>(to.size())) {
            std::fill_n(y, held, T{}); // padding of blocks is zero
        }
        for (std::size_t n = 0; n < from.size(); ++n) {
            y[to[n]] = x[from[n]];
        }
    });
}

using Maker = std::unique_ptr<Kernel> (*)(const KernelRequest&);

KernelChoice choiceOf(const KernelRequest& request, Maker one, Maker two, Maker four, Maker eight) {
    Maker make = four;
    switch (byteSize(request.outputs[0].dtype)) {
    case 1: make = one; break;
    case 2: make = two; break;
    case 8: make = eight; break;
    default: break;
    }
    return {.implementation = "reference", .make = [request, make] { return make(request); }};
}

KernelChoice chooseCopy(const KernelRequest& request) {
    KernelChoice choice = choiceOf(request, copyKernel<std::uint8_t>, copyKernel<std::uint16_t>,
                                   copyKernel<std::uint32_t>, copyKernel<std::uint64_t>);
    choice.inputFormats.resize(request.inputs.size());
    return choice;
}

KernelChoice chooseReorder(const KernelRequest& request) {
    return choiceOf(request, reorderKernel<std::uint8_t>, reorderKernel<std::uint16_t>,
                    reorderKernel<std::uint32_t>, reorderKernel<std::uint64_t>);
}

} // namespace

void copy_part(KernelList& list) {
    list.add({"weft.copy_part", "reference", chooseCopy, anyType});
    list.add({"weft.reorder", "reference", chooseReorder, anyType});
}

} // namespace weft::reference
