// SPDX-License-Identifier: Apache-2.0
// mse: mean of (x - target)^2
#include "layers/layer.h"
#include "layers/losses/loss.h"

namespace weft::layers {

namespace {

void lowerMse(Lowering& lowering) {
    finishLoss(lowering, lowering.add("mse", {lowering.input("x"), lowering.input("target")}));
}

} // namespace

void mse(LayerList& list) {
    list.add({.info = {.kind = "mse",
                       .title = "Mean squared error",
                       .category = "loss",
                       .help = "Mean squared error over all elements of the batch. PyTorch: "
                               "MSELoss with reduction=\"mean\".",
                       .synonyms = {"loss", "l2", "euclidean loss", "regression"},
                       .inputs = {{.name = "x", .help = "predictions"},
                                  {.name = "target", .help = "targets, shape of x"}},
                       .outputs = {{.name = "loss", .help = "scalar"}},
                       .attributes = {weightSpec()},
                       .parameters = {}},
              .lower = lowerMse,
              .samples = {{.inputs = {{6, 10}, {6, 10}}},
                          {.inputs = {{3, 5, 2}, {3, 5, 2}}, .attributes = {{"weight", 0.5}}}}});
}

} // namespace weft::layers
