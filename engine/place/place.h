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

/// What a graph has in common with the one that was placed before it with the same tables: nodes
/// that are the same but for numbers, and values, of the same type and name. Empty: nothing.
struct GraphBefore {
    std::vector<NodeId> nodes;   ///< by node: as it was called; none: it is another
    std::vector<ValueId> values; ///< by value then: as it is called now; none: it is gone
};

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
    /// Of earlier placings with the same ops, devices and machine; none: they are made anew. With
    /// tables the plan is kept there, and the next placing takes over what it would repeat.
    std::shared_ptr<PlaceTables> tables = {};
    GraphBefore before = {};
};

/// By layer; layers that can be told the same share one list.
using LegalWords = std::vector<std::pair<Origin, std::shared_ptr<const std::vector<LegalWord>>>>;

struct Placing {
    Plan plan;
    /// With tables, instead of `plan`: good until the next placing with them. It has values and
    /// nodes of earlier ones, and a graph of its own with other numbers than the one given.
    std::shared_ptr<const Plan> kept;
    std::vector<PlanNodeId> order; ///< of its nodes those that count
    std::vector<PlacedId> made;    ///< by value of the graph given: as it was made
    std::vector<Diagnostic> problems;
    LegalWords legal; ///< when asked for
};

[[nodiscard]] std::shared_ptr<PlaceTables> makePlaceTables(const MachineSheet& machine);

/// The graph is shared by the plan when nothing had to be expanded.
[[nodiscard]] Placing place(std::shared_ptr<const Graph> graph, const OpList& ops,
                            const PlacementRequest& request);
[[nodiscard]] Placing place(const Graph& graph, const OpList& ops, const PlacementRequest& request);

} // namespace weft
