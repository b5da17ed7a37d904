// SPDX-License-Identifier: Apache-2.0
// Kernels and formats: a maker is asked for each task, fastest first; the formats it wants are
// brought about by reorder tasks, made once per value and format. Feeds and results lie plain, and
// so does what blocks of it are exchanged; slots and their gradients lie as they are kept.
#include "schedule/keep.h"
#include "schedule/task.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weft {

namespace {

class Selection {
public:
    Selection(LocalPlan& local, const KernelList& kernels, const KernelList& fallback, int cores,
              const KeptKernels* kept)
        : local_(local), kernels_(kernels), fallback_(fallback), cores_(cores), kept_(kept) {}

    void run() {
        std::vector<Task> given = std::exchange(local_.tasks, {});
        for (Task& task : given) {
            add(std::move(task));
        }
        for (int& result : local_.results) {
            result = result < 0 ? result : inFormat(storedAs(result), {});
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

    void add(Task task) {
        if (task.kind == StepKind::collective) {
            settleCollective(task);
        } else if (!choose(task)) {
            // The backend's kernel for this group refused: its members have theirs.
            for (Task& member : task.members) {
                add(std::move(member));
            }
            return;
        }
        local_.tasks.push_back(std::move(task));
    }

    /// An alias of a value in another format is that format's, when the boxes are the same.
    int storedAs(int value) {
        const int source = local_.storageOf(value);
        return at(value).slot.isNone() && at(value).aliasOffset == 0 &&
                       at(source).part.shape == at(value).part.shape
                   ? source
                   : value;
    }

    /// Sums go element by element, in whatever one format a kept gradient has on the whole mesh;
    /// blocks are cut out of plain parts.
    void settleCollective(Task& task) {
        for (std::size_t k = 0; k < task.inputs.size(); ++k) {
            Format format;
            if (task.inputs[k] >= 0) {
                task.inputs[k] = storedAs(task.inputs[k]);
                if (task.collective.isAllReduce) {
                    format = keptFormat(local_, task.inputs[k]);
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
        made.bytes = {elementsIn(format, made.part.shape) *
                      static_cast<std::int64_t>(byteSize(made.part.dtype))};
    }

    /// False: a group that no kernel serves.
    bool choose(Task& task) {
        task.request.cores = cores_;
        for (std::size_t k = 0; k < task.inputs.size(); ++k) {
            task.inputs[k] = storedAs(task.inputs[k]);
            task.request.inputs[k].format = at(task.inputs[k]).part.format;
        }
        for (std::size_t k = 0; k < task.outputs.size(); ++k) {
            task.request.outputs[k].format = keptFormat(local_, task.outputs[k]);
        }
        std::optional<Preparation> prepared = prepare(task);
        if (!prepared) {
            return false;
        }
        prepared->inputFormats.resize(task.inputs.size());
        prepared->outputFormats.resize(task.outputs.size());
        for (std::size_t k = 0; k < task.inputs.size(); ++k) {
            task.inputs[k] = inFormat(task.inputs[k], prepared->inputFormats[k]);
            task.request.inputs[k].format = prepared->inputFormats[k];
        }
        for (std::size_t k = 0; k < task.outputs.size(); ++k) {
            setFormat(task.outputs[k], prepared->outputFormats[k]);
            task.request.outputs[k].format = prepared->outputFormats[k];
        }
        std::erase_if(task.inPlace, [&](const auto& pair) {
            const LocalValue& input = at(task.inputs[pair.first]);
            const LocalValue& output = at(task.outputs[pair.second]);
            return input.part.format != output.part.format || input.bytes != output.bytes;
        });
        task.kernel = std::move(prepared->kernel);
        task.implementation = std::move(prepared->implementation);
        task.scratch = prepared->scratch;
        return true;
    }

    [[nodiscard]] const KeptKernel* keptFor(const Task& task) const {
        const auto at = kept_ == nullptr ? KeptKernels::const_iterator{} : kept_->find(task.node);
        if (kept_ == nullptr || task.node.isNone() || at == kept_->end()) {
            return nullptr;
        }
        const auto found = std::ranges::find(at->second, task.name, &KeptKernel::task);
        return found == at->second.end() ? nullptr : &*found;
    }

    static bool isAsKept(const Preparation& prepared, const KeptKernel& kept) {
        for (std::size_t k = 0; k < kept.formats.size(); ++k) {
            const bool isGiven = k < prepared.outputFormats.size();
            if ((isGiven ? prepared.outputFormats[k].tag : std::string()) != kept.formats[k]) {
                return false;
            }
        }
        return prepared.implementation == kept.implementation;
    }

    [[nodiscard]] std::optional<Preparation> prepareAs(const Task& task,
                                                       const KeptKernel& kept) const {
        for (const KernelList* list : {&kernels_, &fallback_}) {
            for (const KernelMaker& maker : list->of(task.request.op)) {
                auto prepared = maker.prepare(task.request);
                if (prepared && isAsKept(*prepared, kept)) {
                    return std::move(*prepared);
                }
            }
        }
        return std::nullopt;
    }

    /// What was a group by an earlier attempt is one now, and nothing else.
    [[nodiscard]] bool wasNoGroup(const Task& task) const {
        return kept_ != nullptr && !task.members.empty() && keptFor(task) == nullptr &&
               std::ranges::all_of(task.members, [&](const Task& member) {
                   return keptFor(member) != nullptr || wasNoGroup(member);
               });
    }

    std::optional<Preparation> prepare(const Task& task) {
        if (wasNoGroup(task)) {
            return std::nullopt;
        }
        if (const KeptKernel* kept = keptFor(task)) {
            if (auto prepared = prepareAs(task, *kept)) {
                return prepared;
            }
        }
        for (const KernelList* list : {&kernels_, &fallback_}) {
            for (const KernelMaker& maker : list->of(task.request.op)) {
                auto prepared = maker.prepare(task.request);
                if (prepared) {
                    return std::move(*prepared);
                }
                local_.refusals.push_back(fmt::format("{}: {} refused: {}", task.name,
                                                      maker.implementation,
                                                      prepared.error().reason));
            }
        }
        if (!task.members.empty()) {
            return std::nullopt;
        }
        throw Error(ErrorCode::bug, Where{.layer = task.name, .op = task.request.op},
                    local_.refusals.empty() ? "no backend has a kernel for this op"
                                            : local_.refusals.back(),
                    "every op needs a reference kernel: add one to engine/backends/reference");
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
        Task task{.kind = StepKind::copy, .inputs = {value}, .name = "reorder"};
        const Value& reordered = local_.plan->valueOf(made.placed);
        const NodeId producer = reordered.producer;
        if (producer.isNone()) {
            task.name = reordered.name.empty() ? task.name : reordered.name + ": reorder";
        } else {
            task.origin = local_.plan->graph->at(producer).origin;
            task.name = local_.plan->graph->layerName(task.origin) + ": reorder";
        }
        const int result = static_cast<int>(local_.values.size());
        local_.values.push_back(std::move(made));
        setFormat(result, format);
        task.request.op = "weft.reorder";
        task.request.cores = cores_;
        task.request.mayChooseFormats = false;
        task.request.inputs = {at(value).part};
        task.request.outputs = {at(result).part};
        task.traffic = at(value).bytes + at(result).bytes;
        task.outputs = {result};
        std::optional<Preparation> prepared = prepare(task);
        ensure(prepared.has_value(), "every device can reorder");
        if (prepared) {
            task.kernel = std::move(prepared->kernel);
            task.implementation = std::move(prepared->implementation);
            task.scratch = prepared->scratch;
        }
        local_.tasks.push_back(std::move(task));
        reordered_[{value, format.tag}] = result;
        return result;
    }

    LocalPlan& local_;
    const KernelList& kernels_;
    const KernelList& fallback_;
    int cores_;
    const KeptKernels* kept_;
    std::map<std::pair<int, std::string>, int> reordered_;
};

} // namespace

void select(LocalPlan& local, const KernelList& kernels, const KernelList& fallback, int cores,
            const KeptKernels* kept) {
    Selection(local, kernels, fallback, cores, kept).run();
}

} // namespace weft
