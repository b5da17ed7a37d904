// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design taken as far down the way of the data as it goes without data or devices: expanded,
// lowered, differentiated, placed. What preview and explain look at.

#include "run/program_set.h"
#include "run/registry.h"
#include <weft/design.h>
#include <weft/preview.h>

#include <functional>
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

/// Layers lowered, and the values at their ports.
struct LoweredLayers {
    std::shared_ptr<const Graph> graph = {}; ///< without what place expanded
    std::vector<LayerOutputs> outputs = {};
};

/// A kind of step of a training, or the only kind of another member.
struct PlannedStep {
    std::string name;       ///< "train", "train accumulate"
    std::int64_t count = 1; ///< of a period that has settled
    std::shared_ptr<const Graph> graph = {};
    std::shared_ptr<const Plan> plan = {};
};

struct Study {
    /// What is planned in place of a design whose settings are wrong: the usual ones stand in.
    std::optional<Design> usual;
    TrainingSettings training; ///< by which it is planned
    ExpandedDesign expanded;
    ExpandedDesign part;              ///< of it, where errors keep something out: what none reaches
    LoweredLayers lowered;            ///< all, as far as errors let them
    LoweredLayers sound;              ///< those that no error reaches: what is placed
    std::shared_ptr<const Plan> plan; ///< none: nothing is left to be placed
    std::vector<PlannedStep>
        steps; ///< where there is a plan: that first, with its slots the others
    Planned planned = Planned::nothing;
    std::vector<std::string> devices;
    LegalWords legal;                    ///< when asked for
    std::vector<Diagnostic> problems;    ///< of all stages
    std::vector<StageTime> times;        ///< as they were gone through
    std::shared_ptr<PlaceTables> tables; ///< by which it was placed
};

/// What placing has worked out of some devices and their link; the last few that were asked for.
class CachedTables {
public:
    [[nodiscard]] std::shared_ptr<PlaceTables> of(const std::vector<std::string>& devices,
                                                  const MachineSheet& machine);

private:
    struct Kept {
        std::vector<std::string> devices;
        LinkSheet link;
        std::shared_ptr<PlaceTables> tables;
    };
    std::vector<Kept> kept_; ///< the last one asked for first
};

struct StudyRequest {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    std::vector<std::string> devices = {}; ///< empty: those the design declares, else cpu:0
    MachineSheet machine = {};
    Mode mode = Mode::train;
    bool wantsPlan = true;
    bool wantsLegal = false;
    std::function<bool()> isWanted = {}; ///< false: later stages are left out
    const PreviewData* data = nullptr;   ///< where its files are; none: they are not looked for
    CachedTables* kept = nullptr;        ///< by the same registry; none: tables are made anew
};

[[nodiscard]] Study study(const StudyRequest& request);

} // namespace weft
