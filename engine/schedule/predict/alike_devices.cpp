// SPDX-License-Identifier: Apache-2.0
// Partition refinement: every device gets a colour from what it holds and sends, then repeatedly a
// new colour from its own and those of its peers, until the number of colours no longer grows.
// Equal placements are examined once.
#include "schedule/predict/alike_devices.h"

#include "base/hash.h"
#include "device/backend.h"
#include "place/unroll.h"
#include "schedule/predict/most_sent.h"
#include "schedule/task.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace weft {

namespace {

using Colour = std::uint64_t;

Colour mixed(Colour colour, std::span<const std::int64_t> numbers) {
    return hash64(std::as_bytes(numbers), colour);
}
Colour mixed(Colour colour, std::int64_t number) { return mixed(colour, std::span(&number, 1)); }

class Colouring {
public:
    Colouring(const std::vector<DeviceSheet>& sheets, const Links& links) : links_(links) {
        for (const DeviceSheet& sheet : sheets) {
            DeviceSheet nameless = sheet;
            nameless.name = backendOf(sheet.name);
            const auto known = std::ranges::find(sheets_, nameless);
            colours_.push_back(static_cast<Colour>(known - sheets_.begin()));
            if (known == sheets_.end()) {
                sheets_.push_back(std::move(nameless));
            }
        }
    }

    void add(const Plan& plan) {
        seen_.clear(); // a body has its own numbers
        for (const Placed& placed : plan.values) {
            addLying(plan, placed);
        }
        for (const PlanNode& node : plan.nodes) {
            if (node.node.isNone()) {
                addChange(plan, node);
            }
        }
        for (const PlanNode& node : plan.nodes) {
            if (node.body) {
                add(*node.body);
            }
        }
    }

    AlikeDevices run() {
        for (std::size_t before = 0; before != count();) {
            before = count();
            meet();
        }
        AlikeDevices alike;
        std::unordered_map<Colour, DeviceId> first;
        for (std::uint32_t d = 0; d < colours_.size(); ++d) {
            alike.representedBy.push_back(first.try_emplace(colours_[d], d).first->second);
        }
        return alike;
    }

private:
    [[nodiscard]] std::size_t count() const {
        return std::set<Colour>(colours_.begin(), colours_.end()).size();
    }

    /// Skips values of a type and sharding that was seen before. Values without known numbers are
    /// never skipped.
    bool wasSeen(const std::vector<std::uint32_t>& numbers) {
        return areKnown(numbers) && !seen_.insert(numbers).second;
    }

    void addLying(const Plan& plan, const Placed& placed) {
        if (wasSeen({placed.type.value, placed.sharding.value})) {
            return;
        }
        const Mesh& mesh = plan.at(placed.mesh);
        const Shape& shape = plan.graph->at(placed.value).shape;
        std::vector<bool> isMember(colours_.size(), false);
        for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
            const std::size_t device = mesh.devices[member].value;
            isMember[device] = true;
            colours_[device] =
                mixed(colours_[device], boxOf(shape, mesh, placed.placements, member).shape());
        }
        for (std::size_t d = 0; d < isMember.size(); ++d) {
            colours_[d] = isMember[d] ? colours_[d] : mixed(colours_[d], -1);
        }
    }

    void addChange(const Plan& plan, const PlanNode& node) {
        if (wasSeen(numbersOf(plan, node))) {
            return;
        }
        if (isLocal(node.collective)) {
            addLocalChange(plan, node);
            return;
        }
        for (std::vector<DeviceId>& members : collectiveGroupsOf(plan, node)) {
            const std::int64_t sent = sent_.bytesOf(plan, node, members).count;
            const std::int64_t link = linkOf(members);
            meetings_.push_back({std::move(members), link, sent});
        }
    }

    /// Keeping or cutting a part depends on where it begins; keeping or zero-filling depends on
    /// whether the device is first along an axis.
    void addLocalChange(const Plan& plan, const PlanNode& node) {
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            for (std::uint32_t d = 0; d < colours_.size(); ++d) {
                const Box from = plan.boxOf(node.inputs[k], {d});
                const Box to = plan.boxOf(node.outputs[k], {d});
                colours_[d] = mixed(colours_[d], from == to ? 1 : 0);
            }
            const MeshId meshId = plan.at(node.outputs[k]).mesh;
            const Mesh& mesh = plan.at(meshId);
            for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
                for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
                    Colour& colour = colours_[mesh.devices[member].value];
                    colour = node.collective == CollectiveKind::keepFirst
                                 ? mixed(colour, mesh.coordinate(member, axis) == 0 ? 1 : 0)
                                 : colour;
                }
            }
        }
    }

    /// Returns a number for each distinct link of a group.
    std::int64_t linkOf(const std::vector<DeviceId>& members) {
        LinkSheet link = links_.linkAmong(members, true);
        const auto known = std::ranges::find(met_, link);
        const std::int64_t number = known - met_.begin();
        if (known == met_.end()) {
            met_.push_back(std::move(link));
        }
        return number;
    }

    void meet() {
        for (const Meeting& meeting : meetings_) {
            std::set<Colour> met;
            for (const DeviceId member : meeting.members) {
                met.insert(colours_[member.value]);
            }
            std::vector<std::int64_t> said(met.begin(), met.end());
            said.insert(said.end(), {meeting.link, meeting.sent});
            for (const DeviceId member : meeting.members) {
                next_[member] =
                    mixed(next_.try_emplace(member, colours_[member.value]).first->second, said);
            }
        }
        for (const auto& [device, colour] : next_) {
            colours_[device.value] = colour;
        }
        next_.clear();
    }

    struct Meeting {
        std::vector<DeviceId> members;
        std::int64_t link = 0;
        std::int64_t sent = 0;
    };

    const Links& links_;
    std::vector<DeviceSheet> sheets_; ///< without their names
    std::vector<Colour> colours_;     ///< indexed by DeviceId
    std::set<std::vector<std::uint32_t>> seen_;
    MostSentBytes sent_;
    std::vector<Meeting> meetings_;
    std::vector<LinkSheet> met_; ///< distinct links
    std::map<DeviceId, Colour> next_;
};

} // namespace

std::vector<DeviceId> AlikeDevices::representatives() const {
    std::vector<DeviceId> all;
    for (std::uint32_t d = 0; d < representedBy.size(); ++d) {
        if (representedBy[d] == DeviceId{d}) {
            all.push_back({d});
        }
    }
    return all;
}

AlikeDevices alikeDevices(std::span<const std::shared_ptr<const Plan>> plans,
                          const std::vector<DeviceSheet>& sheets, const Links& links) {
    Colouring colouring(sheets, links);
    for (const auto& plan : plans) {
        colouring.add(*unrolled(plan));
    }
    return colouring.run();
}

AlikeDevices allDistinct(std::size_t devices) {
    AlikeDevices alike;
    for (std::uint32_t d = 0; d < devices; ++d) {
        alike.representedBy.push_back({d});
    }
    return alike;
}

} // namespace weft
