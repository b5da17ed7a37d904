// SPDX-License-Identifier: Apache-2.0
// Kernels and formats: a maker is asked for each task, fastest first; the formats it wants are
// brought about by reorder tasks, made once per value and format. Collectives, feeds, results and
// slots lie plain.
#include "schedule/task.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <map>

namespace weft {

namespace {

class Selection {
public:
    Selection(LocalPlan& local, const KernelList& kernels, const KernelList& fallback, int cores)
        : local_(local), kernels_(kernels), fallback_(fallback), cores_(cores) {}

    void run() {
        std::vector<Task> given = std::exchange(local_.tasks, {});
        for (Task& task : given) {
            if (task.kind == StepKind::collective) {
                bringPlain(task);
            } else {
                choose(task);
            }
            local_.tasks.push_back(std::move(task));
        }
        const auto plain = [&](std::vector<int>& values) {
            for (int& value : values) {
                value = value < 0 ? value : inFormat(value, {});
            }
        };
        plain(local_.results);
        plain(local_.slotNext);
        for (const int result : local_.results) {
            if (result >= 0) {
                at(local_.storageOf(result)).isPinned = true;
            }
        }
    }

private:
    LocalValue& at(int value) { return local_.values[static_cast<std::size_t>(value)]; }

    void bringPlain(Task& task) {
        for (int& input : task.inputs) {
            input = input < 0 ? input : inFormat(input, {});
        }
    }

    void choose(Task& task) {
        task.request.cores = cores_;
        for (std::size_t k = 0; k < task.inputs.size(); ++k) {
            // An alias of a value in another format is that format's, when the boxes are the same.
            const int source = local_.storageOf(task.inputs[k]);
            if (at(task.inputs[k]).aliasOffset == 0 &&
                at(source).part.shape == at(task.inputs[k]).part.shape) {
                task.inputs[k] = at(task.inputs[k]).slot.isNone() ? source : task.inputs[k];
            }
            task.request.inputs[k].format = at(task.inputs[k]).part.format;
        }
        Preparation prepared = prepare(task);
        for (std::size_t k = 0; k < prepared.inputFormats.size(); ++k) {
            task.inputs[k] = inFormat(task.inputs[k], prepared.inputFormats[k]);
            task.request.inputs[k].format = prepared.inputFormats[k];
        }
        for (std::size_t k = 0; k < prepared.outputFormats.size(); ++k) {
            LocalValue& value = at(task.outputs[k]);
            value.part.format = prepared.outputFormats[k];
            value.bytes = {elementsIn(value.part.format, value.part.shape) *
                           static_cast<std::int64_t>(byteSize(value.part.dtype))};
            task.request.outputs[k].format = prepared.outputFormats[k];
        }
        std::erase_if(task.inPlace, [&](const auto& pair) {
            const LocalValue& input = at(task.inputs[pair.first]);
            const LocalValue& output = at(task.outputs[pair.second]);
            return input.part.format != output.part.format || input.bytes != output.bytes;
        });
        task.kernel = std::move(prepared.kernel);
        task.implementation = std::move(prepared.implementation);
        task.scratch = prepared.scratch;
    }

    Preparation prepare(const Task& task) {
        for (const KernelList* list : {&kernels_, &fallback_}) {
            for (const KernelMaker& maker : list->of(task.request.op)) {
                if (auto prepared = maker.prepare(task.request)) {
                    return std::move(*prepared);
                } else {
                    local_.refusals.push_back(fmt::format("{}: {} refused: {}", task.name,
                                                          maker.implementation,
                                                          prepared.error().reason));
                }
            }
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
        made.part.format = format;
        made.bytes = {elementsIn(format, made.part.shape) *
                      static_cast<std::int64_t>(byteSize(made.part.dtype))};
        Task task{.kind = StepKind::copy, .inputs = {value}, .name = "reorder"};
        if (const NodeId producer = local_.plan->valueOf(made.placed).producer;
            !producer.isNone()) {
            task.origin = local_.plan->graph->at(producer).origin;
            task.name = local_.plan->graph->layerName(task.origin) + ": reorder";
        }
        task.request.op = "weft.reorder";
        task.request.cores = cores_;
        task.request.mayChooseFormats = false;
        task.request.inputs = {at(value).part};
        task.request.outputs = {made.part};
        task.traffic = at(value).bytes + made.bytes;
        const int result = static_cast<int>(local_.values.size());
        task.outputs = {result};
        Preparation prepared = prepare(task);
        task.kernel = std::move(prepared.kernel);
        task.implementation = std::move(prepared.implementation);
        task.scratch = prepared.scratch;
        local_.values.push_back(std::move(made));
        local_.tasks.push_back(std::move(task));
        reordered_[{value, format.tag}] = result;
        return result;
    }

    LocalPlan& local_;
    const KernelList& kernels_;
    const KernelList& fallback_;
    int cores_;
    std::map<std::pair<int, std::string>, int> reordered_;
};

} // namespace

void select(LocalPlan& local, const KernelList& kernels, const KernelList& fallback, int cores) {
    Selection(local, kernels, fallback, cores).run();
}

} // namespace weft
