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
    [[nodiscard]] StageTime stop(std::string name) const {
        return {std::move(name), {nowNanoseconds() - begin_}};
    }

private:
    std::int64_t begin_ = nowNanoseconds();
};

/// Lowered layers, and the values at their ports.
struct LoweredLayers {
    std::shared_ptr<const Graph> graph = {}; ///< before placement expands ops
    std::vector<LayerOutputs> outputs = {};
};

/// A kind of training step, or the only step of another variant.
struct PlannedStep {
    std::string name;       ///< "train", "train accumulate"
    std::int64_t count = 1; ///< steps of this kind in a settled period
    std::shared_ptr<const Graph> graph = {};
    std::shared_ptr<const Plan> plan = {};
};

struct Study {
    /// If the design has invalid settings: the design with defaults, which is planned instead.
    std::optional<Design> usual;
    TrainingSettings training; ///< settings that are planned for
    ExpandedDesign expanded;
    ExpandedDesign part;   ///< if errors exclude layers: the part of the design without errors
    LoweredLayers lowered; ///< all layers as far as possible
    LoweredLayers sound;   ///< layers without errors, which are placed
    std::shared_ptr<const Plan> plan; ///< none: nothing could be placed
    /// If there is a plan: the first step has that plan, and its slots apply to the others.
    std::vector<PlannedStep> steps;
    Planned planned = Planned::nothing;
    std::vector<std::string> devices;
    LegalWords legal;                    ///< empty unless requested
    std::vector<Diagnostic> problems;    ///< problems of all stages
    std::vector<StageTime> times;        ///< in the order of execution
    std::shared_ptr<PlaceTables> tables; ///< used for placement
};

/// Cached placement tables for the last few combinations of devices and their link.
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
    std::vector<Kept> kept_; ///< the most recently used first
};

struct StudyRequest {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    std::vector<std::string> devices = {}; ///< empty: those the design declares, else cpu:0
    MachineSheet machine = {};
    Mode mode = Mode::train;
    bool wantsPlan = true;
    bool wantsLegal = false;
    std::function<bool()> isWanted = {}; ///< false: skip later stages
    const PreviewData* data = nullptr;   ///< where its files are; nullptr: files are not opened
    CachedTables* kept = nullptr;        ///< with the same registry; nullptr: no cache
};

[[nodiscard]] Study study(const StudyRequest& request);

} // namespace weft
