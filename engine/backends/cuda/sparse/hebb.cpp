// SPDX-License-Identifier: Apache-2.0
// h = rate_scale rate sum / count; d = (1 - momentum) h + momentum previous - decay w; w' = w + d.
// unit_length; counts of elements, of zeros, of active codes, of active codes per tap inside the
// border
#include "backends/cuda/sparse/hebb.h"

#include "backends/cuda/kernels/box_copy.h"
#include "backends/cuda/sums.h"
#include "graph/set_sharing.h"

#include <bit>
#include <utility>
#include <vector>

namespace weft::cuda {

void hebb(KernelList& list);

namespace {

/// Number of dims that index atoms.
std::size_t atomDims(const Attributes& attributes) {
    return static_cast<std::size_t>(attributes.integer("set_dims")) + 1;
}

std::int64_t numbersFrom(const Shape& shape, std::size_t from) {
    std::int64_t numbers = 1;
    for (std::size_t k = from; k < shape.size(); ++k) {
        numbers *= shape[k];
    }
    return numbers;
}

/// The dictionary keeps its format if each atom is contiguous.
Format formatOfAtoms(const TensorPart& w, const Attributes& attributes, bool isPerTap) {
    const bool isKept = atomDims(attributes) == 1 && isBatchOutermost(w.format, w.shape) &&
                        (!isPerTap || w.format == channelsLast());
    return isKept ? w.format : Format{};
}

ChoiceOrRefusal chooseHebb(const KernelRequest& request, bool remembers) {
    const Attributes& attributes = request.attributes;
    const Shape& w = request.inputs[0].shape;
    const Shape& count = request.inputs[2].shape;
    const bool isPerTap = count.size() > atomDims(attributes);
    const Format format = formatOfAtoms(request.inputs[0], attributes, isPerTap);
    const Hebb hebb{.n = request.inputs[0].elements(),
                    .ofCount = numbersFrom(w, isPerTap ? atomDims(attributes) : count.size()),
                    .taps = isPerTap ? numbersFrom(w, w.size() - 2) : 0,
                    .ofTap = format == channelsLast() ? w[1] : 1,
                    .scale = static_cast<float>(attributes.real("rate_scale")),
                    .decay = static_cast<float>(attributes.real("weight_decay")),
                    .momentum = remembers ? static_cast<float>(attributes.real("momentum")) : 0,
                    .decaysByRate = attributes.boolean("decay_by_rate")};
    const auto run = [=](const KernelArguments& arguments) {
        Hebb of = hebb;
        of.w = input<float>(arguments, 0);
        of.sum = input<float>(arguments, 1);
        of.count = input<float>(arguments, 2);
        of.previous = remembers ? input<float>(arguments, 3) : nullptr;
        of.rate = input<float>(arguments, remembers ? 4 : 3);
        launchHebb(of, output<float>(arguments, 0),
                   remembers ? output<float>(arguments, 1) : nullptr, streamOf(arguments));
    };
    std::vector<Format> inputs{format, format, {}};
    if (remembers) {
        inputs.push_back(format);
    }
    return withFormats(request, choiceOf(run), std::move(inputs),
                       std::vector<Format>(request.outputs.size(), format));
}

ChoiceOrRefusal chooseUnitLength(const KernelRequest& request) {
    const TensorPart& w = request.inputs[0];
    const std::int64_t d = numbersFrom(w.shape, atomDims(request.attributes));
    const std::int64_t rows = w.elements() / d;
    const Format format = formatOfAtoms(w, request.attributes, false);
    return withFormats(request, choiceOf([=](const KernelArguments& arguments) {
                           launchUnitLength(input<float>(arguments, 0), rows, d,
                                            output<float>(arguments, 0), streamOf(arguments));
                       }),
                       {format}, {format});
}

/// Chooses the kernel that counts elements, per batch element or over all.
ChoiceOrRefusal chooseCountElements(const KernelRequest& request) {
    const std::int64_t n = request.outputs[0].elements();
    const double here = static_cast<double>(request.inputs[0].shape[0]) /
                        static_cast<double>(std::max<std::int64_t>(1, n));
    const auto bits =
        std::bit_cast<std::uint32_t>(static_cast<float>(request.attributes.real("each") * here));
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchFill(bits, sizeof(float), output<float>(arguments, 0), n,
                                   streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseCountZeros(const KernelRequest& request) {
    return wholeSumOf(
        request, {.term = WholeTerm::zero},
        [](WholeSum& of, const KernelArguments& arguments) { of.x = input<float>(arguments, 0); });
}

CodeCount codeCountOf(const KernelRequest& request) {
    const Shape& code = request.inputs[0].shape;
    const SetSharing sharing(request.attributes);
    return {.batch = code[0],
            .atoms = code[1],
            .rows = static_cast<std::int32_t>(code[2]),
            .columns = static_cast<std::int32_t>(code[3]),
            .perElement = sharing.perElement,
            .perPosition = sharing.perPosition};
}

ChoiceOrRefusal chooseCountCodes(const KernelRequest& request, const CodeCount& count) {
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchCountCodes(count, input<float>(arguments, 0),
                                         output<float>(arguments, 0), streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseCountTaps(const KernelRequest& request) {
    const Attributes& attributes = request.attributes;
    const TensorPart& code = request.inputs[0];
    const auto number = [&](const char* name, std::size_t k) {
        const auto list = attributes.integers(name);
        return static_cast<std::int32_t>(list.size() == 1 ? list[0] : list[k]);
    };
    const auto begin = [&](std::size_t dim) {
        return static_cast<std::int32_t>(code.begin.empty() ? 0 : code.begin[dim]);
    };
    CodeCount count = codeCountOf(request);
    count.kernelRows = number("kernel", 0);
    count.kernelColumns = number("kernel", 1);
    count.strideRows = number("stride", 0);
    count.strideColumns = number("stride", 1);
    count.dilationRows = number("dilation", 0);
    count.dilationColumns = number("dilation", 1);
    count.top = begin(2) * count.strideRows - number("padding", 0);
    count.left = begin(3) * count.strideColumns - number("padding", 1);
    count.mapRows = number("size", 0);
    count.mapColumns = number("size", 1);
    count.hasBorder = true;
    return chooseCountCodes(request, count);
}

} // namespace

void hebb(KernelList& list) {
    list.add(
        {"hebb", "cuda", [](const KernelRequest& request) { return chooseHebb(request, false); }});
    list.add({"hebb_momentum", "cuda",
              [](const KernelRequest& request) { return chooseHebb(request, true); }});
    list.add({"unit_length", "cuda", chooseUnitLength});
    list.add({"count_elements", "cuda", chooseCountElements});
    list.add({"count_zeros", "cuda", chooseCountZeros});
    list.add({"count_active", "cuda", [](const KernelRequest& request) {
                  return chooseCountCodes(request, codeCountOf(request));
              }});
    list.add({"count_taps", "cuda", chooseCountTaps});
}

} // namespace weft::cuda
