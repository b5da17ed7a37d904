// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parallelism never changes the mathematics: a design is trained a few steps on one device and as
// it is assigned, on the same numbers, and every layer's outputs, gradients and weights are laid
// beside each other.

#include <weft/design.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

struct ProveRequest {
    std::vector<std::string> devices = {};
    std::string backend = {};
    std::filesystem::path folder = {};
    std::int64_t steps = 3;
    double tolerance = 1e-4; ///< relative to the largest number of each tensor
};

struct LayerProof {
    std::string layer;
    double output = 0; ///< largest difference, relative
    double gradient = 0;
    double weights = 0;
    bool holds = true;
};

struct Proof {
    std::vector<LayerProof> layers;
    double loss = 0;
    bool holds = true;
};

[[nodiscard]] Proof prove(const Design& design, const ProveRequest& request);

} // namespace weft
