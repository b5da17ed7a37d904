// SPDX-License-Identifier: Apache-2.0
#include "schedule/meeting_room.h"

#include "base/mending.h"
#include "schedule/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace weft {

namespace {

std::string backendOf(const RoomRule& rule, const std::string& device) {
    return rule.backend.empty() ? weft::backendOf(device) : rule.backend;
}

/// Those for any member.
std::vector<const RoomRule::Offer*> offersFor(const RoomRule& rule, const Plan& plan,
                                              std::span<const DeviceId> members) {
    std::vector<const RoomRule::Offer*> offers;
    for (const RoomRule::Offer& offer : rule.offers) {
        if (std::ranges::any_of(members, [&](DeviceId member) {
                return backendOf(rule, plan.devices[member.value]) == offer.backend;
            })) {
            offers.push_back(&offer);
        }
    }
    return offers;
}

/// Why these cannot be there together; empty: they can.
std::string whyNotTogether(const RoomRule& rule, const RoomRule::Offer& offer,
                           std::span<const DevicePlace> places, const Plan& plan,
                           std::span<const DeviceId> members) {
    std::map<std::pair<int, std::string>, std::string> chips;
    for (const DeviceId member : members) {
        const std::string& device = plan.devices[member.value];
        if (backendOf(rule, device) != offer.backend) {
            return fmt::format("{} is none of {}", device, offer.backend);
        }
        const int host = member.value < places.size() ? places[member.value].host : 0;
        const auto [other, isNew] = chips.try_emplace({host, chipOf(device)}, device);
        if (!isNew && !offer.isOfOneChip) {
            return fmt::format("{} and {} are one chip", other->second, device);
        }
        if (chips.size() > 1 && offer.isOfOneChip) {
            return fmt::format("{} and {} are two chips", plan.devices[members.front().value],
                               device);
        }
    }
    return {};
}

/// Why what they exchange is none for such a room; empty: it is.
std::string whyNotMoved(const RoomRule::Offer& offer, const Plan& plan,
                        const CollectiveRequest& request) {
    if (request.isAllReduce && !offer.isOfOneChip) {
        return {};
    }
    for (const PlacedId input : plan.at(PlanNodeId{request.number}).inputs) {
        const DType dtype = plan.valueOf(input).dtype;
        for (const Placement& placement : plan.at(input).placements) {
            if (placement.kind == Placement::Kind::partialMax) {
                return "the largest of several parts is found by hosts";
            }
            if (placement.isPartial() && dtype != DType::f32) {
                return fmt::format("parts of {} are summed by hosts", nameOf(dtype));
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

RoomRule roomRule(const RoomList& rooms, std::span<const std::string> devices, std::string wanted,
                  std::string backend) {
    RoomRule rule{.wanted = std::move(wanted), .backend = std::move(backend)};
    for (const DeviceRoom& room : rooms.all()) {
        const bool isOfThese = std::ranges::any_of(devices, [&](const std::string& device) {
            return backendOf(rule, device) == room.backend;
        });
        if (isOfThese && devices.size() > 1) {
            rule.offers.push_back({room.name, room.backend, room.isOfOneChip, room.lacks()});
        }
    }
    return rule;
}

MeetingRoom meetingRoom(const RoomRule& rule, std::span<const DevicePlace> places, const Plan& plan,
                        const CollectiveRequest& request) {
    const std::vector<const RoomRule::Offer*> offers = offersFor(rule, plan, request.members);
    if (offers.empty()) {
        return {};
    }
    if (rule.wanted == "host") {
        return {.why = "training.room is host"};
    }
    MeetingRoom apart;
    for (const RoomRule::Offer* offer : offers) {
        std::string why = whyNotTogether(rule, *offer, places, plan, request.members);
        if (!why.empty()) {
            apart.why = apart.why.empty() ? std::move(why) : apart.why;
            continue;
        }
        why = offer->lacks.empty() ? whyNotMoved(*offer, plan, request) : offer->lacks;
        return why.empty() ? MeetingRoom{.name = offer->name} : MeetingRoom{.why = std::move(why)};
    }
    return apart;
}

MeetingRoom meetingRoom(const RoomRule& rule, std::span<const DevicePlace> places, const Plan& plan,
                        PlanNodeId node) {
    MeetingRoom all;
    if (rule.offers.empty()) {
        return all;
    }
    for (const std::vector<DeviceId>& members : meetingsOf(plan, plan.at(node))) {
        all = meetingRoom(rule, places, plan, collectiveOf(plan, node, members.front(), false));
        if (all.name.empty()) {
            return all;
        }
    }
    return all;
}

std::vector<Diagnostic> checkRooms(const RoomRule& rule, std::span<const DevicePlace> places,
                                   const Plan& plan) {
    std::vector<Diagnostic> problems;
    if (rule.wanted != "devices") {
        return problems;
    }
    forEachCollective(plan, [&](const Plan& in, PlanNodeId id) {
        const MeetingRoom room = meetingRoom(rule, places, in, id);
        if (room.name.empty() && problems.empty()) {
            problems.push_back(
                {.code = "E076",
                 .layerName = "training",
                 .attribute = "room",
                 .text = fmt::format("{} has to go through the hosts: {}", in.at(id).name,
                                     room.why.empty() ? "this build has no room for such devices"
                                                      : room.why),
                 .fix = fixBy("set training.room chosen", "training", {"room", "chosen"})});
        }
    });
    return problems;
}

} // namespace weft
