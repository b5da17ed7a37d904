// SPDX-License-Identifier: Apache-2.0
// y = x / (1 - rate) where uniform(key, step, index in the whole) >= rate, else 0
#include "backends/cuda/request.h"
#include "backends/cuda/unary/drawn.h"

#include <cmath>

namespace weft::cuda {

void dropout(KernelList& list);

namespace {

ChoiceOrRefusal chooseDropout(const KernelRequest& request) {
    const double rate = request.attributes.real("rate");
    const auto least = static_cast<std::uint32_t>(std::ceil(rate * 0x1p24));
    const auto factor = static_cast<float>(1 / (1 - rate));
    const DrawKey key = drawKeyOf(request.randomKey);
    const auto format = formatForAll(request, request.inputs[0].shape);
    if (!format || !isOrder(*format)) {
        return refuse("does not support blocked memory formats");
    }
    const PartOfWhole part = partOfWhole(request.inputs[0], *format);
    const Number stepType = integerOf(request.inputs[1]);
    const std::int64_t n = request.outputs[0].elements();
    const auto callOfKept = [&]<class Kept>(Kept) {
        return choiceOf(
            [=](const KernelArguments& arguments) {
                auto* const from = static_cast<RandomState*>(arguments.scratch);
                launchDraw(key, {arguments.inputs[1], stepType}, from, streamOf(arguments));
                launchDropout(from, part, least, factor, input<Kept>(arguments, 0),
                              output<Kept>(arguments, 0), n, streamOf(arguments));
            },
            {sizeof(RandomState)});
    };
    return withFormats(request, asKept(*format, callOfKept), {*format, {}}, {*format});
}

} // namespace

void dropout(KernelList& list) {
    list.add(
        {.op = "dropout", .implementation = "cuda", .choose = chooseDropout, .takesBf16 = true});
}

} // namespace weft::cuda
