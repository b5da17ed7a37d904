// SPDX-License-Identifier: Apache-2.0
#include "schedule/select/batch_products.h"

#include "schedule/predict/chip_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <set>

namespace weft {

namespace {

bool areAlike(const std::vector<TensorPart>& one, const std::vector<TensorPart>& other) {
    return std::ranges::equal(one, other, [](const TensorPart& a, const TensorPart& b) {
        return a.dtype == b.dtype && a.shape == b.shape && a.format == b.format;
    });
}

/// True if the requests are equal except for the operands.
bool areEqual(const KernelRequest& one, const KernelRequest& other) {
    if (one.op != other.op || one.attributes != other.attributes ||
        !areAlike(one.inputs, other.inputs) || !areAlike(one.outputs, other.outputs) ||
        (one.body == nullptr) != (other.body == nullptr)) {
        return false;
    }
    return one.body == nullptr ||
           (one.body->reads == other.body->reads && one.body->writes == other.body->writes &&
            std::ranges::equal(one.body->members, other.body->members, areEqual));
}

/// Returns the format in which a kernel reads its operand k, or gives its result k.
Format formatOf(const std::vector<Format>& chosen, const std::vector<TensorPart>& parts,
                std::size_t k, bool isOperand) {
    if (k < chosen.size()) {
        return chosen[k];
    }
    return isOperand ? parts[k].format : Format{};
}

class Joining {
public:
    Joining(LocalPlan& local, const BatchingRequest& request) : local_(local), request_(request) {
        for (const std::string& name : request.kernels.ops()) {
            if (name.ends_with('=')) {
                joinable_.insert(name.substr(0, name.size() - 1));
            }
        }
    }

    std::vector<Task> run() {
        if (joinable_.empty()) {
            return {};
        }
        findTimes();
        for (Members& batch : batchesByDepth()) {
            if (batch.size() > 1) {
                joinThoseInTime(std::move(batch));
            }
        }
        return rows_.empty() ? std::vector<Task>{} : withRows();
    }

private:
    using Members = std::vector<std::size_t>; ///< indices of tasks

    [[nodiscard]] const Task& task(std::size_t t) const { return local_.tasks[t]; }

    /// Finds the dependencies by values and by the order of collectives, and each task's earliest
    /// begin and its latest begin that does not delay the end, with unlimited streams.
    void findTimes() {
        const std::size_t count = local_.tasks.size();
        before_ = dependencies(local_);
        depth_.assign(count, 0);
        earliest_.assign(count, 0);
        int collective = -1;
        std::int64_t end = 0;
        for (std::size_t t = 0; t < count; ++t) {
            if (task(t).kind == StepKind::collective) {
                collective < 0 ? void() : before_[t].push_back(collective);
                collective = static_cast<int>(t);
            }
            for (const int b : before_[t]) {
                const auto at = static_cast<std::size_t>(b);
                depth_[t] = std::max(depth_[t], depth_[at] + 1);
                earliest_[t] = std::max(earliest_[t], earliest_[at] + task(at).predicted.count);
            }
            end = std::max(end, earliest_[t] + task(t).predicted.count);
        }
        latest_.assign(count, end);
        for (std::size_t t = count; t-- > 0;) {
            latest_[t] -= task(t).predicted.count;
            for (const int b : before_[t]) {
                auto& latestEnd = latest_[static_cast<std::size_t>(b)];
                latestEnd = std::min(latestEnd, latest_[t]);
            }
        }
    }

    [[nodiscard]] bool mayJoin(const Task& one) const {
        return one.kind == StepKind::compute && joinable_.contains(one.request.op) &&
               one.choice != nullptr && one.outputs.size() == 1;
    }

