// SPDX-License-Identifier: Apache-2.0
#include "run/checkpoint/selection.h"

#include "base/hash.h"
#include "base/text/json.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace weft {

namespace {

Json nodeOf(PlanNodeId node) { return node.isNone() ? Json() : Json(node.value); }

/// Steps of a host fallback are listed one by one; how fallbacks share copies follows from that.
Json stepsOf(const StepBody& rounds);

void addHostFallback(Json& steps, const StepBody& fallback) {
    for (Json& step : stepsOf(fallback)) {
        steps.push_back(std::move(step));
    }
}

Json stepsOf(const StepBody& rounds) {
    Json steps = Json::array();
    for (const BodyStep& step : rounds.steps) {
        if (step.rounds && step.rounds->isHostFallback) {
            addHostFallback(steps, *step.rounds);
            continue;
        }
        steps.push_back({step.name, step.implementation, step.formats, nodeOf(step.node)});
        if (step.rounds) {
            steps.back().push_back(stepsOf(*step.rounds));
        }
    }
    return steps;
}

Json stepsOf(const Program& program) {
    Json steps = Json::array();
    for (const Step& step : program.steps) {
        if (step.kind == StepKind::collective) {
            continue;
        }
        if (step.isHostFallback()) {
            addHostFallback(steps, *step.rounds);
            continue;
        }
        Json formats = Json::array();
        for (const StepOutput& made : step.outputContents) {
            formats.push_back(made.part.format.tag);
        }
        steps.push_back({step.name, step.implementation, std::move(formats), nodeOf(step.node)});
        if (step.rounds) {
            steps.back().push_back(stepsOf(*step.rounds));
        }
    }
    return steps;
}

std::string textOf(const Json& step) {
    std::string formats;
    for (const Json& format : step.at(2)) {
        const auto tag = format.get<std::string>();
        formats += (formats.empty() ? "" : ", ") + (tag.empty() ? "plain" : tag);
    }
    return step.at(1).get<std::string>() + (formats.empty() ? "" : " (" + formats + ")");
}

void compare(const std::string& where, const Json& before, const Json& now,
             std::vector<std::string>& changes) {
    const std::size_t count = std::min(before.size(), now.size());
    const auto isSame = [](const Json& a, const Json& b) {
        return a.at(0) == b.at(0) && a.at(1) == b.at(1) && a.at(2) == b.at(2);
    };
    for (std::size_t k = 0; k < count; ++k) {
        if (!isSame(before[k], now[k])) {
            changes.push_back(fmt::format("{}, {}: {} before, {} now", where,
                                          now[k].at(0).get<std::string>(), textOf(before[k]),
                                          textOf(now[k])));
        }
        if (before[k].size() > 4 && now[k].size() > 4) {
            compare(where + ", " + now[k].at(0).get<std::string>(), before[k][4], now[k][4],
                    changes);
        }
    }
    if (before.size() != now.size()) {
        changes.push_back(
            fmt::format("{}: {} steps before, {} now", where, before.size(), now.size()));
    }
}

/// Compares library calls of steps whose kernel is unchanged. `calls` are those of two selections,
/// by device; entries of unknown form are skipped.
void compareCalls(const Json& before, const Json& now, std::vector<std::string>& changes) {
    const auto known = [&changes](const std::string& step) {
        return std::ranges::any_of(
            changes, [&step](const std::string& change) { return change.starts_with(step); });
    };
    for (const auto& [device, calls] : now.items()) {
        const Json others = before.value(device, Json::object());
        for (const auto& [member, steps] : calls.at("members").items()) {
            const Json old = others.value("members", Json::object()).value(member, Json::array());
            for (std::size_t k = 0; k < std::min(old.size(), steps.size()); ++k) {
                const std::string step =
                    fmt::format("{}, {}, {}: ", device, member, steps[k].at(0).get<std::string>());
                if (old[k].at(0) == steps[k].at(0) && old[k].at(1) != steps[k].at(1) &&
                    !known(step)) {
                    const auto text = [](const Json& all) {
                        return fmt::format("{}",
                                           fmt::join(all.get<std::vector<std::string>>(), "; "));
                    };
                    changes.push_back(fmt::format("{}{} before, {} now", step, text(old[k].at(1)),
                                                  text(steps[k].at(1))));
                }
            }
        }
    }
}

} // namespace

