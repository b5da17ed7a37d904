// SPDX-License-Identifier: Apache-2.0
// Assigns streams and order. Collectives run in the plan's order on a stream of their own, the same
// on every device; compute tasks are spread over streams as the `order` setting says. Start times
// of the list schedule never decrease along a wait, so waits form no cycle between streams or
// devices.
#include "schedule/task.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

namespace weft {

std::vector<std::vector<int>> dependencies(const LocalPlan& local) {
    const std::size_t count = local.tasks.size();
    std::vector<std::vector<int>> before(count);
    std::vector<std::vector<int>> makers(local.values.size());
    std::vector<std::vector<int>> readers(local.values.size());
    std::vector<int> slotStorage(local.values.size(), 0);
    for (std::size_t t = 0; t < count; ++t) {
        const Task& task = local.tasks[t];
        for (const int input : task.inputs) {
            if (input >= 0) {
                const auto storage = static_cast<std::size_t>(local.storageOf(input));
                before[t].insert(before[t].end(), makers[storage].begin(), makers[storage].end());
                readers[storage].push_back(static_cast<int>(t));
            }
        }
        for (const int output : task.outputs) {
            if (output >= 0) {
                makers[static_cast<std::size_t>(local.storageOf(output))].push_back(
                    static_cast<int>(t));
            }
        }
    }
    // The writer of a slot's next value waits for all readers of the slot, because both may share
    // memory.
    for (std::size_t s = 0; s < local.slots.size(); ++s) {
        if (local.slots[s] < 0 || local.slotNext[s] < 0) {
            continue;
        }
        const auto home = static_cast<std::size_t>(local.storageOf(local.slots[s]));
        const auto next = static_cast<std::size_t>(local.storageOf(local.slotNext[s]));
        for (const int writer : makers[next]) {
            for (const int reader : readers[home]) {
                if (reader < writer) {
                    before[static_cast<std::size_t>(writer)].push_back(reader);
                }
            }
        }
    }
    for (auto& list : before) {
        std::ranges::sort(list);
        list.erase(std::ranges::unique(list).begin(), list.end());
    }
    return before;
}

std::vector<std::vector<int>> dependencies(const LocalPlan& local, const Ordering& ordering) {
    auto before = dependencies(local);
    for (std::size_t t = 0; t < ordering.after.size(); ++t) {
        before[t].insert(before[t].end(), ordering.after[t].begin(), ordering.after[t].end());
    }
    return before;
}

std::vector<std::vector<StepWait>> waitsOf(const Ordering& ordering,
                                           const std::vector<std::vector<int>>& before) {
    const std::size_t streams = ordering.streams.size();
    std::vector<std::vector<StepWait>> waits(ordering.streamOf.size());
    std::vector<std::uint32_t> position(ordering.streamOf.size());
    std::vector<std::uint32_t> count(streams, 0);
    // What each stream has already waited for, so that no wait is repeated.
    std::vector<std::vector<std::uint32_t>> seen(streams, std::vector<std::uint32_t>(streams, 0));
    for (const int task : ordering.sequence) {
        const auto t = static_cast<std::size_t>(task);
        const std::uint32_t own = ordering.streamOf[t];
        position[t] = count[own]++;
        for (const int b : before[t]) {
            const std::uint32_t stream = ordering.streamOf[static_cast<std::size_t>(b)];
            const std::uint32_t needed = position[static_cast<std::size_t>(b)] + 1;
            if (stream != own && seen[own][stream] < needed) {
                seen[own][stream] = needed;
                std::erase_if(waits[t],
                              [&](const StepWait& wait) { return wait.stream == stream; });
                waits[t].push_back({stream, needed});
            }
        }
    }
    return waits;
}

namespace {

/// Tasks whose inputs are available, or will be at a known time.
class Arrivals {
public:
    Arrivals(const std::vector<std::vector<int>>& before,
             const std::vector<std::vector<int>>& after)
        : after_(after), missing_(before.size()), readyAt_(before.size(), 0) {
        for (std::size_t t = 0; t < before.size(); ++t) {
            missing_[t] = before[t].size();
            if (missing_[t] == 0) {
                coming_.emplace(0, static_cast<int>(t));
            }
        }
    }