    std::vector<Members> batchesByDepth() {
        std::map<std::pair<int, std::string>, std::vector<Members>> byDepth;
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            if (!mayJoin(task(t))) {
                continue;
            }
            std::vector<Members>& all = byDepth[{depth_[t], task(t).request.op}];
            const auto same = std::ranges::find_if(all, [&](const Members& members) {
                const Task& first = task(members.front());
                return areEqual(first.request, task(t).request) &&
                       first.choice->implementation == task(t).choice->implementation;
            });
            same == all.end() ? all.push_back({t}) : same->push_back(t);
        }
        std::vector<Members> sets;
        for (auto& [depth, all] : byDepth) {
            std::ranges::move(all, std::back_inserter(sets));
        }
        return sets;
    }

    void refuse(const Members& members, const std::string& why) {
        local_.refusals.push_back(
            fmt::format("{}: {} parallel ops are not batched into one call: {}",
                        task(members.front()).name, members.size(), why));
    }

    /// Batches tasks that can begin before the first of them would be late.
    void joinThoseInTime(Members batch) {
        std::ranges::stable_sort(batch, {}, [&](std::size_t t) { return earliest_[t]; });
        Members inTime;
        std::int64_t latest = std::numeric_limits<std::int64_t>::max();
        const auto close = [&] {
            std::ranges::sort(inTime);
            inTime.size() > 1 ? joinIfCheaper(inTime) : void();
            inTime.clear();
        };
        for (const std::size_t t : batch) {
            if (earliest_[t] > latest) {
                refuse(batch, "some would have to wait for others");
                close();
                latest = std::numeric_limits<std::int64_t>::max();
            }
            inTime.push_back(t);
            latest = std::min(latest, latest_[t]);
        }
        close();
    }

    void joinIfCheaper(const Members& members) {
        Task row = rowOf(members);
        row.choice = request_.chooser.choose(row.request, [&](const Refusal& why) {
            refuse(members, fmt::format("{} refused: {}", why.implementation, why.reason));
        });
        if (row.choice == nullptr) {
            return;
        }
        const std::string& theirs = task(members.front()).choice->implementation;
        if (row.choice->implementation != theirs) {
            refuse(members, fmt::format("the batched call would use {}, the single calls use {}",
                                        row.choice->implementation, theirs));
            return;
        }
        if (!hasFormatsOf(members, row)) {
            refuse(members, "the batched call needs another memory format than the single calls");
            return;
        }
        request_.price(row);
        const Nanoseconds apart = timeApart(members);
        if (row.predicted >= apart) {
            refuse(members,
                   fmt::format("the batched call would take {}, the single calls take {} on {}",
                               toString(row.predicted), toString(apart),
                               request_.streams == 1
                                   ? "one stream"
                                   : fmt::format("up to {} streams", request_.streams)));
            return;
        }
        rows_.emplace(members.front(), std::move(row));
        for (const std::size_t t : members) {
            standsFor_[t] = members.front();
        }
    }

