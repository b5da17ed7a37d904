// SPDX-License-Identifier: Apache-2.0
// Chooses kernels and formats. For each task, kernel makers are asked, fastest first. Reorder tasks
// ("as bf16" and "as f32" if they also round or widen) provide the formats that the kernels want,
// once per value and format. Feeds, results and values that are exchanged in blocks are plain;
// slots and their gradients have their kept formats. Requests give the formats of other gradients'
// values.
#include "device/settled_formats.h"
#include "schedule/select/choose_rounds.h"
#include "schedule/select/keep.h"
#include "schedule/task.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weft {

namespace {

class Selection {
public:
    Selection(LocalPlan& local, const KernelChooser& chooser, const SelectRequest& request)
        : local_(local), chooser_(chooser), request_(request), kept_(request.kept) {
        findOwners();
        for (std::size_t s = 0; s < local_.slots.size(); ++s) {
            if (local_.slots[s] >= 0 && local_.slotNext[s] >= 0) {
                homeOf_[local_.slotNext[s]] = local_.slots[s];
            }
        }
    }

    void run() {
        std::vector<Task> given = std::exchange(local_.tasks, {});
        for (Task& task : given) {
            add(std::move(task));
        }
        for (std::size_t k = 0; k < local_.results.size(); ++k) {
            int& result = local_.results[k];
            result =
                result < 0 ? result : inFormat(storedAs(result), formatAt(local_.resultFormats, k));
        }
        for (std::size_t s = 0; s < local_.slots.size(); ++s) {
            int& next = local_.slotNext[s];
            if (next >= 0 && local_.slots[s] >= 0) {
                next = inFormat(storedAs(next), at(local_.slots[s]).part.format);
            }
        }
        for (const int result : local_.results) {
            if (result >= 0) {
                at(local_.storageOf(result)).isPinned = true;
            }
        }
    }

private:
    LocalValue& at(int value) { return local_.values[static_cast<std::size_t>(value)]; }

    /// Maps each gradient to the first local value of the value that it belongs to.
    void findOwners() {
        const std::vector<ValueId>& gradients = local_.plan->graph->gradients;
        std::map<ValueId, int> first;
        for (std::size_t v = 0; v < local_.values.size(); ++v) {
            first.try_emplace(local_.plan->at(local_.values[v].placed).value, static_cast<int>(v));
        }
        for (std::uint32_t k = 0; k < gradients.size(); ++k) {
            const auto owner = first.find(ValueId{k});
            if (!gradients[k].isNone() && owner != first.end()) {
                ownerOf_[gradients[k]] = owner->second;
            }
        }
    }

    /// Returns the format in which a result should be given if its kernel can.
    [[nodiscard]] Format preferredFormat(int value) const {
        const LocalValue& made = local_.values[static_cast<std::size_t>(value)];
        Format kept = storedFormat(local_, value);
        const auto owner = ownerOf_.find(local_.plan->at(made.placed).value);
        if (!kept.isPlain() || owner == ownerOf_.end()) {
            return kept;
        }
        const int source = local_.storageOf(owner->second);
        const TensorPart& part = local_.values[static_cast<std::size_t>(source)].part;
        return part.shape == made.part.shape ? part.format : Format{};
    }

    void add(Task task) {
        if (task.kind == StepKind::collective) {
            settleCollective(task);
        } else if (!choose(task)) {
            // The backend's kernel for this group refused: the members get kernels of their own.
            for (Task& member : task.members) {
                add(std::move(member));
            }
            return;
        }
        local_.tasks.push_back(std::move(task));
    }

    /// Returns the storage of an alias with the same box, which may have another format.
    int storedAs(int value) {
        const int source = local_.storageOf(value);
        return at(value).slot.isNone() && at(value).aliasOffset == 0 &&
                       at(source).part.shape == at(value).part.shape
                   ? source
                   : value;
    }