    [[nodiscard]] std::int64_t readyAt(int task) const {
        return readyAt_[static_cast<std::size_t>(task)];
    }
    [[nodiscard]] std::int64_t next() const { return coming_.top().first; }

    /// Returns the next task to arrive, if that is not after now.
    std::optional<int> takeUntil(std::int64_t now) {
        if (coming_.empty() || next() > now) {
            return std::nullopt;
        }
        const int task = coming_.top().second;
        coming_.pop();
        return task;
    }

    void finish(int task, std::int64_t end) {
        for (const int reader : after_[static_cast<std::size_t>(task)]) {
            const auto r = static_cast<std::size_t>(reader);
            readyAt_[r] = std::max(readyAt_[r], end);
            if (--missing_[r] == 0) {
                coming_.emplace(readyAt_[r], reader);
            }
        }
    }

private:
    using Coming = std::pair<std::int64_t, int>;

    const std::vector<std::vector<int>>& after_;
    std::vector<std::size_t> missing_;
    std::vector<std::int64_t> readyAt_;
    std::priority_queue<Coming, std::vector<Coming>, std::greater<>> coming_;
};

class ListSchedule {
public:
    ListSchedule(const LocalPlan& local, std::string how, int streams)
        : local_(local), before_(dependencies(local)), how_(std::move(how)), streams_(streams) {
        const std::size_t count = local.tasks.size();
        after_.resize(count);
        for (std::size_t t = 0; t < count; ++t) {
            for (const int b : before_[t]) {
                after_[static_cast<std::size_t>(b)].push_back(static_cast<int>(t));
            }
        }
        chainCollectives();
    }

    Ordering run(int cores) {
        Ordering result;
        const bool communicates = std::ranges::any_of(
            local_.tasks, [](const Task& task) { return task.kind == StepKind::collective; });
        for (int k = 0; k < streams_; ++k) {
            result.streams.push_back(
                {fmt::format("compute {}", k), std::max(1, cores / streams_), false});
        }
        if (communicates) {
            result.streams.push_back({"communication", 0, true});
        }
        result.streamOf.assign(local_.tasks.size(), 0);
        if (how_ == "sequential") {
            inPlanOrder(result);
        } else if (how_ == "depth") {
            byDepth(result);
        } else {
            byReadiness(result);
        }
        return result;
    }

private:
    /// Chains the collectives of all devices in the plan's order: each waits for the one before.
    void chainCollectives() {
        int last = -1;
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            if (local_.tasks[t].kind == StepKind::collective) {
                if (last >= 0) {
                    before_[t].push_back(last);
                    after_[static_cast<std::size_t>(last)].push_back(static_cast<int>(t));
                }
                last = static_cast<int>(t);
            }
        }
    }

    void inPlanOrder(Ordering& result) const {
        result.sequence.resize(local_.tasks.size());
        std::iota(result.sequence.begin(), result.sequence.end(), 0);
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            if (local_.tasks[t].kind == StepKind::collective) {
                result.streamOf[t] = static_cast<std::uint32_t>(streams_);
            }
        }
    }

    [[nodiscard]] std::vector<std::int64_t> urgency() const {
        std::vector<std::int64_t> urgent(local_.tasks.size(), 0);
        for (std::size_t t = local_.tasks.size(); t-- > 0;) {
            std::int64_t longest = 0;
            for (const int next : after_[t]) {
                longest = std::max(longest, urgent[static_cast<std::size_t>(next)]);
            }
            urgent[t] = longest + std::max<std::int64_t>(1, local_.tasks[t].predicted.count);
        }
        return urgent;
    }

