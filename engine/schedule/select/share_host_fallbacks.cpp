// SPDX-License-Identifier: Apache-2.0
#include "schedule/select/share_host_fallbacks.h"

#include "device/staged.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace weft {

namespace {

using In = RoundPlace::In;
/// Indices of tasks, in an order in which they can run.
using FallbackMembers = std::vector<std::size_t>;

/// Alignment of host-only buffers, in bytes.
constexpr std::int64_t hostAlignment = 64;
/// Largest number of members in a name.
constexpr std::size_t mostNamed = 3;

std::int64_t onHostAligned(std::int64_t size) {
    return (size + hostAlignment - 1) / hostAlignment * hostAlignment;
}

std::pair<std::string, std::string> layerAndOp(const std::string& name) {
    const std::size_t colon = name.find(": ");
    return colon == std::string::npos
               ? std::pair(std::string(), name)
               : std::pair(name.substr(0, colon + 2), name.substr(colon + 2));
}

/// "gate: sigmoid + multiply on the host", "one: softsign + other: softsign + 5 more on the host"
std::string nameOfHostFallback(const std::vector<BodyStep>& steps) {
    const std::string layer = layerAndOp(steps.front().name).first;
    const bool isOneLayer = std::ranges::all_of(
        steps, [&](const BodyStep& step) { return layerAndOp(step.name).first == layer; });
    std::string name = isOneLayer ? layer : "";
    const std::size_t named = steps.size() > mostNamed ? mostNamed - 1 : steps.size();
    for (std::size_t k = 0; k < named; ++k) {
        name +=
            (k == 0 ? "" : " + ") + (isOneLayer ? layerAndOp(steps[k].name).second : steps[k].name);
    }
    name += named < steps.size() ? fmt::format(" + {} more", steps.size() - named) : "";
    return name + " on the host";
}

/// Combines members to one task: a body that runs once, on the host.
class HostFallback {
public:
    /// `isReadElsewhere` returns whether ops outside read the value with this storage index.
    HostFallback(const LocalPlan& local, const std::function<bool(int)>& isReadElsewhere)
        : local_(local), isReadElsewhere_(isReadElsewhere), rounds_(std::make_shared<StepBody>()) {
        rounds_->isHostFallback = true;
    }

    Task of(const FallbackMembers& members) {
        const auto computes = std::ranges::find_if(
            members, [this](std::size_t m) { return local_.tasks[m].kind == StepKind::compute; });
        const Task& main = local_.tasks[computes == members.end() ? members.front() : *computes];
        made_.kind = main.kind;
        made_.node = main.node;
        made_.origin = main.origin;
        for (const std::size_t m : members) {
            add(local_.tasks[m]);
        }
        for (RoundKernel& kernel : rounds_->kernels.kernels) {
            kernel.scratch = scratch_; // only one kernel runs at a time
        }
        offerPlaces();
        made_.name = nameOfHostFallback(rounds_->steps);
        made_.choice = choice();
        made_.rounds = std::move(rounds_);
        return std::move(made_);
    }

private:
    void add(const Task& member) {
        RoundKernel kernel{.choices = {member.choice->onHost}, .inputs = {}, .outputs = {}};
        BodyStep step{.node = member.node, .name = member.name, .op = member.request.op};
        /// Per operand: inputs of the step whose buffer it may share.
        std::vector<std::set<std::size_t>> origins;
        for (std::size_t k = 0; k < member.inputs.size(); ++k) {
            const int storage = local_.storageOf(member.inputs[k]);
            kernel.inputs.push_back(placeOf(storage, member.inputs[k], member.request.inputs[k]));
            origins.push_back(mayLie_[storage]);
        }
        for (std::size_t k = 0; k < member.outputs.size(); ++k) {
            const TensorPart& part = member.request.outputs[k];
            kernel.outputs.push_back(newPlace(member.outputs[k], part));
            step.formats.push_back(part.format.tag);
            step.elements = std::max(step.elements, part.elements());
        }
        for (const auto& [in, out] : member.inPlace) {
            mayLie_[member.outputs[out]].insert(origins[in].begin(), origins[in].end());
        }
        step.implementation = member.choice->implementation;
        step.flops = member.flops;
        step.traffic = member.traffic;
        made_.flops += member.flops;
        made_.traffic += member.traffic;
        made_.draws = made_.draws || member.draws;
        made_.request.op += (made_.request.op.empty() ? "" : "+") + member.request.op;
        most_ = std::max(most_, member.choice->onHost->scratch.count);
        rounds_->kernels.kernels.push_back(std::move(kernel));
        rounds_->steps.push_back(std::move(step));
    }

