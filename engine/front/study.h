// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design taken as far down the way of the data as it goes without data or devices: expanded,
// lowered, differentiated, placed. What preview and explain look at.

#include "run/family.h"
#include "run/registry.h"
#include <weft/design.h>
#include <weft/preview.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// How long one stage took.
struct StageTime {
    std::string name;
    Nanoseconds time = {};
};

class StageTimer {
public:
    [[nodiscard]] StageTime stop(std::string name) const {
        return {std::move(name), {nowNanoseconds() - begin_}};
    }

private:
    std::int64_t begin_ = nowNanoseconds();
};

struct Study {
    ExpandedDesign expanded;
    TrainingSettings training; ///< that the graph was made for
    std::int64_t batch = 0;
    Lowered lowered; ///< its graph has gone to `shared`
    std::shared_ptr<Graph> shared;
    /// None: errors keep the design from being placed. With tables it is good until the next study.
    std::shared_ptr<const Plan> plan;
    std::vector<PlanNodeId> order; ///< with tables: nodes of the plan that count
    std::vector<PlacedId> made;    ///< with tables: by value of the graph, as it was made
    std::vector<std::string> devices;
    LegalWords legal;                    ///< when asked for
    std::vector<Diagnostic> problems;    ///< of all stages
    std::vector<StageTime> times;        ///< as they were gone through
    std::shared_ptr<PlaceTables> tables; ///< for those devices and that link
    LinkSheet link;

    /// As it was lowered: without what place expanded.
    [[nodiscard]] const Graph& graph() const { return *shared; }
};

struct StudyRequest {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    std::vector<std::string> devices = {}; ///< empty: those the design declares, else cpu:0
    MachineSheet machine = {};
    Mode mode = Mode::train;
    bool wantsPlan = true;
    bool wantsLegal = false;
    const PreviewData* data = nullptr; ///< where its files are; none: they are not looked for
    bool keepsTables = false;          ///< for the next study
    /// Of an earlier design, by the same registry and mode: stages are taken over from it where
    /// what they are made of is equal; what is left of it is good for nothing.
    Study* last = nullptr;
    const Design* lastDesign = nullptr; ///< of which that was; none: it is not kept
};

[[nodiscard]] Study study(const StudyRequest& request);

} // namespace weft
