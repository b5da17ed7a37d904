// SPDX-License-Identifier: Apache-2.0
#include "run/selection.h"

#include "base/hash.h"
#include "base/json.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace weft {

namespace {

Json stepsOf(const Program& program) {
    Json steps = Json::array();
    for (const Step& step : program.steps) {
        if (step.kind == StepKind::collective) {
            continue;
        }
        Json formats = Json::array();
        for (const MadeValue& made : step.made) {
            formats.push_back(made.part.format.tag);
        }
        steps.push_back({step.name, step.implementation, std::move(formats)});
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
    for (std::size_t k = 0; k < count; ++k) {
        if (before[k] != now[k]) {
            changes.push_back(fmt::format("{}, {}: {} before, {} now", where,
                                          now[k].at(0).get<std::string>(), textOf(before[k]),
                                          textOf(now[k])));
        }
    }
    if (before.size() != now.size()) {
        changes.push_back(
            fmt::format("{}: {} steps before, {} now", where, before.size(), now.size()));
    }
}

} // namespace

std::string selectionText(const Family& family, const WorkerPool& pool) {
    Json plans = Json::object();
    for (const FamilyMember& member : family.members) {
        plans[member.plan->graph->name] = fmt::format("{:016x}", hash64(print(*member.plan)));
    }
    Json devices = Json::object();
    for (std::size_t w = 0; w < pool.size(); ++w) {
        Json members = Json::object();
        for (std::size_t m = 0; m < pool.members(); ++m) {
            const Program& program = pool.program(w, m).program();
            members[program.member] = stepsOf(program);
        }
        devices[pool.device(w).name] = std::move(members);
    }
    return jsonText({{"weft", 1}, {"plans", std::move(plans)}, {"devices", std::move(devices)}}) +
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
                    compare(device + ", " + member, others.at(member), steps, changes);
                }
            }
        }
    } catch (const Error&) {
        return {};
    } catch (const Json::exception&) {
        return {};
    }
    return changes;
}

} // namespace weft