    RoundPlace placeOf(int storage, int value, const TensorPart& part) {
        const auto known = places_.find(storage);
        if (known != places_.end()) {
            return known->second;
        }
        const RoundPlace place{.in = In::operand, .index = made_.inputs.size()};
        mayLie_[storage].insert(place.index);
        made_.inputs.push_back(value);
        made_.request.inputs.push_back(part);
        return places_[storage] = place;
    }

    RoundPlace newPlace(int value, const TensorPart& part) {
        if (isReadElsewhere_(value)) {
            const RoundPlace place{.in = In::result, .index = made_.outputs.size()};
            made_.outputs.push_back(value);
            made_.request.outputs.push_back(part);
            return places_[value] = place;
        }
        const RoundPlace place{.in = In::scratch, .offset = scratch_};
        scratch_ += onHostAligned(local_.values[static_cast<std::size_t>(value)].bytes.count);
        return places_[value] = place;
    }

    /// All operands are copied out before any result comes back, so that a result may use an
    /// operand's buffer if the members on the way worked in place. A slot's next value must use the
    /// slot's buffer.
    void offerPlaces() {
        const auto isSlot = [this](std::size_t in) {
            const int storage = local_.storageOf(made_.inputs[in]);
            return !local_.values[static_cast<std::size_t>(storage)].slot.isNone();
        };
        for (std::size_t out = 0; out < made_.outputs.size(); ++out) {
            const std::set<std::size_t>& places = mayLie_[made_.outputs[out]];
            const bool isOfSlot = std::ranges::any_of(places, isSlot);
            for (const std::size_t in : places) {
                if (!isOfSlot || isSlot(in)) {
                    made_.inPlace.push_back({in, out});
                }
            }
        }
    }

    [[nodiscard]] std::shared_ptr<const KernelChoice> choice() const {
        KernelChoice host;
        std::set<std::string> implementations;
        for (const RoundKernel& kernel : rounds_->kernels.kernels) {
            implementations.insert(kernel.choices.front()->implementation);
        }
        host.implementation = fmt::format("{}", fmt::join(implementations, " and "));
        host.scratch = {scratch_ + most_};
        for (const TensorPart& part : made_.request.inputs) {
            host.inputFormats.push_back(part.format);
        }
        for (const TensorPart& part : made_.request.outputs) {
            host.outputFormats.push_back(part.format);
        }
        const std::shared_ptr<const RoundKernels> kernels(rounds_, &rounds_->kernels);
        host.make = [kernels] { return makeRounds(kernels); };
        return std::make_shared<const KernelChoice>(staged(std::move(host), made_.request));
    }

    const LocalPlan& local_;
    const std::function<bool(int)>& isReadElsewhere_;
    Task made_;
    std::shared_ptr<StepBody> rounds_;
    std::map<int, RoundPlace> places_;            ///< by storage: where it lies in the body
    std::map<int, std::set<std::size_t>> mayLie_; ///< by storage: operands whose buffers it may use
    std::int64_t scratch_ = 0;
    std::int64_t most_ = 0; ///< scratch memory of one member
};

class HostFallbackSharing {
public:
    HostFallbackSharing(LocalPlan& local, const HostFallbacksRequest& request) : local_(local) {
        const std::size_t end = std::min(request.end, local.tasks.size());
        goes_.assign(local.tasks.size(), false);
        for (std::size_t t = request.begin; t < end; ++t) {
            goes_[t] = goesToHost(task(t)) && !(request.isInRepeatBody && task(t).draws);
        }
    }

