// SPDX-License-Identifier: Apache-2.0
#pragma once
// The programs that one run needs over the same slots: training on a full batch and on the short
// last batch, each for every kind of step of the sync block, likewise evaluation, and inference.
// The first variant settles the slots; the others take them as fixed.

#include "lower/lower.h"
#include "optimizers/optimizer.h"
#include "place/place.h"
#include "transform/training_step.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <memory>
#include <string>
#include <vector>

namespace weft {

struct VariantRequest {
    Mode mode = Mode::train;
    std::int64_t batch = 1;  ///< examples per batch
    TrainingStep does = {};  ///< what a training step does besides its forward pass
    bool isObserved = false; ///< observed step: no grouped ops, so every value can be copied out
    bool operator==(const VariantRequest&) const = default;
};

struct Variant {
    VariantRequest request;
    std::shared_ptr<const Plan> plan;
    OutputValues values; ///< values of all layers' output ports
};

struct ProgramSetRequest {
    const Design* design = nullptr;
    const ExpandedDesign* expanded = nullptr; ///< the same design, expanded
    const OpList* ops = nullptr;
    const LayerList* layers = nullptr;
    const OptimizerList* optimizers = nullptr;
    std::vector<std::string> devices; ///< names, by DeviceId
    MachineSheet machine = {};
    std::vector<VariantRequest> members;      ///< the variants; the first settles the slots
    std::shared_ptr<PlaceTables> tables = {}; ///< caches of placement; nullptr: new ones
};

struct ProgramSet {
    std::vector<Variant> members;
    std::vector<Diagnostic> problems;
};

/// Appends the observed variant of every training step.
void addObservedSteps(std::vector<VariantRequest>& members);

/// Throws nothing for faults of the design: they are in `problems`, and variants stop where errors
/// begin.
[[nodiscard]] ProgramSet makeProgramSet(const ProgramSetRequest& request);

/// Lowers one variant's graph with backward and update. Preview and explain show this graph, too.
[[nodiscard]] Lowered lowerVariant(const ProgramSetRequest& request, const VariantRequest& member);

/// Gives the graph of a variant the slots of the first variant, in the same order.
void alignSlots(Graph& graph, const Graph& first);
/// True if layers have state or weights per element of the batch, so that all batches must be full.
[[nodiscard]] bool needsFullBatches(const Graph& graph);

/// Returns what placement needs to know about the layers' assignments.
[[nodiscard]] PlacementRequest placementRequest(const ProgramSetRequest& request);

/// Returns "train", "train/17", "train accumulate" or "evaluate".
[[nodiscard]] std::string nameOf(const VariantRequest& member, std::int64_t fullBatch);

} // namespace weft
