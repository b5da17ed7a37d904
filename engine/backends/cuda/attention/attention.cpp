// SPDX-License-Identifier: Apache-2.0
// o = softmax(scale q k^T) v with lse, the log of the sums; dq, dk and dv recompute the scores from
// lse (ops/attention/attention.cpp)
#include "backends/cuda/attention/attention_of.h"
#include "backends/cuda/request.h"

namespace weft::cuda {

void attention(KernelList& list);

namespace {

/// Input indices of a pass's operands; -1: not read.
struct Inputs {
    int v = -1, o = -1, lse = -1, dO = -1; ///< q and k are the first inputs
};
Inputs inputsOf(AttentionPass pass) {
    switch (pass) {
    case AttentionPass::forward: return {.v = 2};
    case AttentionPass::dv: return {.lse = 2, .dO = 3};
    case AttentionPass::dq:
    case AttentionPass::dk: break;
    }
    return {.v = 2, .o = 3, .lse = 4, .dO = 5};
}

Attention attentionOf(const KernelRequest& request, const Inputs& from) {
    const TensorPart& q = request.inputs[0];
    const TensorPart& k = request.inputs[1];
    const auto ofWidth = static_cast<std::size_t>(from.v < 0 ? from.dO : from.v);
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

AttentionOperands operandsOf(const KernelArguments& arguments, const Inputs& from) {
    const auto operand = [&arguments](int k) {
        return k < 0 ? nullptr : input<float>(arguments, static_cast<std::size_t>(k));
    };
    return {.q = operand(0),
            .k = operand(1),
            .v = operand(from.v),
            .o = operand(from.o),
            .lse = operand(from.lse),
            .dO = operand(from.dO)};
}

} // namespace

void addAttention(KernelList& list, const AttentionImplementation& way) {
    const auto add = [&](const char* op, AttentionPass pass) {
        const auto choose = [way, pass](const KernelRequest& request) -> ChoiceOrRefusal {
            const Inputs from = inputsOf(pass);
            const Attention of = attentionOf(request, from);
            if (!way.fitsFeatures(of, pass)) {
                return tl::unexpected<Refusal>(
                    {way.name, "a head has more features than fit into a thread block"});
            }
            KernelChoice choice =
                choiceOf([=, launch = way.launch](const KernelArguments& arguments) {
                    float* const lse =
                        pass == AttentionPass::forward ? output<float>(arguments, 1) : nullptr;
                    launch(of, pass, operandsOf(arguments, from), output<float>(arguments, 0), lse,
                           streamOf(arguments));
                });
            choice.implementation = way.name;
            return allPlain(request, std::move(choice));
        };
        list.add({.op = op, .implementation = way.name, .choose = choose, .lacks = way.lacks});
    };
    add("attention", AttentionPass::forward);
    add("attention_dq", AttentionPass::dq);
    add("attention_dk", AttentionPass::dk);
    add("attention_dv", AttentionPass::dv);
}

void attention(KernelList& list) {
    addAttention(list,
                 {.name = "cuda",
                  .fitsFeatures = [](const Attention& of,
                                     AttentionPass pass) { return attentionTile(of, pass) > 0; },
                  .launch = launchAttention});
}

} // namespace weft::cuda