    void run() {
        if (std::ranges::count(goes_, true) < 2) {
            return;
        }
        findUsers();
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            order_.push_back({t});
            at_.push_back(t);
        }
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            while (goes_[t] && joinsOneBefore(t)) {
            }
        }
        if (order_.size() < local_.tasks.size()) {
            rebuild();
        }
    }

private:
    [[nodiscard]] const Task& task(std::size_t t) const { return local_.tasks[t]; }
    [[nodiscard]] const LocalValue& at(int value) const {
        return local_.values[static_cast<std::size_t>(value)];
    }

    [[nodiscard]] bool goesToHost(const Task& one) const {
        const auto isWhole = [this](int value) {
            return value >= 0 && at(value).aliasOffset == 0 &&
                   at(value).bytes == at(local_.storageOf(value)).bytes;
        };
        return one.kind != StepKind::collective && !one.repeat && one.choice != nullptr &&
               one.choice->onHost != nullptr && one.choice->staged.count > 0 &&
               std::ranges::all_of(one.inputs, isWhole) &&
               std::ranges::all_of(one.outputs, isWhole);
    }

    void findUsers() {
        before_ = dependencies(local_);
        makers_.assign(local_.values.size(), {});
        readers_.assign(local_.values.size(), {});
        const auto note = [this](const std::vector<int>& values, std::size_t t,
                                 std::vector<FallbackMembers>& users) {
            for (const int value : values) {
                if (value >= 0) {
                    users[static_cast<std::size_t>(local_.storageOf(value))].push_back(t);
                }
            }
        };
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            note(task(t).inputs, t, readers_);
            note(task(t).outputs, t, makers_);
        }
        for (const auto* list : {&local_.results, &local_.slotNext}) {
            for (const int value : *list) {
                value >= 0 ? (void)kept_.insert(local_.storageOf(value)) : void();
            }
        }
    }

    /// Returns the earlier places of host fallbacks that write or read an input of this place, and
    /// the place just before it if that is a host fallback.
    [[nodiscard]] std::set<std::size_t> neighboursBefore(std::size_t place) const {
        std::set<std::size_t> found;
        const auto take = [&](const FallbackMembers& users) {
            for (const std::size_t user : users) {
                if (goes_[user] && at_[user] < place) {
                    found.insert(at_[user]);
                }
            }
        };
        for (const std::size_t m : order_[place]) {
            for (const int input : task(m).inputs) {
                const auto storage = static_cast<std::size_t>(local_.storageOf(input));
                take(makers_[storage]);
                take(readers_[storage]);
            }
        }
        if (place > 0 && goes_[order_[place - 1].front()]) {
            found.insert(place - 1);
        }
        return found;
    }

    bool joinsOneBefore(std::size_t t) {
        const std::set<std::size_t> neighbours = neighboursBefore(at_[t]);
        return std::any_of(neighbours.rbegin(), neighbours.rend(), [&](std::size_t earlier) {
            return joinsEarly(earlier, at_[t]) || joinsLate(earlier, at_[t]);
        });
    }

    [[nodiscard]] bool isReorder(std::size_t place) const {
        const Task& one = task(order_[place].front());
        return one.kind == StepKind::copy && one.node.isNone() && !goes_[order_[place].front()];
    }

    /// Collects the reorders that must move before `earlier` so that the later one can join there.
    /// False if something other than reorders would have to move.
    bool findNeeded(std::size_t earlier, std::size_t place, bool isFirst,
                    std::set<std::size_t>& needed) const {
        for (const std::size_t m : order_[place]) {
            for (const int b : before_[m]) {
                const std::size_t other = at_[static_cast<std::size_t>(b)];
                const bool isThere = other < earlier || (isFirst && other == earlier);
                if (isThere || other == place || needed.contains(other)) {
                    continue;
                }
                if (other == earlier || !isReorder(other) ||
                    !findNeeded(earlier, other, false, needed)) {
                    return false;
                }
                needed.insert(other);
            }
        }
        return true;
    }

    bool joinsEarly(std::size_t earlier, std::size_t later) {
        std::set<std::size_t> needed;
        if (!findNeeded(earlier, later, true, needed)) {
            return false;
        }
        std::vector<std::size_t> places(needed.begin(), needed.end());
        places.push_back(earlier);
        join(earlier, later, earlier);
        for (std::size_t place = earlier + 1; place < order_.size(); ++place) {
            if (place != later && !needed.contains(place)) {
                places.push_back(place);
            }
        }
        std::vector<FallbackMembers> order(order_.begin(),
                                           order_.begin() + static_cast<std::ptrdiff_t>(earlier));
        for (const std::size_t place : places) {
            order.push_back(std::move(order_[place]));
        }
        setOrder(std::move(order));
        return true;
    }

    /// Joins at the later place, if no task in between depends on the earlier one.
    bool joinsLate(std::size_t earlier, std::size_t later) {
        for (std::size_t place = earlier + 1; place < later; ++place) {
            for (const std::size_t m : order_[place]) {
                if (std::ranges::any_of(before_[m], [&](int b) {
                        return at_[static_cast<std::size_t>(b)] == earlier;
                    })) {
                    return false;
                }
            }
        }
        join(earlier, later, later);
        std::vector<FallbackMembers> order = std::move(order_);
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(earlier));
        setOrder(std::move(order));
        return true;
    }

    void join(std::size_t earlier, std::size_t later, std::size_t standing) {
        FallbackMembers members = order_[earlier];
        members.insert(members.end(), order_[later].begin(), order_[later].end());
        order_[standing] = std::move(members);
    }

    void setOrder(std::vector<FallbackMembers> order) {
        order_ = std::move(order);
        for (std::size_t place = 0; place < order_.size(); ++place) {
            for (const std::size_t m : order_[place]) {
                at_[m] = place;
            }
        }
    }

    [[nodiscard]] bool isReadElsewhere(int value, std::size_t place) const {
        return at(value).isPinned || !at(value).slot.isNone() || kept_.contains(value) ||
               std::ranges::any_of(readers_[static_cast<std::size_t>(value)],
                                   [&](std::size_t reader) { return at_[reader] != place; });
    }

    void rebuild() {
        std::vector<Task> tasks;
        tasks.reserve(order_.size());
        for (std::size_t place = 0; place < order_.size(); ++place) {
            const FallbackMembers& members = order_[place];
            if (members.size() > 1) {
                const std::function<bool(int)> isRead = [&](int value) {
                    return isReadElsewhere(value, place);
                };
                tasks.push_back(HostFallback(local_, isRead).of(members));
            }
        }
        auto fallback = tasks.begin();
        std::vector<Task> all;
        all.reserve(order_.size());
        for (const FallbackMembers& members : order_) {
            all.push_back(
                std::move(members.size() > 1 ? *fallback++ : local_.tasks[members.front()]));
        }
        local_.tasks = std::move(all);
    }

    LocalPlan& local_;
    std::vector<bool> goes_;               ///< per task: computed on the host, and may share a step
    std::vector<std::vector<int>> before_; ///< per task
    std::vector<FallbackMembers> makers_;  ///< per storage
    std::vector<FallbackMembers> readers_;
    std::set<int> kept_;                 ///< storages of results and next slots
    std::vector<FallbackMembers> order_; ///< members of each step, in a valid order
    std::vector<std::size_t> at_;        ///< per task: its index in order_
};

} // namespace

void shareHostFallbacks(LocalPlan& local, const HostFallbacksRequest& request) {
    HostFallbackSharing(local, request).run();
}

} // namespace weft
