// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design taken as far down the way of the data as it goes without data or devices: expanded,
// lowered, differentiated, placed. What preview and explain look at.

#include "run/family.h"
#include "run/registry.h"
#include <weft/design.h>

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
    Lowered lowered;
    std::optional<Plan> plan; ///< none: errors keep the design from being placed
    std::vector<std::string> devices;
    std::map<Origin, std::vector<LegalWord>> legal; ///< when asked for
    std::vector<Diagnostic> problems;               ///< of all stages
    std::vector<StageTime> times;                   ///< as they were gone through
};

struct StudyRequest {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    std::vector<std::string> devices = {}; ///< empty: those the design declares, else cpu:0
    MachineSheet machine = {};
    Mode mode = Mode::train;
    bool wantsPlan = true;
    bool wantsLegal = false;
};

[[nodiscard]] Study study(const StudyRequest& request);

/// The devices a design runs on when nobody says others.
[[nodiscard]] std::vector<std::string> devicesOf(const Design& design,
                                                 const std::vector<std::string>& asked);

} // namespace weft
