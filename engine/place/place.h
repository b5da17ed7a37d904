// SPDX-License-Identifier: Apache-2.0
#pragma once
// Turns the graph and the assignments into the plan: every value gets a placement, every change of
// placement becomes a collective. Problems of the design are collected. A layer that does not
// support its assignment is placed `replicate`, so that the plan is as complete as possible.

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

/// The design's scheme for changing the placement along one wire.
struct WireScheme {
    Origin from;        ///< the layer at the begin of the wire
    Origin to;          ///< the layer at the end of the wire
    std::string wire;   ///< "conv5.y -> fc6.x"; distinguishes several wires between two layers
    std::string scheme; ///< "whole"; "": the cheapest
    bool operator==(const WireScheme&) const = default;
};

/// The home of a slot, by name: settled by the training program and used by the others.
struct SlotPlacement {
    std::string slot; ///< name of the slot
    Mesh mesh;        ///< devices that hold it
    Placements placements;
    bool operator==(const SlotPlacement&) const = default;
};
[[nodiscard]] std::vector<SlotPlacement> slotHomesOf(const Plan& plan);

struct PlaceTables;

struct PlacementRequest {
    std::vector<std::string> devices;    ///< names, by DeviceId
    std::map<Origin, Assignment> layers; ///< layers without an entry use `fallback`
    /// The design's assignment; its words apply to layers that support them.
    Assignment fallback = {};                   ///< the design's, for layers that support it
    std::vector<WireScheme> schemes = {};       ///< one per wire that names a scheme
    double bucketMegabytes = 25;                ///< size at which a bucket of gradients is reduced
    std::vector<SlotPlacement> fixedSlots = {}; ///< homes of slots that another program settled
    /// Gathers outputs on every device; otherwise they keep the placement in which they were
    /// computed.
    bool gathersOutputs = true;   ///< false: outputs keep the placement in which they were computed
    bool findsLegalWords = false; ///< also find the assignments that each layer supports
    MachineSheet machine = {};    ///< rates of links, for the prices of changes
    /// Tables of earlier placements with the same ops, devices and machine; nullptr: new tables.
    std::shared_ptr<PlaceTables> tables = {}; ///< earlier tables to reuse; nullptr: new ones
};

/// By layer; layers with the same legal words share one list.
using LegalWords = std::vector<std::pair<Origin, std::shared_ptr<const std::vector<LegalWord>>>>;

struct PlacementResult {
    Plan plan;
    std::vector<Diagnostic> problems; ///< unsupported assignments
    LegalWords legal;                 ///< empty unless requested
};

[[nodiscard]] std::shared_ptr<PlaceTables> makePlaceTables(const MachineSheet& machine);

/// The plan shares the graph if nothing had to be expanded.
[[nodiscard]] PlacementResult place(std::shared_ptr<const Graph> graph, const OpList& ops,
                                    const PlacementRequest& request);
[[nodiscard]] PlacementResult place(const Graph& graph, const OpList& ops,
                                    const PlacementRequest& request);

} // namespace weft
