// SPDX-License-Identifier: Apache-2.0
#pragma once
// The programs one run needs over the same slots: training on a full batch and on the short last
// one, each for every kind of step of the sync block, evaluation likewise, inference. Slots are
// settled on the first member and handed to the others as fixed.

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
    std::int64_t batch = 1;
    TrainingStep does = {}; ///< of a training step
    /// The observed step: the plan of the member that is the same otherwise, with no ops grouped,
    /// so that every value is made where it can be looked at.
    bool isObserved = false;
    bool operator==(const VariantRequest&) const = default;
};

struct Variant {
    VariantRequest request;
    std::shared_ptr<const Plan> plan;
    /// Value of every layer's output ports, for whoever wants to look at one.
    OutputValues values;
};

struct ProgramSetRequest {
    const Design* design = nullptr;
    const ExpandedDesign* expanded = nullptr;
    const OpList* ops = nullptr;
    const LayerList* layers = nullptr;
    const OptimizerList* optimizers = nullptr;
    std::vector<std::string> devices; ///< names, by DeviceId
    MachineSheet machine = {};
    std::vector<VariantRequest> members;      ///< the first settles the slots
    std::shared_ptr<PlaceTables> tables = {}; ///< of earlier placings; none: they are made anew
};

struct ProgramSet {
    std::vector<Variant> members;
    std::vector<Diagnostic> problems;
};

/// Behind them the observed observed of every training step.
void addObservedSteps(std::vector<VariantRequest>& members);

/// Nothing is thrown for faults of the design: they are in `problems`, and members stop where
/// errors begin.
[[nodiscard]] ProgramSet makeProgramSet(const ProgramSetRequest& request);

/// One member's graph, backward and update included: also what preview and explain show.
[[nodiscard]] Lowered lowerVariant(const ProgramSetRequest& request, const VariantRequest& member);

/// Gives the graph of a member the slots of the first, in its order.
void alignSlots(Graph& graph, const Graph& first);
/// Layers remember something of every element of the batch from step to step, or have weights for
/// each: batches are full, then.
[[nodiscard]] bool remembersExamples(const Graph& graph);

/// What place needs to know of the layers' assignments.
[[nodiscard]] PlacementRequest placementRequest(const ProgramSetRequest& request);

/// "train", "train/17", "train accumulate", "evaluate"
[[nodiscard]] std::string nameOf(const VariantRequest& member, std::int64_t fullBatch);

} // namespace weft
