// SPDX-License-Identifier: Apache-2.0
#pragma once
// design -> flat list of layers in an order in which they can be computed: groups and repeats
// expanded, bypassed and muted layers removed, expressions evaluated, assignments inherited, ports
// resolved. Errors are collected in `problems`; everything else is still expanded.

#include <weft/catalogue.h>
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <string>
#include <vector>

namespace weft {

/// The source of an input: a layer of the expanded list and its output port.
struct ExpandedInput {
    std::string port;        ///< port of this layer: "x", or "x0", "x1" of a variadic port
    std::size_t from = 0;    ///< index in the design's `layers`
    std::string fromPort;    ///< output port of the source: "y"
    std::string scheme = {}; ///< how to change the placement; empty: the cheapest way
    bool operator==(const ExpandedInput&) const = default;
};

struct ExpandedLayer {
    Origin origin;    ///< instance 0 at the top level; every copy of a group has its own number
    std::string name; ///< full name: "block[2]/attention"
    std::string kind; ///< "conv2d"
    Attributes attributes; ///< evaluated and completed with the kind's defaults
    std::vector<ExpandedInput> inputs;
    Assignment assignment;   ///< its own, else its group's; empty: the design's default
    bool isAssigned = false; ///< false: the design's default applies
    bool operator==(const ExpandedLayer&) const = default;
};

struct ExpandedDesign {
    std::vector<ExpandedLayer> layers;
    std::vector<Diagnostic> problems;
    bool isWhole = true; ///< false: errors exclude some layers
};

[[nodiscard]] ExpandedDesign expand(const Design& design, const std::vector<LayerKindInfo>& kinds);

} // namespace weft
