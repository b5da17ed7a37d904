// SPDX-License-Identifier: Apache-2.0
#pragma once
// design -> flat list of layers: groups and repeats expanded, bypassed and muted layers gone,
// expressions evaluated, assignments inherited, ports resolved, in an order in which they can be
// computed. What is wrong is collected in `problems`; the rest goes on as far as it can.

#include <weft/catalogue.h>
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <string>
#include <vector>

namespace weft {

/// Where an input comes from: a layer of the expanded list and its output port.
struct ExpandedInput {
    std::string port;     ///< of this layer: "x", or "x0", "x1" of a variadic one
    std::size_t from = 0; ///< position in `layers`
    std::string fromPort; ///< "y"
    std::string scheme = {};
    bool operator==(const ExpandedInput&) const = default;
};

struct ExpandedLayer {
    Origin origin; ///< instance 0 at the top level; every copy of a group has a number of its own
    std::string name; ///< full: "block[2]/attention"
    std::string kind;
    Attributes attributes; ///< evaluated and completed with the kind's defaults
    std::vector<ExpandedInput> inputs;
    Assignment assignment;   ///< its own, else its group's; empty: the design's default
    bool isAssigned = false; ///< false: the design's default holds
    bool operator==(const ExpandedLayer&) const = default;
};

struct ExpandedDesign {
    std::vector<ExpandedLayer> layers;
    std::vector<Diagnostic> problems;
    bool isWhole = true; ///< false: layers are missing for what is wrong with them
};

[[nodiscard]] ExpandedDesign expand(const Design& design, const std::vector<LayerKindInfo>& kinds);

} // namespace weft
