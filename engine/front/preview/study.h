// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design compiled as far as possible without data or devices: expanded, lowered, differentiated,
// placed. Used by preview and explain.

#include "compile/program_set.h"
#include "compile/registry.h"
#include <weft/design.h>
#include <weft/preview.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// The duration of one stage.
struct StageTime {
    std::string name;
    Nanoseconds time = {};
};

class StageTimer {
public:
    [[nodiscard]] StageTime timeUntilNow(std::string name) const {
        return {std::move(name), {nowNanoseconds() - begin_}};
    }

private:
    std::int64_t begin_ = nowNanoseconds();
};

/// Lowered layers, and the values at their ports.
struct LoweredLayers {
    std::shared_ptr<const Graph> graph = {}; ///< before placement replaces ops by several
    std::vector<LayerOutputs> outputs = {};  ///< values at the layers' output ports
};

/// A kind of training step, or the only step of another variant.
struct PlannedStep {
    std::string name;       ///< "train", "train accumulate"
    std::int64_t count = 1; ///< steps of this kind per sync period
    std::shared_ptr<const Graph> graph = {};
    std::shared_ptr<const Plan> plan = {};
};

/// The results of all compiler stages for one design.
struct Study {
    std::optional<Design> withDefaults; ///< planned instead if the design's settings are invalid
    TrainingSettings training;          ///< settings that are planned for
    ExpandedDesign expanded;            ///< the design with its groups expanded
    ExpandedDesign part;   ///< if errors exclude layers: the part of the design without errors
    LoweredLayers lowered; ///< all layers as far as possible
    LoweredLayers sound;   ///< only layers without errors; these are placed
    std::shared_ptr<const Plan> plan; ///< none: nothing could be placed
    /// Empty without a plan. The first step has `plan`; the others share its slots.
    std::vector<PlannedStep> steps;
    Planned planned = Planned::nothing;  ///< how much of a training step has a plan
    std::vector<std::string> devices;    ///< names, by DeviceId
    LegalWords legal;                    ///< legal assignments per layer; empty unless requested
    std::vector<Diagnostic> problems;    ///< problems of all stages
    std::vector<StageTime> times;        ///< in the order of execution
    std::shared_ptr<PlaceTables> tables; ///< used for placement
};

/// Cached placement tables for the last few combinations of devices and their link.
class CachedTables {
public:
    [[nodiscard]] std::shared_ptr<PlaceTables> tablesFor(const std::vector<std::string>& devices,
                                                         const MachineSheet& machine);

private:
    struct Entry {
        std::vector<std::string> devices;
        LinkSheet link;
        std::shared_ptr<PlaceTables> tables;
    };
    std::vector<Entry> entries_; ///< the most recently used first
};

struct StudyRequest {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    std::vector<std::string> devices = {}; ///< empty: those the design declares, else cpu:0
    MachineSheet machine = {};
    Mode mode = Mode::train;
    bool wantsPlan = true;
    bool wantsLegal = false;             ///< true: also finds the legal assignments of each layer
    std::function<bool()> isWanted = {}; ///< asked before each stage; false: stop
    const PreviewData* data = nullptr;   ///< folders of the data; nullptr: files are not opened
    CachedTables* cache = nullptr;       ///< for the same registry; nullptr: none
};

[[nodiscard]] Study study(const StudyRequest& request);

} // namespace weft
