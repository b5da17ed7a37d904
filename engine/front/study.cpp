// SPDX-License-Identifier: Apache-2.0
#include "front/study.h"

#include "base/limits.h"
#include "front/device_sheets.h"
#include "lower/check_settings.h"
#include "lower/check_structure.h"
#include "place/place_tables.h"
#include "run/check_feeds.h"
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

constexpr std::size_t nowhere = ExpandedDesign::nowhere;

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
    if (last.shared == nullptr || last.batch != next.batch || last.training != next.training ||
        last.expanded.layers.size() != next.expanded.layers.size()) {
        return false;
    }
    for (std::size_t k = 0; k < next.expanded.layers.size(); ++k) {
        const std::size_t was = next.expanded.was.empty() ? nowhere : next.expanded.was[k];
        // What was moved is the same if what it reads is where it was; so all are asked.
        if (was == nowhere ? !isSame(last.expanded.layers[k], next.expanded.layers[k]) : was != k) {
            return false;
        }
    }
    return true;
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

/// The graph of a design after another, from which it takes over what they have in common.
Lowered lowerAfter(Study* last, const Study& next, const FamilyRequest& family,
                   GraphBefore& common) {
    const bool isUsable = last != nullptr && last->shared != nullptr && last->batch == next.batch &&
                          last->training == next.training && !hasErrors(last->problems) &&
                          !last->expanded.sharesWeights && !next.expanded.sharesWeights;
    if (!isUsable) {
        return lowerMember(family, family.members.front());
    }
    MemberBefore before{.expanded = &last->expanded,
                        .parts = std::move(last->lowered.parts),
                        .graph = last->shared.get()};
    Lowered lowered = lowerMember(family, family.members.front(), &before);
    common = std::move(before.common);
    return lowered;
}

GraphBefore sameGraph(const Graph& graph) {
    GraphBefore before;
    before.nodes.resize(graph.nodes.size());
    before.values.resize(graph.values.size());
    for (std::uint32_t n = 0; n < before.nodes.size(); ++n) {
        before.nodes[n] = {n};
    }
    for (std::uint32_t v = 0; v < before.values.size(); ++v) {
        before.values[v] = {v};
    }
    return before;
}

/// What its graph has in common with that of the last study.
GraphBefore lowerInto(Study& result, Study* last, const FamilyRequest& family) {
    if (last != nullptr && hasEqualGraph(*last, result)) {
        result.lowered = std::move(last->lowered);
        result.shared = std::move(last->shared);
        return sameGraph(*result.shared);
    }
    GraphBefore common;
    result.lowered = lowerAfter(last, result, family, common);
    result.shared = std::make_shared<Graph>(std::move(result.lowered.graph));
    if (last != nullptr) {
        *last = {}; // its memory is taken for what follows
    }
    return common;
}

void placeInto(Study& result, const OpList& ops, const PlacementRequest& placing) {
    Placing placed = place(result.shared, ops, placing);
    result.legal = std::move(placed.legal);
    addNew(result.problems, placed.problems);
    result.plan =
        placed.kept ? std::move(placed.kept) : std::make_shared<const Plan>(std::move(placed.plan));
    result.order = std::move(placed.order);
    result.made = std::move(placed.made);
}

} // namespace

Study study(const StudyRequest& request) {
    Study result;
    bool isFollowed = request.last != nullptr && request.last->plan != nullptr;
    if (request.last != nullptr) {
        request.last->plan.reset();
        request.last->legal.clear();
    }
    const StageTimer checking;
    result.devices = devicesOf(*request.design, request.devices);
    if (auto problem = refusedDevices(result.devices.size())) {
        result.problems.push_back(std::move(*problem));
        result.devices.resize(limits::devices);
    }
    result.link = request.machine.withinProcess;
    if (request.keepsTables) {
        result.tables = tablesFor(result, request);
        isFollowed = isFollowed && result.tables == request.last->tables;
    }
    result.expanded = request.last != nullptr && request.lastDesign != nullptr
                          ? expandAgain(*request.design, request.registry->kinds,
                                        *request.lastDesign, request.last->expanded)
                          : expand(*request.design, request.registry->kinds);
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
    result.training = design.training;
    result.batch = family.members.front().batch;
    GraphBefore common = lowerInto(result, request.last, family);
    result.times.push_back(lowering.stop("lower and differentiate"));
    addNew(result.problems, result.lowered.problems);
    if (request.data != nullptr && !hasErrors(result.problems)) {
        addNew(result.problems, checkFeeds(*request.design, result.graph(), *request.registry,
                                           {request.data->folder, request.data->others}));
    }
    if (!request.wantsPlan || hasErrors(result.problems)) {
        return result;
    }
    const StageTimer placingTime;
    PlacementRequest placing = placementRequest(family);
    placing.findsLegalWords = request.wantsLegal;
    placing.tables = result.tables;
    placing.before = isFollowed ? std::move(common) : GraphBefore{};
    placeInto(result, request.registry->ops, placing);
    result.times.push_back(placingTime.stop("place"));
    return result;
}

} // namespace weft