namespace {

std::string fingerprintOf(const Plan& plan) { return fmt::format("{:016x}", hash64(print(plan))); }

CachedKernels kernelsOf(const Json& steps) {
    CachedKernels kernels;
    for (const Json& step : steps) {
        if (step.size() < 4 || !step[3].is_number_unsigned()) {
            continue; // a reorder
        }
        kernels[PlanNodeId{step[3].get<std::uint32_t>()}].push_back(
            {step[0].get<std::string>(), step[1].get<std::string>(),
             step[2].get<std::vector<std::string>>(),
             step.size() > 4 ? std::make_shared<const CachedKernels>(kernelsOf(step[4]))
                             : nullptr});
    }
    return kernels;
}

} // namespace

RecordedSelection::RecordedSelection(std::string_view text) {
    try {
        const Json all = parseJson(text, "selection.json");
        for (const auto& [device, members] : all.at("devices").items()) {
            for (const auto& [member, steps] : members.items()) {
                kernels_[{device, member}] = kernelsOf(steps);
            }
        }
        plans_ = all.at("plans").get<std::map<std::string, std::string>>();
    } catch (const Error&) {
        plans_.clear();
    } catch (const Json::exception&) {
        plans_.clear();
    }
}

const CachedKernels* RecordedSelection::choicesFor(const std::string& device,
                                                   const std::string& member,
                                                   const Plan& plan) const {
    const auto print = plans_.find(plan.graph->name);
    const auto found = kernels_.find({device, member});
    const bool isThere = print != plans_.end() && found != kernels_.end();
    return isThere && print->second == fingerprintOf(plan) ? &found->second : nullptr;
}

/// Returns by device its model and, by variant, the steps that call libraries with these calls.
/// Leaves out devices without any.
Json callsOf(const WorkerPool& pool) {
    Json devices = Json::object();
    for (std::size_t w = 0; w < pool.size(); ++w) {
        Json members = Json::object();
        for (std::size_t m = 0; m < pool.variantCount(); ++m) {
            const BoundProgram& bound = pool.program(w, m);
            const Program& program = bound.program();
            const std::vector<std::vector<std::string>> calls = bound.libraryCalls();
            Json steps = Json::array();
            for (std::size_t k = 0; k < calls.size(); ++k) {
                if (!calls[k].empty()) {
                    steps.push_back({program.steps[k].name, calls[k]});
                }
            }
            if (!steps.empty()) {
                members[program.member] = std::move(steps);
            }
        }
        if (!members.empty()) {
            devices[pool.device(w).name] = {{"model", pool.device(w).device->sheet().model},
                                            {"members", std::move(members)}};
        }
    }
    return devices;
}

std::string selectionText(const ProgramSet& programSet, const WorkerPool& pool) {
    Json plans = Json::object();
    for (const Variant& member : programSet.members) {
        plans[member.plan->graph->name] = fingerprintOf(*member.plan);
    }
    Json devices = Json::object();
    for (std::size_t w = 0; w < pool.size(); ++w) {
        Json members = Json::object();
        for (std::size_t m = 0; m < pool.variantCount(); ++m) {
            const Program& program = pool.program(w, m).program();
            members[program.member] = stepsOf(program);
        }
        devices[pool.device(w).name] = std::move(members);
    }
    return jsonText({{"weft", 1},
                     {"plans", std::move(plans)},
                     {"devices", std::move(devices)},
                     {"calls", callsOf(pool)}}) +
           "\n";
}

std::vector<std::string> changedSelections(std::string_view before, std::string_view now) {
    std::vector<std::string> changes;
    try {
        const Json old = parseJson(before, "selection.json");
        const Json made = parseJson(now, "selection.json");
        if (old.at("plans") != made.at("plans")) {
            return {};
        }
        for (const auto& [device, members] : made.at("devices").items()) {
            if (!old.at("devices").contains(device)) {
                continue;
            }
            for (const auto& [member, steps] : members.items()) {
                const Json& others = old.at("devices").at(device);
                if (others.contains(member)) {
                    compare(fmt::format("{}, {}", device, member), others.at(member), steps,
                            changes);
                }
            }
        }
        compareCalls(old.value("calls", Json::object()), made.value("calls", Json::object()),
                     changes);
    } catch (const Error&) {
        return {};
    } catch (const Json::exception&) {
        return {};
    }
    return changes;
}

} // namespace weft