    [[nodiscard]] std::vector<std::int64_t> depths() const {
        std::vector<std::int64_t> depth(local_.tasks.size(), 0);
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            for (const int b : before_[t]) {
                depth[t] = std::max(depth[t], depth[static_cast<std::size_t>(b)] + 1);
            }
        }
        return depth;
    }

    /// Runs all compute tasks of a depth concurrently, the longest first, then those of the next
    /// depth: before these, each stream's last task must have ended everywhere. Collectives wait
    /// only for what they send. They are a chain, so that a task never waits for a collective that
    /// another device reaches only after a collective that waits for this task.
    void byDepth(Ordering& result) const {
        const std::vector<std::int64_t> urgent = urgency();
        const std::vector<std::int64_t> depth = depths();
        result.sequence.resize(depth.size());
        std::iota(result.sequence.begin(), result.sequence.end(), 0);
        std::ranges::stable_sort(result.sequence, [&](int a, int b) {
            const auto x = static_cast<std::size_t>(a);
            const auto y = static_cast<std::size_t>(b);
            return std::pair(depth[x], -urgent[x]) < std::pair(depth[y], -urgent[y]);
        });
        result.after.resize(depth.size());
        std::vector<int> ended; ///< the last task of each stream before this depth
        std::vector<int> last(static_cast<std::size_t>(streams_), -1);
        std::vector<std::int64_t> load(static_cast<std::size_t>(streams_), 0);
        std::int64_t level = -1;
        for (const int task : result.sequence) {
            const auto t = static_cast<std::size_t>(task);
            if (local_.tasks[t].kind == StepKind::collective) {
                result.streamOf[t] = static_cast<std::uint32_t>(streams_);
                continue;
            }
            if (depth[t] != level) {
                level = depth[t];
                ended.clear();
                std::ranges::copy_if(last, std::back_inserter(ended),
                                     [](int before) { return before >= 0; });
                std::ranges::fill(load, 0);
            }
            const auto stream =
                static_cast<std::size_t>(std::ranges::min_element(load) - load.begin());
            load[stream] += std::max<std::int64_t>(1, local_.tasks[t].predicted.count);
            last[stream] = task;
            result.streamOf[t] = static_cast<std::uint32_t>(stream);
            result.after[t] = ended;
        }
    }

    /// Starts a task when its inputs are available and a stream is free, the most urgent task
    /// first.
    void byReadiness(Ordering& result) const {
        const std::vector<std::int64_t> urgent = urgency();
        struct Ready {
            std::int64_t urgency;
            int task;
            bool operator<(const Ready& other) const {
                return std::pair(urgency, -task) < std::pair(other.urgency, -other.task);
            }
        };
        Arrivals arrivals(before_, after_);
        std::priority_queue<Ready> ready;
        std::vector<std::int64_t> free(static_cast<std::size_t>(streams_) + 1, 0);
        while (result.sequence.size() < urgent.size()) {
            const auto stream = static_cast<std::size_t>(
                std::min_element(free.begin(), free.end() - 1) - free.begin());
            const std::int64_t now =
                ready.empty() ? std::max(free[stream], arrivals.next()) : free[stream];
            while (const std::optional<int> task = arrivals.takeUntil(now)) {
                const auto t = static_cast<std::size_t>(*task);
                if (local_.tasks[t].kind == StepKind::collective) {
                    const std::int64_t begin = std::max(arrivals.readyAt(*task), free.back());
                    free.back() = begin + local_.tasks[t].predicted.count;
                    result.streamOf[t] = static_cast<std::uint32_t>(streams_);
                    result.sequence.push_back(*task);
                    arrivals.finish(*task, free.back());
                } else {
                    ready.push({urgent[t], *task});
                }
            }
            if (ready.empty()) {
                continue;
            }
            const int task = ready.top().task;
            ready.pop();
            const auto t = static_cast<std::size_t>(task);
            free[stream] = std::max(free[stream], arrivals.readyAt(task)) +
                           std::max<std::int64_t>(1, local_.tasks[t].predicted.count);
            result.streamOf[t] = static_cast<std::uint32_t>(stream);
            result.sequence.push_back(task);
            arrivals.finish(task, free[stream]);
        }
    }

    const LocalPlan& local_;
    std::vector<std::vector<int>> before_;
    std::vector<std::vector<int>> after_;
    std::string how_;
    int streams_;
};

} // namespace

Ordering order(const LocalPlan& local, const std::string& how, int streams, int cores) {
    ensure(streams >= 1, "a device has at least one stream");
    return ListSchedule(local, how, how == "sequential" ? 1 : streams).run(cores);
}

} // namespace weft
