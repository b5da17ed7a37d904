// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each layer, each node's gradient and each slot's update left in a member's graph. The next
// lowering takes over the parts that it would repeat.

#include "graph/graph_taking.h"

#include <string>
#include <utility>
#include <vector>

namespace weft {

struct LayerParts {
    struct Part {
        GraphTaking::Mark from = {};
        GraphTaking::Mark to = {};
        std::size_t inputs = 0;  ///< where its first input stands
        std::size_t outputs = 0; ///< and its first output
        Origin origin = {};
    };
    std::vector<Part> layers; ///< by expanded layer, and one more
    std::vector<ValueId> inputs;
    std::vector<std::pair<std::string, ValueId>> outputs;
};

struct GradientParts {
    struct Part {
        GraphTaking::Mark from = {};
        GraphTaking::Mark to = {};
        std::uint64_t wants = 0;
        std::size_t values = none; ///< where gradients of results, then of operands stand

        static constexpr std::size_t none = static_cast<std::size_t>(-1);
    };
    std::vector<Part> nodes; ///< by forward node
    std::vector<ValueId> values;
};

struct UpdateParts {
    struct Part {
        GraphTaking::Mark squares = {};
        GraphTaking::Mark from = {};
        GraphTaking::Mark to = {};
        ValueId gradient = {}; ///< none: it has no update
    };
    std::vector<Part> slots;
    ValueId norm = {};
    ValueId factor = {};
};

struct LoweredParts {
    LayerParts layers;
    GradientParts gradients;
    UpdateParts updates;
};

} // namespace weft
