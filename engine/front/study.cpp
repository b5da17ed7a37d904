// SPDX-License-Identifier: Apache-2.0
#include "front/study.h"

#include "data/open.h"
#include "front/device_sheets.h"
#include "place/place_tables.h"

#include <algorithm>

namespace weft {

std::vector<std::string> devicesOf(const Design& design, const std::vector<std::string>& asked) {
    if (!asked.empty()) {
        return asked;
    }
    std::vector<std::string> names;
    for (const DeviceDeclaration& device : design.devices) {
        names.push_back(device.name);
    }
    return names.empty() ? std::vector<std::string>{"cpu:0"} : names;
}

namespace {

void addNew(std::vector<Diagnostic>& problems, const std::vector<Diagnostic>& more) {
    for (const Diagnostic& problem : more) {
        if (std::ranges::find(problems, problem) == problems.end()) {
            problems.push_back(problem);
        }
    }
}

/// The graph knows no assignments: an edit of one leaves it as it was.
bool hasEqualGraph(const Study& last, const Study& next) {
    const auto isSame = [](const ExpandedLayer& a, const ExpandedLayer& b) {
        return a.origin == b.origin && a.kind == b.kind && a.name == b.name &&
               a.attributes == b.attributes &&
               std::ranges::equal(
                   a.inputs, b.inputs, [](const ExpandedInput& x, const ExpandedInput& y) {
                       return x.port == y.port && x.from == y.from && x.fromPort == y.fromPort;
                   });
    };
    return last.shared != nullptr && last.batch == next.batch && last.training == next.training &&
           std::ranges::equal(last.expanded.layers, next.expanded.layers, isSame);
}

/// Those of the last study, unless they are of other devices or more than anybody comes back to.
std::shared_ptr<PlaceTables> tablesFor(const Study& result, const StudyRequest& request) {
    constexpr std::size_t most = 100'000;
    const Study* last = request.last;
    const bool isUsable = last != nullptr && last->tables != nullptr &&
                          last->devices == result.devices && last->link == result.link &&
                          last->tables->alikes.size() < most;
    return isUsable ? last->tables : makePlaceTables(request.machine);
}

} // namespace

Study study(const StudyRequest& request) {
    Study result;
    if (request.last != nullptr) {
        request.last->plan.reset();
        request.last->legal.clear();
    }
    const StageTimer checking;
    result.devices = devicesOf(*request.design, request.devices);
    result.link = request.machine.withinProcess;
    result.tables = tablesFor(result, request);
    result.expanded = expand(*request.design, request.registry->kinds);
    addNew(result.problems, result.expanded.problems);
    addNew(result.problems, checkData(request.design->data, request.registry->sources));
    addNew(result.problems, checkSheets(*request.design));
    result.times.push_back(checking.stop("check and expand"));
    const StageTimer lowering;
    const FamilyRequest family{
        .design = request.design,
        .expanded = &result.expanded,
        .ops = &request.registry->ops,
        .layers = &request.registry->layers,
        .devices = result.devices,
        .machine = request.machine,
        .members = {{request.mode, std::max<std::int64_t>(1, request.design->data.batch)}}};
    result.training = request.design->training;
    result.batch = family.members.front().batch;
    if (request.last != nullptr && hasEqualGraph(*request.last, result)) {
        result.lowered = std::move(request.last->lowered);
        result.shared = std::move(request.last->shared);
    } else {
        if (request.last != nullptr) {
            *request.last = {}; // its memory is taken for what follows
        }
        result.lowered = lowerMember(family, family.members.front());
        result.shared = std::make_shared<const Graph>(std::move(result.lowered.graph));
    }
    result.times.push_back(lowering.stop("lower and differentiate"));
    addNew(result.problems, result.lowered.problems);
    if (!request.wantsPlan || hasErrors(result.problems)) {
        return result;
    }
    const StageTimer placingTime;
    PlacementRequest placing = placementRequest(family);
    placing.findsLegalWords = request.wantsLegal;
    placing.tables = result.tables;
    Placing placed = place(result.shared, request.registry->ops, placing);
    result.legal = std::move(placed.legal);
    addNew(result.problems, placed.problems);
    result.plan = std::move(placed.plan);
    result.times.push_back(placingTime.stop("place"));
    return result;
}

} // namespace weft
