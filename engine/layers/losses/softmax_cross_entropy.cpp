// SPDX-License-Identifier: Apache-2.0
// softmax_cross_entropy: mean of -log softmax(logits)[target]
#include "layers/layer.h"
#include "layers/losses/loss.h"

namespace weft::layers {

namespace {

void lowerSoftmaxCrossEntropy(Lowering& lowering) {
    const ValueId target = lowering.input("target");
    const ValueId loss = lowering.add("softmax_cross_entropy", {lowering.input("logits"), target},
                                      ignoreAttributes(lowering));
    finishLoss(lowering, meanOfCounted(lowering, loss, target));
}

} // namespace

void softmax_cross_entropy(LayerList& list) {
    list.add(
        {.info = {.kind = "softmax_cross_entropy",
                  .title = "Softmax cross-entropy",
                  .category = "loss",
                  .help = "Softmax cross-entropy: negative log likelihood of the target class, "
                          "averaged over all examples of the batch (and positions). Targets are "
                          "class indices from 0; a target out of range gives NaN, which stops a "
                          "run. PyTorch: CrossEntropyLoss with reduction=\"mean\", classes in the "
                          "last dim; ONNX: SoftmaxCrossEntropyLoss.",
                  .synonyms = {"loss", "cross entropy", "log loss", "softmax with loss",
                               "negative log likelihood"},
                  .inputs = {{.name = "logits", .help = "[batch, ..., classes], logits"},
                             {.name = "target",
                              .help = "[batch, ...], class indices",
                              .type = PortType::whole}},
                  .outputs = {{.name = "loss", .help = "scalar"}},
                  .attributes = {weightSpec(), ignoreSpec()},
                  .parameters = {}},
         .lower = lowerSoftmaxCrossEntropy,
         .samples = {{.inputs = {{6, 10}, {6}}, .dtypes = {DType::f32, DType::i64}},
                     {.inputs = {{3, 5, 7}, {3, 5}},
                      .attributes = {{"weight", 0.3}, {"ignore", std::int64_t{2}}},
                      .dtypes = {DType::f32, DType::i32}}}});
}

} // namespace weft::layers
