// SPDX-License-Identifier: Apache-2.0
// o = softmax(scale q k^T) v with lse, the log of the sums; dq, dk and dv from scores that lse
// rebuilds (ops/attention.cpp)
#include "backends/cuda/attention.h"

#include "backends/cuda/request.h"

namespace weft::cuda {

void attention(KernelList& list);

namespace {

/// Whose last operand, of features e, is input `ofWidth`.
Attention attentionOf(const KernelRequest& request, std::size_t ofWidth) {
    const TensorPart& q = request.inputs[0];
    const TensorPart& k = request.inputs[1];
    const auto number = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
    return {.heads = q.shape[0] * q.shape[1],
            .queries = number(q.shape[2]),
            .keys = number(k.shape[2]),
            .d = number(q.shape[3]),
            .e = number(request.inputs[ofWidth].shape[3]),
            .firstQuery = number(q.begin.empty() ? 0 : q.begin[2]),
            .firstKey = number(k.begin.empty() ? 0 : k.begin[2]),
            .isCausal = request.attributes.boolean("causal"),
            .scale = static_cast<float>(request.attributes.real("scale"))};
}

ChoiceOrRefusal attentionWith(const KernelRequest& request, const Attention& attention,
                              AttentionPass pass, std::function<void(const KernelArguments&)> run) {
    if (attentionTile(attention, pass) == 0) {
        return refuse("a head has more features than a block has room for");
    }
    return allPlain(request, choiceOf(std::move(run)));
}

ChoiceOrRefusal chooseAttention(const KernelRequest& request) {
    const Attention of = attentionOf(request, 2);
    return attentionWith(request, of, AttentionPass::forward, [=](const KernelArguments& at) {
        launchAttention(
            of, {.q = input<float>(at, 0), .k = input<float>(at, 1), .v = input<float>(at, 2)},
            output<float>(at, 0), output<float>(at, 1), streamOf(at));
    });
}

ChoiceOrRefusal chooseValueGradient(const KernelRequest& request) {
    const Attention of = attentionOf(request, 3);
    return attentionWith(request, of, AttentionPass::dv, [=](const KernelArguments& at) {
        launchAttentionGradient(of, AttentionPass::dv,
                                {.q = input<float>(at, 0),
                                 .k = input<float>(at, 1),
                                 .lse = input<float>(at, 2),
                                 .dO = input<float>(at, 3)},
                                output<float>(at, 0), streamOf(at));
    });
}

ChoiceOrRefusal chooseScoreGradient(const KernelRequest& request, AttentionPass pass) {
    const Attention of = attentionOf(request, 2);
    return attentionWith(request, of, pass, [=](const KernelArguments& at) {
        launchAttentionGradient(of, pass,
                                {.q = input<float>(at, 0),
                                 .k = input<float>(at, 1),
                                 .v = input<float>(at, 2),
                                 .o = input<float>(at, 3),
                                 .lse = input<float>(at, 4),
                                 .dO = input<float>(at, 5)},
                                output<float>(at, 0), streamOf(at));
    });
}

} // namespace

void attention(KernelList& list) {
    list.add({"attention", "cuda", chooseAttention});
    list.add({"attention_dq", "cuda", [](const KernelRequest& request) {
                  return chooseScoreGradient(request, AttentionPass::dq);
              }});
    list.add({"attention_dk", "cuda", [](const KernelRequest& request) {
                  return chooseScoreGradient(request, AttentionPass::dk);
              }});
    list.add({"attention_dv", "cuda", chooseValueGradient});
}

} // namespace weft::cuda
