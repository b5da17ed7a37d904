// SPDX-License-Identifier: Apache-2.0
#pragma once
// The catalogue's guests: a layer, an op and an optimizer that the engine does not have, written as
// one would write them there.

#include "device/kernel.h"
#include "graph/op.h"
#include "layers/layer.h"
#include "optimizers/optimizer.h"

namespace weft::example {

namespace layers {
void fill(LayerList& list);
}
namespace ops {
void fill(OpList& list);
}
namespace optimizers {
void fill(OptimizerList& list);
}
namespace reference {
void fill(KernelList& list);
}

} // namespace weft::example
