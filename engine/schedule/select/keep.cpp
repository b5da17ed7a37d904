// SPDX-License-Identifier: Apache-2.0
#include "schedule/select/keep.h"

#include "device/backend.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace weft {

namespace {

class Keeping {
public:
    Keeping(LocalPlan& local, const KernelChooser& chooser, int cores)
        : local_(local), graph_(*local.plan->graph), chooser_(chooser), cores_(cores) {}

    void run() {
        findOwners();
        collectVotes();
        for (std::size_t s = 0; s < local_.slots.size(); ++s) {
            if (votes_.contains(s) && !isCut_.contains(s) && isOfOneBackend(s)) {
                keep(s, winner(votes_.at(s)));
            }
        }
    }

private:
    using Votes = std::vector<std::pair<Format, Flops>>; ///< in the order in which they were cast

    [[nodiscard]] const LocalValue& at(int value) const {
        return local_.values[static_cast<std::size_t>(value)];
    }

    /// Maps parameters and their gradients, under any placement, to their slots.
    void findOwners() {
        for (std::size_t s = 0; s < local_.slots.size(); ++s) {
            const Slot& slot = graph_.slots[s];
            if (slot.kind != SlotKind::parameter || local_.slots[s] < 0 || slot.shape.size() < 2) {
                continue;
            }
            owner_[slot.value] = s;
            if (const ValueId gradient = graph_.gradientOf(slot.value); !gradient.isNone()) {
                owner_[gradient] = s;
            }
        }
    }

    /// Returns the slot of the parameter or gradient that the value holds.
    [[nodiscard]] std::optional<std::size_t> ownerOf(int value) const {
        if (value < 0) {
            return std::nullopt;
        }
        const auto found = owner_.find(local_.plan->at(at(value).placed).value);
        return found == owner_.end() ? std::nullopt : std::optional(found->second);
    }

    void collectVotes() {
        for (Task& task : local_.tasks) {
            const bool isCut = task.kind == StepKind::copy ||
                               (task.kind == StepKind::collective && !task.collective.isAllReduce);
            bool asks = false;
            for (const auto* list : {&task.inputs, &task.outputs}) {
                for (const int value : *list) {
                    if (const auto owner = ownerOf(value)) {
                        asks = true;
                        if (isCut || at(value).part.shape != at(local_.slots[*owner]).part.shape) {
                            isCut_.insert(*owner);
                        }
                    }
                }
            }
            // (A repeat without a part on this device asks no single kernel.)
            const bool isRounds = task.repeat && !task.request.repeat;
            if (asks && task.kind == StepKind::compute && !isRounds) {
                ask(task);
            }
        }
    }

    /// True if all devices of the slot have the same backend. Different backends share only the
    /// plain format and sum their gradients.
    [[nodiscard]] bool isOfOneBackend(std::size_t slot) const {
        const Plan& plan = *local_.plan;
        const std::vector<DeviceId>& devices = plan.at(plan.at(plan.slots[slot].home).mesh).devices;
        const auto backend = [&](DeviceId device) { return backendOf(plan.devices[device.value]); };
        return std::ranges::all_of(
            devices, [&](DeviceId device) { return backend(device) == backend(devices.front()); });
    }

    void ask(Task& task) {
        task.request.cores = cores_;
        if (const auto choice = chooser_.choose(task.request)) {
            vote(task, task.inputs, choice->preferredInputFormats);
            vote(task, task.outputs, choice->preferredOutputFormats);
        }
    }

    void vote(const Task& task, const std::vector<int>& values,
              const std::vector<Format>& preferred) {
        for (std::size_t k = 0; k < std::min(values.size(), preferred.size()); ++k) {
            const auto owner = ownerOf(values[k]);
            const Shape& shape = at(values[k]).part.shape;
            if (!owner || preferred[k].isPlain() ||
                elementsIn(preferred[k], shape) != elementsOf(shape)) {
                continue;
            }
            Votes& votes = votes_[*owner];
            auto known = std::ranges::find(votes, preferred[k], &Votes::value_type::first);
            if (known == votes.end()) {
                votes.emplace_back(preferred[k], Flops{});
                known = votes.end() - 1;
            }
            known->second += task.flops;
        }
    }

    static Format winner(const Votes& votes) {
        return std::ranges::max_element(votes, {}, &Votes::value_type::second)->first;
    }

    void keep(std::size_t parameter, const Format& format) {
        const Shape& shape = at(local_.slots[parameter]).part.shape;
        for (std::size_t s = 0; s < local_.slots.size(); ++s) {
            const bool isFamily =
                s == parameter ||
                graph_.slots[s].of == SlotId{static_cast<std::uint32_t>(parameter)};
            if (isFamily && local_.slots[s] >= 0 && at(local_.slots[s]).part.shape == shape) {
                local_.values[static_cast<std::size_t>(local_.slots[s])].part.format = format;
            }
        }
    }

    LocalPlan& local_;
    const Graph& graph_;
    const KernelChooser& chooser_;
    int cores_;
    std::map<ValueId, std::size_t> owner_;
    std::map<std::size_t, Votes> votes_;
    std::set<std::size_t> isCut_;
};

/// Returns slots by their values before and after the step, and by their gradients.
std::map<ValueId, std::size_t> slotsByValue(const Graph& graph) {
    std::map<ValueId, std::size_t> slots;
    for (std::size_t s = 0; s < graph.slots.size(); ++s) {
        slots[graph.slots[s].value] = s;
        if (!graph.slots[s].next.isNone()) {
            slots[graph.slots[s].next] = s;
        }
        if (const ValueId gradient = graph.gradientOf(graph.slots[s].value); !gradient.isNone()) {
            slots[gradient] = s;
        }
    }
    return slots;
}

} // namespace

void chooseStoredFormats(LocalPlan& local, const KernelChooser& chooser, int cores,
                         const std::vector<SlotBuffer>* settled) {
    if (settled == nullptr) {
        Keeping(local, chooser, cores).run();
    } else {
        for (std::size_t s = 0; s < std::min(local.slots.size(), settled->size()); ++s) {
            if (local.slots[s] >= 0 && (*settled)[s].isHeld) {
                local.values[static_cast<std::size_t>(local.slots[s])].part.format =
                    (*settled)[s].part.format;
            }
        }
    }
    local.storedFormats.assign(local.values.size(), {});
    const auto slots = slotsByValue(*local.plan->graph);
    for (std::size_t v = 0; v < local.values.size(); ++v) {
        const auto slot = slots.find(local.plan->at(local.values[v].placed).value);
        const int home = slot == slots.end() ? -1 : local.slots[slot->second];
        if (home >= 0) {
            const TensorPart& part = local.values[static_cast<std::size_t>(home)].part;
            local.storedFormats[v] =
                part.shape == local.values[v].part.shape ? part.format : Format{};
        }
    }
}

Format storedFormat(const LocalPlan& local, int value) {
    const auto v = static_cast<std::size_t>(value);
    return v < local.storedFormats.size() ? local.storedFormats[v] : Format{};
}

} // namespace weft
