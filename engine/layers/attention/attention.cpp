// SPDX-License-Identifier: Apache-2.0
// attention: q = x Wq, k = c Wk, v = c Wv in heads; o = softmax(q k^T / sqrt(d)) v; y = o Wo. With
// model.stack, devices take heads: the projections split their outputs in steps of a head, and the
// last projection splits its inputs. model.add does only the latter.
#include "layers/layer.h"

#include <fmt/format.h>

#include <cmath>

namespace weft::layers {

namespace {

using Letters = std::vector<AssignmentLetter>;

/// The sizes of a layer's attention while it is lowered, and what the projections share.
struct Heads {
    std::int64_t count = 1;
    std::int64_t features = 1; ///< features of all heads together
    bool hasBias = true;
    bool isOneTensor = true; ///< a state dict stores the three input projections in one tensor

    [[nodiscard]] std::int64_t grain() const { return features / count; }
};

void storeAs(Lowering& lowering, ValueId value, const std::string& tensor, std::int64_t first) {
    Graph& graph = lowering.builder().graph();
    Slot& slot = graph.at(graph.slotOf(value));
    const std::string owner = slot.name.substr(0, slot.name.rfind('.'));
    slot.storedAs = owner + "." + tensor;
    slot.storedFirst = first;
}

/// Returns the initialiser of PyTorch's MultiheadAttention: xavier over the tensor of all three.
Initialiser projectionInitialiser(const Lowering& lowering, const Heads& heads,
                                  std::int64_t inputs) {
    const std::int64_t outputs = heads.features * (heads.isOneTensor ? 3 : 1);
    if (lowering.attributes().text("init") != "default") {
        return lowering.initialiser(inputs, outputs);
    }
    return {"xavier",
            {{"fan_in", inputs},
             {"fan_out", outputs},
             {"distribution", std::string("uniform")},
             {"gain", 1.0}}};
}

Initialiser biasInitialiser(const Lowering& lowering) {
    const bool isDefault = lowering.attributes().text("init") == "default";
    return {"constant", {{"value", isDefault ? 0.0 : lowering.attributes().real("init_bias")}}};
}

/// Returns projection `which` of {"q", "k", "v"}, split in heads: [batch, heads, time, features of
/// one].
ValueId projected(Lowering& lowering, const Heads& heads, ValueId x, std::int64_t which) {
    const std::string name(1, "qkv"[which]);
    const std::int64_t inputs = lowering.shape(x).back();
    const ValueId weight = lowering.parameter(name + "_proj_weight", {heads.features, inputs},
                                              projectionInitialiser(lowering, heads, inputs));
    if (heads.isOneTensor) {
        storeAs(lowering, weight, "in_proj_weight", which * heads.features);
    }
    const Letters split = {{"model.stack", "o", heads.grain()}, {"model.add", ""}};
    lowering.builder().setRole(name);
    ValueId y = lowering.add("linear", {x, weight});
    lowering.builder().setLetters(y, split);
    if (heads.hasBias) {
        const ValueId bias =
            lowering.parameter(name + "_proj_bias", {heads.features}, biasInitialiser(lowering));
        storeAs(lowering, bias, "in_proj_bias", which * heads.features);
        y = lowering.add("bias_add", {y, bias});
        lowering.builder().setLetters(y, split);
    }
    y = lowering.add("heads_apart", {y}, {{"heads", heads.count}});
    lowering.builder().setLetters(y, {{"model.stack", "h"}, {"model.add", ""}});
    return y;
}

ValueId projectedOut(Lowering& lowering, const Heads& heads, ValueId o) {
    const ValueId weight = lowering.parameter("out_proj.weight", {heads.features, heads.features},
                                              lowering.initialiser(heads.features, heads.features));
    lowering.builder().setRole("out");
    ValueId y = lowering.add("linear", {o, weight});
    lowering.builder().setLetters(
        y, {{"model.stack", "i", heads.grain()}, {"model.add", "i", heads.grain()}});
    if (heads.hasBias) {
        const ValueId bias =
            lowering.parameter("out_proj.bias", {heads.features}, biasInitialiser(lowering));
        y = lowering.add("bias_add", {y, bias});
        lowering.builder().setLetters(y, {{"model.stack", ""}, {"model.add", ""}});
    }
    return y;
}

bool areSequences(Lowering& lowering) {
    return lowering.hasRank("x", 3, "attention expects [batch, time, features]") &&
           (!lowering.has("context") ||
            lowering.hasRank("context", 3, "attention expects a context [batch, time, features]"));
}

bool fits(Lowering& lowering, const Heads& heads, ValueId context) {
    if (heads.features % heads.count != 0) {
        lowering.refuse(fmt::format("{} features do not divide into {} heads: use a number of "
                                    "heads that divides the features",
                                    heads.features, heads.count),
                        "x");
        return false;
    }
    const Shape& x = lowering.shape(lowering.input("x"));
    const Shape& c = lowering.shape(context);
    if (lowering.attributes().boolean("causal") && x[1] != c[1]) {
        lowering.refuse(
            fmt::format("x has {} positions and context {}; causal attention needs equal numbers: "
                        "switch causal off, or use inputs of equal length",
                        x[1], c[1]),
            "context");
        return false;
    }
    return true;
}

void lowerAttention(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    const ValueId context = lowering.has("context") ? lowering.input("context") : x;
    if (!areSequences(lowering)) {
        return;
    }
    const std::int64_t features = lowering.shape(x)[2];
    const Heads heads{.count = lowering.attributes().integer("heads"),
                      .features = features,
                      .hasBias = lowering.attributes().boolean("bias"),
                      .isOneTensor = lowering.shape(context)[2] == features};
    if (!fits(lowering, heads, context)) {
        return;
    }
    const std::string role = lowering.builder().role();
    const ValueId q = projected(lowering, heads, x, 0);
    const ValueId k = projected(lowering, heads, context, 1);
    const ValueId v = projected(lowering, heads, context, 2);
    lowering.builder().setRole("core");
    const double scale = 1 / std::sqrt(static_cast<double>(heads.grain()));
    ValueId o =
        lowering.add("attention", {q, k, v},
                     {{"causal", lowering.attributes().boolean("causal")}, {"scale", scale}});
    lowering.builder().setLetters(o, {{"model.stack", "h"}, {"model.add", ""}});
    o = lowering.add("heads_together", {o});
    lowering.builder().setLetters(o, {{"model.stack", "h"}, {"model.add", ""}});
    lowering.output("y", projectedOut(lowering, heads, o));
    lowering.builder().setRole(role);
}

} // namespace

void attention(LayerList& list) {
    list.add(
        {.info =
             {.kind = "attention",
              .title = "Attention",
              .category = "attention",
              .help =
                  "Multi-head scaled dot-product attention: softmax(q k^T / sqrt(features / "
                  "heads)) v. Queries come from x; keys and values come from context, or from x if "
                  "context is not wired (self-attention). PyTorch: MultiheadAttention(features, "
                  "heads, batch_first=True) without dropout; its state dict loads by name.",
              .synonyms = {"self-attention", "multi-head attention", "mha", "transformer"},
              .inputs = {{.name = "x", .help = "[batch, time, features]"},
                         {.name = "context",
                          .help = "[batch, time, features], source of keys and values "
                                  "(cross-attention); not wired: x",
                          .optional = true}},
              .outputs = {{.name = "y", .help = "[batch, time, features], shape of x"}},
              .attributes = withParameterAttributes(
                  {{.name = "heads",
                    .defaultValue = std::int64_t{4},
                    .help = "Number of attention heads. Must divide the number of features.",
                    .least = 1,
                    .required = true},
                   {.name = "causal",
                    .defaultValue = false,
                    .help =
                        "Causal mask: each position attends only to itself and earlier positions."},
                   {.name = "bias",
                    .defaultValue = true,
                    .help = "Add a learned bias to the four projections."}}),
              .parameters =
                  {{.name = "in_proj_weight",
                    .help = "[3 features, features]: q, k and v concatenated"},
                   {.name = "in_proj_bias", .help = "[3 features]"},
                   {.name = "out_proj.weight", .help = "[features, features]"},
                   {.name = "out_proj.bias", .help = "[features]"},
                   {.name = "q_proj_weight",
                    .help = "[features, features], if context has another number of features"},
                   {.name = "k_proj_weight", .help = "[features, features of context]"},
                   {.name = "v_proj_weight", .help = "[features, features of context]"}}},
         .lower = lowerAttention,
         .samples = {
             {.inputs = {{2, 5, 6}}, .attributes = {{"heads", std::int64_t{3}}, {"causal", true}}},
             {.inputs = {{3, 4, 8}, {3, 7, 8}}, .attributes = {{"heads", std::int64_t{2}}}},
             {.inputs = {{2, 3, 4}, {2, 5, 6}},
              .attributes = {{"heads", std::int64_t{2}}, {"bias", false}}}}});
}

} // namespace weft::layers
