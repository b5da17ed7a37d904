// SPDX-License-Identifier: Apache-2.0
#include "front/study.h"

#include "base/limits.h"
#include "lower/check_settings.h"
#include "lower/check_structure.h"
#include "place/place_tables.h"
#include "run/check_feeds.h"
#include "run/device_sheets.h"
#include "run/spread.h"

#include <algorithm>

namespace weft {

namespace {

/// Of endless problems the first, and one that is an error where there is any.
void addNew(std::vector<Diagnostic>& problems, const std::vector<Diagnostic>& more) {
    constexpr std::size_t most = 3 * limits::problems;
    for (const Diagnostic& problem : more) {
        const bool isMissed =
            problems.size() < most || (problem.severity == Severity::error && !hasErrors(problems));
        if (isMissed && std::ranges::find(problems, problem) == problems.end()) {
            problems.push_back(problem);
        }
    }
}

/// Where settings are wrong the rest is checked as if nothing were said of them.
Design withUsualSettings(Design design) {
    design.data.batch = DataSettings().batch;
    design.training = {};
    return design;
}

/// Those that are kept, unless they are for others or more than anybody comes back to.
std::shared_ptr<PlaceTables> tablesFor(const std::vector<std::string>& devices,
                                       const StudyRequest& request) {
    constexpr std::size_t most = 100'000;
    KeptTables own;
    KeptTables& kept = request.kept == nullptr ? own : *request.kept;
    const LinkSheet& link = request.machine.withinProcess;
    const bool isUsable = kept.tables != nullptr && kept.devices == devices && kept.link == link &&
                          kept.tables->alikes.size() < most;
    if (!isUsable) {
        kept = {devices, link, makePlaceTables(request.machine)};
    }
    return kept.tables;
}

void placeInto(Study& result, const OpList& ops, const PlacementRequest& placing) {
    Placing placed = place(result.graph, ops, placing);
    result.legal = std::move(placed.legal);
    addNew(result.problems, placed.problems);
    result.plan = std::make_shared<const Plan>(std::move(placed.plan));
}

} // namespace

Study study(const StudyRequest& request) {
    Study result;
    const StageTimer checking;
    result.devices = devicesOf(*request.design, request.devices);
    if (auto problem = refusedDevices(result.devices.size())) {
        result.problems.push_back(std::move(*problem));
        result.devices.resize(limits::devices);
    }
    result.tables = tablesFor(result.devices, request);
    result.expanded = expand(*request.design, request.registry->kinds);
    addNew(result.problems, result.expanded.problems);
    addNew(result.problems, checkSheets(*request.design));
    const std::vector<Diagnostic> settings =
        checkSettings(*request.design, request.registry->settings);
    addNew(result.problems, settings);
    const Design usual = hasErrors(settings) ? withUsualSettings(*request.design) : Design{};
    const Design& design = hasErrors(settings) ? usual : *request.design;
    result.times.push_back(checking.stop("check and expand"));
    const StageTimer lowering;
    const FamilyRequest family{.design = &design,
                               .expanded = &result.expanded,
                               .ops = &request.registry->ops,
                               .layers = &request.registry->layers,
                               .devices = result.devices,
                               .machine = request.machine,
                               .members = {{request.mode, design.data.batch}}};
    Lowered lowered = lowerMember(family, family.members.front());
    result.graph = std::make_shared<const Graph>(std::move(lowered.graph));
    result.outputs = std::move(lowered.outputs);
    result.times.push_back(lowering.stop("lower and differentiate"));
    addNew(result.problems, lowered.problems);
    if (request.data != nullptr && !hasErrors(result.problems)) {
        addNew(result.problems, checkFeeds(*request.design, *result.graph, *request.registry,
                                           {request.data->folder, request.data->others}));
    }
    if (!request.wantsPlan || hasErrors(result.problems)) {
        return result;
    }
    const StageTimer placingTime;
    PlacementRequest placing = placementRequest(family);
    placing.findsLegalWords = request.wantsLegal;
    placing.tables = result.tables;
    placeInto(result, request.registry->ops, placing);
    result.times.push_back(placingTime.stop("place"));
    return result;
}

} // namespace weft
