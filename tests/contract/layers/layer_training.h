// SPDX-License-Identifier: Apache-2.0
#pragma once
// A layer's sample as a whole training step: a loss that pulls differently at every element of its
// outputs, backward and update. Free of Qt.

#include "contract/layers/lowered_alone.h"
#include "support/trained.h"

#include <memory>
#include <string>
#include <vector>

namespace weft::test {

struct LayerTraining {
    std::string name;                   ///< "conv2d 2"
    std::shared_ptr<const Graph> graph; ///< nullptr: nothing to train or to sum in it
    std::int64_t integersBelow = 4;
};

/// One per kind and sample of the catalogue.
[[nodiscard]] std::vector<LayerTraining> layerTrainings(const Lowerings& lowerings);

} // namespace weft::test