    /// All-reduces are elementwise and use the kept format of a gradient, which is the same on the
    /// whole mesh; blocks are cut out of plain parts.
    void settleCollective(Task& task) {
        for (std::size_t k = 0; k < task.inputs.size(); ++k) {
            Format format;
            if (task.inputs[k] >= 0) {
                task.inputs[k] = storedAs(task.inputs[k]);
                if (task.collective.isAllReduce) {
                    format = storedFormat(local_, task.inputs[k]);
                }
                task.inputs[k] = inFormat(task.inputs[k], format);
            }
            if (task.outputs[k] >= 0) {
                setFormat(task.outputs[k], format);
            }
            task.collective.formats.push_back(format.tag);
        }
    }

    void setFormat(int value, const Format& format) {
        LocalValue& made = at(value);
        made.part.format = format;
        made.bytes = bytesIn(format, made.part.dtype, made.part.shape);
    }

    /// False for a group that no kernel serves.
    bool choose(Task& task) {
        task.request.cores = request_.cores;
        layAsSlots(task);
        for (std::size_t k = 0; k < task.inputs.size(); ++k) {
            task.inputs[k] = storedAs(task.inputs[k]);
            task.request.inputs[k].format = at(task.inputs[k]).part.format;
        }
        for (std::size_t k = 0; k < task.outputs.size(); ++k) {
            task.request.outputs[k].format = preferredFormat(task.outputs[k]);
        }
        task.choice = task.repeat ? choiceForRepeat(task) : choiceFor(task);
        if (task.choice == nullptr) {
            return false;
        }
        for (std::size_t k = 0; k < task.inputs.size(); ++k) {
            const Format& format = formatAt(task.choice->inputFormats, k);
            task.inputs[k] = inFormat(task.inputs[k], format);
            task.request.inputs[k].format = format;
        }
        for (std::size_t k = 0; k < task.outputs.size(); ++k) {
            const Format& format = formatAt(task.choice->outputFormats, k);
            setFormat(task.outputs[k], format);
            task.request.outputs[k].format = format;
        }
        task.traffic = {std::max<std::int64_t>(0, (task.traffic - savedBy(task)).count)};
        std::erase_if(task.inPlace, [&](const auto& pair) {
            const LocalValue& input = at(task.inputs[pair.input]);
            const LocalValue& output = at(task.outputs[pair.output]);
            return input.part.format != output.part.format || input.bytes != output.bytes;
        });
        return true;
    }

    /// Returns the bytes saved by half-precision formats, which need half the bytes of f32.
    [[nodiscard]] Bytes savedBy(const Task& task) {
        Bytes saved;
        for (const auto* values : {&task.inputs, &task.outputs}) {
            for (const int value : *values) {
                if (value >= 0 && at(value).part.format.isHalved()) {
                    saved += at(value).bytes; // the bytes saved equal those that remain
                }
            }
        }
        return saved;
    }

    /// Converts operands of an op that writes a slot to the slot's format, whatever the kernels
    /// that made them chose, so that no slot is reordered.
    void layAsSlots(Task& task) {
        for (const int output : task.outputs) {
            const auto home = homeOf_.find(output);
            if (home == homeOf_.end() || !task.members.empty()) {
                continue;
            }
            const TensorPart slot = at(home->second).part;
            for (int& input : task.inputs) {
                const TensorPart& part = at(storedAs(input)).part;
                if (part.shape == slot.shape && part.dtype == slot.dtype &&
                    !isSameLayout(part.format, slot.format, slot.shape)) {
                    input = inFormat(storedAs(input), slot.format);
                }
            }
        }
    }

    static const Format& formatAt(const std::vector<Format>& formats, std::size_t k) {
        static const Format plain;
        return k < formats.size() ? formats[k] : plain;
    }

    [[nodiscard]] const CachedKernel* keptFor(const Task& task) const {
        const auto at = kept_ == nullptr ? CachedKernels::const_iterator{} : kept_->find(task.node);
        if (kept_ == nullptr || task.node.isNone() || at == kept_->end()) {
            return nullptr;
        }
        const auto found = std::ranges::find(at->second, task.name, &CachedKernel::task);
        return found == at->second.end() ? nullptr : &*found;
    }

    static bool isAsKept(const KernelChoice& choice, const CachedKernel& kept) {
        for (std::size_t k = 0; k < kept.formats.size(); ++k) {
            if (formatAt(choice.outputFormats, k).tag != kept.formats[k]) {
                return false;
            }
        }
        return choice.implementation == kept.implementation;
    }

