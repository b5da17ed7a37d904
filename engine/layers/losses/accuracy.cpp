// SPDX-License-Identifier: Apache-2.0
// accuracy: the fraction of correctly classified examples
#include "layers/layer.h"
#include "layers/losses/loss.h"

namespace weft::layers {

namespace {

void lowerAccuracy(Lowering& lowering) {
    const Pass pass = lowering.builder().pass();
    lowering.builder().setPass(Pass::metric);
    const ValueId target = lowering.input("target");
    ValueId share =
        lowering.add("accuracy", {lowering.input("logits"), target}, ignoreAttributes(lowering));
    if (ignoresSome(lowering)) {
        Attributes counting = ignoreAttributes(lowering);
        counting.set("dtype", std::string(nameOf(lowering.builder().dtype(share))));
        const auto rows = static_cast<double>(elementsOf(lowering.shape(target)));
        share = lowering.add("divide", {lowering.add("scale", {share}, {{"factor", rows}}),
                                        lowering.add("count_valid", {target}, counting)});
    }
    lowering.builder().addResult(lowering.name(), ResultKind::metric, share);
    lowering.builder().setPass(pass);
    lowering.output("accuracy", share);
}

} // namespace

void accuracy(LayerList& list) {
    list.add(
        {.info = {.kind = "accuracy",
                  .title = "Accuracy",
                  .category = "metric",
                  .help =
                      "Top-1 accuracy: fraction of examples whose largest logit is at the target "
                      "class. Among equal logits the first counts. A metric; it has no gradient.",
                  .synonyms = {"metric", "top-1", "error rate"},
                  .inputs = {{.name = "logits", .help = "[batch, ..., classes]"},
                             {.name = "target",
                              .help = "[batch, ...], class indices",
                              .type = PortType::whole}},
                  .outputs = {{.name = "accuracy", .help = "scalar between 0 and 1"}},
                  .attributes = {ignoreSpec()},
                  .parameters = {}},
         .lower = lowerAccuracy,
         .samples = {{.inputs = {{6, 10}, {6}}, .dtypes = {DType::f32, DType::i64}},
                     {.inputs = {{3, 5, 7}, {3, 5}},
                      .attributes = {{"ignore", std::int64_t{2}}},
                      .dtypes = {DType::f32, DType::i32}}}});
}

} // namespace weft::layers
