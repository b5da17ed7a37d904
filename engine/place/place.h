// SPDX-License-Identifier: Apache-2.0
#pragma once
// From the graph and the assignments to the plan: every value gets a placement, every change of
// placement becomes a collective. Problems of the design are collected; the plan goes on as far as
// it can, a layer that cannot have its word is placed `replicate`.

#include "graph/op.h"
#include "place/plan.h"
#include <weft/devices.h>
#include <weft/diagnostics.h>
#include <weft/legal_word.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// How one wire crosses, where the design says so.
struct WireScheme {
    Origin from;
    Origin to;
    std::string wire;   ///< "conv5.y -> fc6.x"; tells several wires of two layers apart
    std::string scheme; ///< "whole"; "": the cheapest
    bool operator==(const WireScheme&) const = default;
};

/// Where a slot lives, by name: settled on the training program, handed to the others.
struct SlotPlacement {
    std::string slot;
    Mesh mesh;
    Placements placements;
    bool operator==(const SlotPlacement&) const = default;
};
[[nodiscard]] std::vector<SlotPlacement> homesOf(const Plan& plan);

struct PlaceTables;

struct PlacementRequest {
    std::vector<std::string> devices;     ///< names, by DeviceId
    std::map<Origin, Assignment> layers;  ///< a layer that is absent has the fallback
    Assignment fallback = {};             ///< of the design; its words hold where a layer can
    std::vector<WireScheme> schemes = {}; ///< wires that name none are absent
    double bucketMegabytes = 25;
    std::vector<SlotPlacement> fixedSlots = {};
    /// Outputs are gathered on every device; otherwise they stay where and as they were made.
    bool gathersOutputs = true;
    bool findsLegalWords = false;
    MachineSheet machine = {};
    /// Tables of earlier placings with the same ops, devices and machine; none: new ones.
    std::shared_ptr<PlaceTables> tables = {};
};

/// By layer; layers that can be told the same share one list.
using LegalWords = std::vector<std::pair<Origin, std::shared_ptr<const std::vector<LegalWord>>>>;

struct Placing {
    Plan plan;
    std::vector<Diagnostic> problems;
    LegalWords legal; ///< when asked for
};

[[nodiscard]] std::shared_ptr<PlaceTables> makePlaceTables(const MachineSheet& machine);

/// The graph is shared by the plan when nothing had to be expanded.
[[nodiscard]] Placing place(std::shared_ptr<const Graph> graph, const OpList& ops,
                            const PlacementRequest& request);
[[nodiscard]] Placing place(const Graph& graph, const OpList& ops, const PlacementRequest& request);

} // namespace weft