    /// True if an earlier attempt did not use this group. Only its groups are used again.
    [[nodiscard]] bool wasNoGroup(const Task& task) const {
        return kept_ != nullptr && !task.members.empty() && keptFor(task) == nullptr &&
               std::ranges::all_of(task.members, [&](const Task& member) {
                   return keptFor(member) != nullptr || wasNoGroup(member);
               });
    }

    /// nullptr for a group or repeat that no kernel serves.
    std::shared_ptr<const KernelChoice> choiceFor(const Task& task) {
        if (wasNoGroup(task)) {
            return nullptr;
        }
        if (const CachedKernel* kept = keptFor(task)) {
            const auto isAsBefore = [kept](const KernelChoice& choice) {
                return isAsKept(choice, *kept);
            };
            if (auto choice = chooser_.chooseSuitable(task.request, isAsBefore)) {
                return choice;
            }
        }
        auto choice = chooser_.choose(task.request, [&](const Refusal& why) {
            local_.refusals.push_back(
                fmt::format("{}: {} refused: {}", task.name, why.implementation, why.reason));
        });
        if (choice == nullptr && task.members.empty() && !task.repeat) {
            throw Error(ErrorCode::bug, Where{.layer = task.name, .op = task.request.op},
                        local_.refusals.empty() ? "no backend has a kernel for this op"
                                                : local_.refusals.back(),
                        "add a reference kernel for the op to engine/backends/reference");
        }
        return choice;
    }

    /// Chooses one kernel for all iterations if there is one, unless an earlier attempt used
    /// several kernels.
    std::shared_ptr<const KernelChoice> choiceForRepeat(Task& task) {
        const CachedKernel* kept = keptFor(task);
        std::shared_ptr<const KernelChoice> choice;
        if (task.request.repeat && (kept == nullptr || !kept->rounds)) {
            choice = choiceFor(task);
        }
        if (choice == nullptr) {
            SelectRequest inside = request_;
            inside.kept = kept == nullptr ? nullptr : kept->rounds.get();
            choice = chooseBodyKernels(task, chooser_, inside, local_.refusals);
        }
        return choice;
    }

    int inFormat(int value, const Format& format) {
        if (at(value).part.format == format) {
            return value;
        }
        const auto known = reordered_.find({value, format.tag});
        if (known != reordered_.end()) {
            return known->second;
        }
        LocalValue made{.placed = at(value).placed, .part = at(value).part};
        const std::string what = format.isHalved()                  ? "as bf16"
                                 : at(value).part.format.isHalved() ? "as f32"
                                                                    : "reorder";
        Task task{.kind = StepKind::copy, .inputs = {value}, .name = what};
        const Value& reordered = local_.plan->valueOf(made.placed);
        const NodeId producer = reordered.producer;
        if (producer.isNone()) {
            task.name = reordered.name.empty() ? what : reordered.name + ": " + what;
        } else {
            task.origin = local_.plan->graph->at(producer).origin;
            task.name = local_.plan->graph->layerName(task.origin) + ": " + what;
        }
        const int result = static_cast<int>(local_.values.size());
        local_.values.push_back(std::move(made));
        setFormat(result, format);
        task.request.op = "weft.reorder";
        task.request.cores = request_.cores;
        task.request.mayChooseFormats = false;
        task.request.inputs = {at(value).part};
        task.request.outputs = {at(result).part};
        task.traffic = at(value).bytes + at(result).bytes;
        task.outputs = {result};
        task.choice = choiceFor(task);
        local_.tasks.push_back(std::move(task));
        reordered_[{value, format.tag}] = result;
        return result;
    }

    LocalPlan& local_;
    const KernelChooser& chooser_;
    const SelectRequest& request_;
    const CachedKernels* kept_;
    std::map<std::pair<int, std::string>, int> reordered_;
    std::map<ValueId, int> ownerOf_;
    std::map<int, int> homeOf_; ///< a slot's next value -> the slot
};

} // namespace

void select(LocalPlan& local, const KernelChooser& chooser, const SelectRequest& request) {
    Selection(local, chooser, request).run();
}

} // namespace weft
