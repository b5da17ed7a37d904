// SPDX-License-Identifier: Apache-2.0
#include "schedule/select/choose_communicator.h"

#include "base/text/mending.h"
#include "schedule/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace weft {

namespace {

std::string backendOf(const CommunicatorRule& rule, const std::string& device) {
    return rule.backend.empty() ? weft::backendOf(device) : rule.backend;
}

/// Returns the offers for any of the members' backends.
std::vector<const CommunicatorRule::Offer*>
offersFor(const CommunicatorRule& rule, const Plan& plan, std::span<const DeviceId> members) {
    std::vector<const CommunicatorRule::Offer*> offers;
    for (const CommunicatorRule::Offer& offer : rule.offers) {
        if (std::ranges::any_of(members, [&](DeviceId member) {
                return backendOf(rule, plan.devices[member.value]) == offer.backend;
            })) {
            offers.push_back(&offer);
        }
    }
    return offers;
}

/// Returns why these devices cannot share the communicator, or an empty string.
std::string whyNotTogether(const CommunicatorRule& rule, const CommunicatorRule::Offer& offer,
                           std::span<const DevicePlace> places, const Plan& plan,
                           std::span<const DeviceId> members) {
    std::map<std::pair<int, std::string>, std::string> chips;
    for (const DeviceId member : members) {
        const std::string& device = plan.devices[member.value];
        if (backendOf(rule, device) != offer.backend) {
            return fmt::format("{} is not a device of {}", device, offer.backend);
        }
        const int host = member.value < places.size() ? places[member.value].host : 0;
        const auto [other, isNew] = chips.try_emplace({host, chipOf(device)}, device);
        if (!isNew && !offer.isWithinOneChip) {
            return fmt::format("{} and {} are on one GPU", other->second, device);
        }
        if (chips.size() > 1 && offer.isWithinOneChip) {
            return fmt::format("{} and {} are on different GPUs",
                               plan.devices[members.front().value], device);
        }
    }
    return {};
}

/// Returns why the communicator cannot carry out the request, or an empty string.
std::string whyNotMoved(const CommunicatorRule::Offer& offer, const Plan& plan,
                        const CollectiveRequest& request) {
    if (request.isAllReduce && !offer.isWithinOneChip) {
        return {};
    }
    for (const PlacedId input : plan.at(PlanNodeId{request.number}).inputs) {
        const DType dtype = plan.valueOf(input).dtype;
        for (const Placement& placement : plan.at(input).placements) {
            if (placement.kind == Placement::Kind::partialMax) {
                return "a maximum over devices is reduced on the host";
            }
            if (placement.isPartial() && dtype != DType::f32) {
                return fmt::format("sums of {} are reduced on the host", nameOf(dtype));
            }
        }
    }
    return {};
}

/// Visits all collectives, also those within iterations.
template <class Visit>
void forEachCollective(const Plan& plan, const Visit& visit) {
    for (std::uint32_t n = 0; n < plan.nodes.size(); ++n) {
        const PlanNode& node = plan.nodes[n];
        if (node.body) {
            forEachCollective(*node.body, visit);
        } else if (node.node.isNone() && !isLocal(node.collective)) {
            visit(plan, PlanNodeId{n});
        }
    }
}

} // namespace

CommunicatorRule communicatorRule(const CommunicatorList& communicators,
                                  std::span<const std::string> devices, std::string wanted,
                                  std::string backend) {
    CommunicatorRule rule{.wanted = std::move(wanted), .backend = std::move(backend)};
    for (const DeviceCommunicator& communicator : communicators.all()) {
        const bool isOfThese = std::ranges::any_of(devices, [&](const std::string& device) {
            return backendOf(rule, device) == communicator.backend;
        });
        if (isOfThese && devices.size() > 1) {
            rule.offers.push_back({communicator.name, communicator.backend,
                                   communicator.isWithinOneChip, communicator.lacks()});
        }
    }
    return rule;
}

ChosenCommunicator chooseCommunicator(const CommunicatorRule& rule,
                                      std::span<const DevicePlace> places, const Plan& plan,
                                      const CollectiveRequest& request) {
    const std::vector<const CommunicatorRule::Offer*> offers =
        offersFor(rule, plan, request.members);
    if (offers.empty()) {
        return {};
    }
    if (rule.wanted == "host") {
        return {.why = "training.communicator is host"};
    }
    ChosenCommunicator apart;
    for (const CommunicatorRule::Offer* offer : offers) {
        std::string why = whyNotTogether(rule, *offer, places, plan, request.members);
        if (!why.empty()) {
            apart.why = apart.why.empty() ? std::move(why) : apart.why;
            continue;
        }
        why = offer->lacks.empty() ? whyNotMoved(*offer, plan, request) : offer->lacks;
        return why.empty() ? ChosenCommunicator{.name = offer->name}
                           : ChosenCommunicator{.why = std::move(why)};
    }
    return apart;
}

ChosenCommunicator chooseCommunicator(const CommunicatorRule& rule,
                                      std::span<const DevicePlace> places, const Plan& plan,
                                      PlanNodeId node) {
    ChosenCommunicator all;
    if (rule.offers.empty()) {
        return all;
    }
    for (const std::vector<DeviceId>& members : collectiveGroupsOf(plan, plan.at(node))) {
        all = chooseCommunicator(rule, places, plan,
                                 collectiveOf(plan, node, members.front(), false));
        if (all.name.empty()) {
            return all;
        }
    }
    return all;
}

std::vector<Diagnostic> checkCommunicators(const CommunicatorRule& rule,
                                           std::span<const DevicePlace> places, const Plan& plan) {
    std::vector<Diagnostic> problems;
    if (rule.wanted != "devices") {
        return problems;
    }
    forEachCollective(plan, [&](const Plan& in, PlanNodeId id) {
        const ChosenCommunicator communicator = chooseCommunicator(rule, places, in, id);
        if (communicator.name.empty() && problems.empty()) {
            problems.push_back(
                {.code = "E076",
                 .layerName = "training",
                 .attribute = "communicator",
                 .text = fmt::format(
                     "{} must be communicated through host memory: {}", in.at(id).name,
                     communicator.why.empty() ? "this build has no communicator for such devices"
                                              : communicator.why),
                 .fix = fixBy("set training.communicator to chosen", "training",
                              {"communicator", "chosen"})});
        }
    });
    return problems;
}

} // namespace weft