    /// True if the batched call reads and gives the formats of its members, which are settled.
    [[nodiscard]] bool hasFormatsOf(const Members& members, const Task& row) const {
        const GroupBody& body = *row.request.body;
        for (std::size_t m = 0; m < members.size(); ++m) {
            const Task& one = task(members[m]);
            const auto areEqual = [&](const std::vector<int>& places, bool isOperand) {
                const auto& ofRow =
                    isOperand ? row.choice->inputFormats : row.choice->outputFormats;
                const auto& ofOne =
                    isOperand ? one.choice->inputFormats : one.choice->outputFormats;
                const auto& partsOfRow = isOperand ? row.request.inputs : row.request.outputs;
                const auto& partsOfOne = isOperand ? one.request.inputs : one.request.outputs;
                for (std::size_t k = 0; k < places.size(); ++k) {
                    const auto place = static_cast<std::size_t>(places[k]);
                    if (formatOf(ofRow, partsOfRow, place, isOperand) !=
                        formatOf(ofOne, partsOfOne, k, isOperand)) {
                        return false;
                    }
                }
                return true;
            };
            if (!areEqual(body.reads[m], true) || !areEqual(body.writes[m], false)) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] Nanoseconds timeApart(const Members& members) const {
        std::vector<ChipStep> steps;
        const auto streams = std::min(members.size(), static_cast<std::size_t>(request_.streams));
        for (const std::size_t t : members) {
            steps.push_back({.stream = static_cast<std::uint32_t>(steps.size() % streams),
                             .launch = task(t).chip.launch.count,
                             .work = (task(t).predicted - task(t).chip.launch).count,
                             .fills = task(t).chip.fills});
        }
        return {endAlone(std::move(steps), streams)};
    }

    [[nodiscard]] Task rowOf(const Members& members) const {
        const Task& first = task(members.front());
        Task row{.node = first.node, .request = first.request, .origin = first.origin};
        row.name = fmt::format("{}, {} in one call", first.name, members.size());
        row.request.op += '=';
        row.request.inputs.clear();
        row.request.outputs.clear();
        auto body = std::make_shared<GroupBody>();
        const auto take = [](const std::vector<int>& values, const std::vector<TensorPart>& parts,
                             std::vector<int>& ofRow, std::vector<TensorPart>& partsOfRow) {
            std::vector<int> places;
            for (std::size_t k = 0; k < values.size(); ++k) {
                places.push_back(static_cast<int>(ofRow.size()));
                ofRow.push_back(values[k]);
                partsOfRow.push_back(parts[k]);
            }
            return places;
        };
        for (const std::size_t t : members) {
            const Task& one = task(t);
            body->members.push_back(one.request);
            body->reads.push_back(
                take(one.inputs, one.request.inputs, row.inputs, row.request.inputs));
            body->writes.push_back(
                take(one.outputs, one.request.outputs, row.outputs, row.request.outputs));
            row.flops += one.flops;
            row.traffic += one.traffic;
        }
        row.request.body = std::move(body);
        return row;
    }

    /// Returns all tasks in their order, except that tasks behind a batched call may move back with
    /// it.
    std::vector<Task> withRows() {
        const std::size_t count = local_.tasks.size();
        const auto standing = [&](std::size_t t) {
            const auto row = standsFor_.find(t);
            return row == standsFor_.end() ? t : row->second;
        };
        std::vector<std::set<std::size_t>> after(count);
        std::vector<std::size_t> missing(count, 0);
        for (std::size_t t = 0; t < count; ++t) {
            for (const int b : before_[t]) {
                const bool isNew =
                    after[standing(static_cast<std::size_t>(b))].insert(standing(t)).second;
                missing[standing(t)] += isNew ? 1 : 0;
            }
        }
        std::priority_queue<std::size_t, Members, std::greater<>> ready;
        for (std::size_t t = 0; t < count; ++t) {
            standing(t) == t&& missing[t] == 0 ? ready.push(t) : void();
        }
        std::vector<Task> tasks;
        while (!ready.empty()) {
            const std::size_t t = ready.top();
            ready.pop();
            const auto row = rows_.find(t);
            if (row == rows_.end()) {
                tasks.push_back(task(t));
            } else {
                tasks.push_back(std::move(row->second));
            }
            for (const std::size_t next : after[t]) {
                --missing[next] == 0 ? ready.push(next) : void();
            }
        }
        return tasks;
    }

    LocalPlan& local_;
    const BatchingRequest& request_;
    std::set<std::string> joinable_;
    std::vector<std::vector<int>> before_;
    std::vector<int> depth_;                       ///< per task
    std::vector<std::int64_t> earliest_;           ///< per task: begin with unlimited streams
    std::vector<std::int64_t> latest_;             ///< per task: begin that does not delay the end
    std::map<std::size_t, Task> rows_;             ///< keyed by the first member
    std::map<std::size_t, std::size_t> standsFor_; ///< member -> first member of its batch
};

} // namespace

std::vector<Task> withBatchedProducts(LocalPlan& local, const BatchingRequest& request) {
    return Joining(local, request).run();
}

bool isBatched(const KernelRequest& request) { return request.op.ends_with('='); }

} // namespace weft
