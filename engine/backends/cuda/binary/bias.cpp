// SPDX-License-Identifier: Apache-2.0
// y = x + b and y = x s along one dim; db = the sum of dy over all other dims.
#include "backends/cuda/elementwise.h"
#include "backends/cuda/kernels/channel_sums.h"
#include "device/rows.h"

namespace weft::cuda {

void bias(KernelList& list);

namespace {

/// y = f(x, b), with one number of b for each index along the dim.
template <Binary f>
ChoiceOrRefusal chooseAlongDim(const KernelRequest& request) {
    const auto format = formatForAll(request, request.inputs[0].shape);
    if (!format || !isOrder(*format)) {
        return refuse("does not support blocked memory formats");
    }
    const Along along =
        alongDim(request.inputs[0].shape, *format, request.attributes.integer("dim"));
    return chooseBroadcast(request, f, {.inner = along.inner, .n = along.n}, *format);
}

/// Computes db of a gradient that passes through a ReLU, and optionally an addition, in the pass
/// that computes that gradient.
ChoiceOrRefusal chooseBiasAfterRelu(const KernelRequest& request) {
    const GroupBody& body = *request.body;
    const bool isSum = body.members[0].op == "add";
    const std::size_t m = isSum ? 1 : 0; // index of the ReLU's gradient
    const std::vector<int>& reads = body.reads[m];
    if (isSum && (body.reads[0].size() != 2 || body.writes[0][0] >= 0 || reads[1] >= 0)) {
        return refuse(
            "another op reads the sum, or the sum is not the gradient of the ReLU's result");
    }
    const auto place = [](int k) { return static_cast<std::size_t>(k); };
    const std::size_t relu = place(reads[0]);
    const std::size_t dy = place(isSum ? body.reads[0][0] : reads[1]);
    const std::size_t addend = isSum ? place(body.reads[0][1]) : dy;
    const int d = body.writes[m][0];
    const std::size_t db = place(body.writes[m + 1][0]);
    const Shape shape = request.inputs[dy].shape;
    const auto format = formatForAll(request, shape);
    if (!format || !isOrder(*format)) {
        return refuse("operands have different or blocked memory formats");
    }
    const Along along = alongDim(shape, *format, body.members.back().attributes.integer("dim"));
    const auto run = [=, format = *format](const KernelArguments& arguments) {
        asKept(format, [&]<class Kept>(Kept) {
            launchChannelGradients(
                ChannelGradients<Kept>{.along = along,
                                       .dy = input<Kept>(arguments, dy),
                                       .addend = isSum ? input<Kept>(arguments, addend) : nullptr,
                                       .relu = input<Kept>(arguments, relu),
                                       .d = d < 0 ? nullptr : output<Kept>(arguments, place(d))},
                arguments.scratch, nullptr, output<float>(arguments, db), streamOf(arguments));
        });
    };
    KernelChoice choice = choiceOf(run, {channelSumScratch(along)});
    choice.launches = 2;
    std::vector<Format> outputs(request.outputs.size(), *format);
    outputs[db] = {};
    return withFormats(request, std::move(choice),
                       std::vector<Format>(request.inputs.size(), *format), std::move(outputs));
}

ChoiceOrRefusal chooseBiasGradient(const KernelRequest& request) {
    const Format offered = request.inputs[0].format;
    const Format format = isOrder(offered) ? offered : Format{};
    const Along along =
        alongDim(request.inputs[0].shape, format, request.attributes.integer("dim"));
    const auto run = [=](const KernelArguments& arguments) {
        asKept(format, [&]<class Kept>(Kept) {
            launchChannelSums(ChannelSum<Kept>{.along = along, .x = input<Kept>(arguments, 0)},
                              arguments.scratch, output<float>(arguments, 0), streamOf(arguments));
        });
    };
    return withFormats(request, choiceOf(run, {channelSumScratch(along)}), {format}, {});
}

} // namespace

void bias(KernelList& list) {
    list.add(takingBf16("bias_add", chooseAlongDim<Binary::add>));
    list.add(takingBf16("channel_scale", chooseAlongDim<Binary::multiply>));
    list.add(takingBf16("bias_gradient", chooseBiasGradient));
    list.add(takingBf16("relu_gradient+bias_gradient", chooseBiasAfterRelu));
    list.add(takingBf16("add+relu_gradient+bias_gradient", chooseBiasAfterRelu));
}

} // namespace weft::cuda
