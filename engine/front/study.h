// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design taken as far down the way of the data as it goes without data or devices: expanded,
// lowered, differentiated, placed. What preview and explain look at.

#include "run/family.h"
#include "run/registry.h"
#include <weft/design.h>
#include <weft/preview.h>

#include <memory>
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
    std::shared_ptr<const Graph> graph; ///< as it was lowered: without what place expanded
    std::vector<LayerOutputs> outputs;
    std::shared_ptr<const Plan> plan; ///< none: errors keep the design from being placed
    std::vector<std::string> devices;
    LegalWords legal;                    ///< when asked for
    std::vector<Diagnostic> problems;    ///< of all stages
    std::vector<StageTime> times;        ///< as they were gone through
    std::shared_ptr<PlaceTables> tables; ///< by which it was placed
};

/// What placing has worked out, for as long as devices and link are these.
struct KeptTables {
    std::vector<std::string> devices = {};
    LinkSheet link = {};
    std::shared_ptr<PlaceTables> tables = {};
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
    KeptTables* kept = nullptr;        ///< by the same registry; none: tables are made anew
};

[[nodiscard]] Study study(const StudyRequest& request);

} // namespace weft
