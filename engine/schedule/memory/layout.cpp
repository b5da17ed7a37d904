// SPDX-License-Identifier: Apache-2.0
// Assigns memory from lifetimes. A value lives from the task that computes it to its last reader.
// Two lives may share memory if every reader of one has certainly ended before the other's maker
// starts: certain by the waits, so that streams may run at any speed. Large values are placed
// first, each at the lowest offset that is free during its life.
#include "schedule/memory/pack_lives.h"
#include "schedule/task.h"
#include <weft/error.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace weft {

namespace {

/// Vector clocks. Per task and stream: how many tasks of that stream have certainly ended before
/// the task starts. These numbers never fall along a stream.
class Clocks {
public:
    Clocks(const LocalPlan& local, const Ordering& ordering)
        : ordering_(ordering),
          streams_(ordering.streams.size()),
          position_(local.tasks.size()),
          clock_(local.tasks.size() * streams_, 0) {
        const auto before = dependencies(local, ordering);
        std::vector<int> last(streams_, -1);
        std::vector<std::uint32_t> count(streams_, 0);
        for (const int task : ordering.sequence) {
            const auto t = static_cast<std::size_t>(task);
            const std::uint32_t stream = ordering.streamOf[t];
            position_[t] = count[stream]++;
            if (last[stream] >= 0) {
                join(t, static_cast<std::size_t>(last[stream]));
            }
            for (const int b : before[t]) {
                join(t, static_cast<std::size_t>(b));
            }
            last[stream] = task;
        }
    }

    [[nodiscard]] std::size_t streams() const { return streams_; }
    [[nodiscard]] std::size_t streamOf(int task) const {
        return ordering_.streamOf[static_cast<std::size_t>(task)];
    }
    [[nodiscard]] std::uint32_t position(int task) const {
        return position_[static_cast<std::size_t>(task)];
    }
    /// Returns the counts by stream.
    [[nodiscard]] std::span<const std::uint32_t> of(int task) const {
        return std::span(clock_).subspan(static_cast<std::size_t>(task) * streams_, streams_);
    }
    /// True if task a has ended whenever task b starts.
    [[nodiscard]] bool precedes(int a, int b) const { return of(b)[streamOf(a)] > position(a); }

private:
    void join(std::size_t t, std::size_t b) {
        std::uint32_t* const mine = &clock_[t * streams_];
        const std::uint32_t* const theirs = &clock_[b * streams_];
        for (std::size_t stream = 0; stream < streams_; ++stream) {
            mine[stream] = std::max(mine[stream], theirs[stream]);
        }
        auto& own = mine[ordering_.streamOf[b]];
        own = std::max(own, position_[b] + 1);
    }

    const Ordering& ordering_;
    std::size_t streams_;
    std::vector<std::uint32_t> position_;
    std::vector<std::uint32_t> clock_; ///< [task][stream], flattened
};

struct Life {
    int value = -1; ///< storage; -1: a task's scratch memory
    int task = -1;  ///< the task whose scratch memory it is
    std::int64_t size = 0;
    bool isCreatedByTask = false; ///< created by a task; else present from the start
    bool always = false;          ///< from before the first task until after the last
    std::int64_t offset = -1;
};

/// The begin and end of each life by stream: how many tasks have certainly ended before the life
/// begins, and how many must have ended before the life is over.
class LifeTimes {
public:
    explicit LifeTimes(const Clocks& clocks) : clocks_(clocks) {}

    void add() {
        begins_.resize(begins_.size() + clocks_.streams(),
                       std::numeric_limits<std::uint32_t>::max());
        ends_.resize(ends_.size() + clocks_.streams(), 0);
    }
    void addMaker(std::size_t life, int task) {
        const auto clock = clocks_.of(task);
        for (std::size_t stream = 0; stream < clock.size(); ++stream) {
            auto& begin = begins_[life * clock.size() + stream];
            begin = std::min(begin, clock[stream]);
        }
    }
    void addUser(std::size_t life, int task) {
        auto& end = ends_[life * clocks_.streams() + clocks_.streamOf(task)];
        end = std::max(end, clocks_.position(task) + 1);
    }
    [[nodiscard]] std::uint32_t begin(std::size_t life, std::size_t stream) const {
        return begins_[life * clocks_.streams() + stream];
    }
    /// Returns the counts by stream.
    [[nodiscard]] std::span<const std::uint32_t> begins(std::size_t life) const {
        return std::span(begins_).subspan(life * clocks_.streams(), clocks_.streams());
    }
    [[nodiscard]] std::span<const std::uint32_t> ends(std::size_t life) const {
        return std::span(ends_).subspan(life * clocks_.streams(), clocks_.streams());
    }
    /// True if the life is over once this many tasks of each stream have ended.
    [[nodiscard]] bool isOver(std::size_t life, std::span<const std::uint32_t> ended) const {
        const std::uint32_t* const end = &ends_[life * ended.size()];
        for (std::size_t stream = 0; stream < ended.size(); ++stream) {
            if (end[stream] > ended[stream]) {
                return false;
            }
        }
        return true;
    }

private:
    const Clocks& clocks_;
    std::vector<std::uint32_t> begins_; ///< [life][stream], flattened
    std::vector<std::uint32_t> ends_;
};

class Planner {
public:
    Planner(LocalPlan& local, const Ordering& ordering, std::int64_t alignment)
        : local_(local),
          ordering_(ordering),
          clocks_(local, ordering),
          times_(clocks_),
          alignment_(alignment) {}

    Layout run(const std::vector<SlotBuffer>* fixed) {
        layout_.buffers.resize(local_.values.size());
        layout_.scratch.resize(local_.tasks.size());
        placeSlots(fixed);
        shareInPlace();
        collectLives();
        pack();
        publish();
        findPeak();
        return std::move(layout_);
    }

private:
    [[nodiscard]] std::int64_t aligned(std::int64_t size) const {
        return (size + alignment_ - 1) / alignment_ * alignment_;
    }
    LocalValue& at(int value) { return local_.values[static_cast<std::size_t>(value)]; }

    /// Places parameters first, then what belongs to them, each in the order of the graph, so that
    /// gradients are contiguous in the order in which they become ready.
    void placeSlots(const std::vector<SlotBuffer>* fixed) {
        std::int64_t offset = 0;
        for (std::size_t s = 0; s < local_.slots.size(); ++s) {
            if (local_.slots[s] < 0) {
                continue;
            }
            auto& buffer = layout_.buffers[static_cast<std::size_t>(local_.slots[s])];
            if (fixed != nullptr && s < fixed->size() && (*fixed)[s].isHeld) {
                buffer = (*fixed)[s].buffer;
                ensure(buffer.size == at(local_.slots[s]).bytes,
                       "a slot has one size in all variants of a program set");
            } else {
                buffer = {ArenaKind::slot, offset, at(local_.slots[s]).bytes};
            }
            offset = std::max(offset, buffer.offset + aligned(buffer.size.count));
        }
        layout_.slots = {offset};
    }

    /// A result takes the buffer of an operand if this task is the operand's last user; a slot's
    /// next value takes the slot's buffer.
    void shareInPlace() {
        std::vector<std::vector<int>> readers(local_.values.size());
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            for (const int input : local_.tasks[t].inputs) {
                if (input >= 0) {
                    readers[static_cast<std::size_t>(local_.storageOf(input))].push_back(
                        static_cast<int>(t));
                }
            }
        }
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            Task& task = local_.tasks[t];
            std::vector<InPlacePair> taken;
            for (const auto& [in, out] : task.inPlace) {
                const int source = task.inputs[in] < 0 ? -1 : local_.storageOf(task.inputs[in]);
                const int target = task.outputs[out];
                if (source >= 0 && target >= 0 && at(target).aliasOf < 0 &&
                    mayShare(static_cast<int>(t), source, target, readers)) {
                    at(target).aliasOf = source;
                    // Earlier readers have ended when this task starts, and so when any later task
                    // starts that this one precedes.
                    std::vector<int> left = readers[static_cast<std::size_t>(target)];
                    left.push_back(static_cast<int>(t));
                    readers[static_cast<std::size_t>(source)] = std::move(left);
                    taken.push_back({in, out});
                }
            }
            task.inPlace = taken;
        }
    }

    bool mayShare(int task, int source, int target, const std::vector<std::vector<int>>& readers) {
        if (at(source).bytes < at(target).bytes || at(target).isPinned) {
            return false;
        }
        const bool isSlot = !at(source).slot.isNone();
        if (isSlot ? !isNextOf(target, at(source).slot) : at(source).isPinned) {
            return false;
        }
        return std::ranges::all_of(readers[static_cast<std::size_t>(source)], [&](int reader) {
            return reader == task || clocks_.precedes(reader, task);
        });
    }

    [[nodiscard]] bool isNextOf(int value, SlotId slot) const {
        return local_.slotNext[slot.value] == value;
    }

    /// True if the value needs a place in the work arena; slots have an arena of their own.
    [[nodiscard]] bool isLaid(int value) {
        return value >= 0 && at(local_.storageOf(value)).slot.isNone() &&
               !at(local_.storageOf(value)).isOutside;
    }

    void collectLives() {
        std::vector<int> lifeOf(local_.values.size(), -1);
        const auto lifeFor = [&](int value) {
            const int storage = local_.storageOf(value);
            int& known = lifeOf[static_cast<std::size_t>(storage)];
            if (known < 0) {
                known = static_cast<int>(lives_.size());
                addLife({.value = storage,
                         .size = aligned(at(storage).bytes.count),
                         .always = at(storage).isPinned});
            }
            return static_cast<std::size_t>(known);
        };
        for (int t = 0; t < static_cast<int>(local_.tasks.size()); ++t) {
            const Task& task = local_.tasks[static_cast<std::size_t>(t)];
            for (const int input : task.inputs) {
                if (isLaid(input)) {
                    times_.addUser(lifeFor(input), t);
                }
            }
            for (const int output : task.outputs) {
                if (isLaid(output)) {
                    make(lifeFor(output), t);
                }
            }
            if (task.scratch().count > 0) {
                addLife({.task = t, .size = aligned(task.scratch().count)});
                make(lives_.size() - 1, t);
            }
        }
        for (const auto* list : {&local_.feeds, &local_.results, &local_.slotNext}) {
            for (const int value : *list) {
                if (isLaid(value)) {
                    lives_[lifeFor(value)].always = true;
                }
            }
        }
    }

    void addLife(const Life& life) {
        lives_.push_back(life);
        times_.add();
    }
    void make(std::size_t life, int task) {
        lives_[life].isCreatedByTask = true;
        times_.addMaker(life, task);
        times_.addUser(life, task);
    }

    void pack() {
        std::vector<PackedLife> packed(lives_.size());
        for (std::size_t k = 0; k < lives_.size(); ++k) {
            packed[k] = {lives_[k].size, lives_[k].isCreatedByTask, lives_[k].always,
                         times_.begins(k), times_.ends(k)};
        }
        const std::vector<std::int64_t> offsets = packLives(packed).offsets;
        for (std::size_t k = 0; k < lives_.size(); ++k) {
            lives_[k].offset = offsets[k];
            layout_.work.count = std::max(layout_.work.count, offsets[k] + lives_[k].size);
        }
    }

    void publish() {
        for (const Life& life : lives_) {
            if (life.value >= 0) {
                layout_.buffers[static_cast<std::size_t>(life.value)] = {
                    ArenaKind::work, life.offset, at(life.value).bytes};
            } else {
                layout_.scratch[static_cast<std::size_t>(life.task)] = {
                    ArenaKind::work, life.offset, {life.size}};
            }
        }
        for (int value = 0; value < static_cast<int>(local_.values.size()); ++value) {
            if (at(value).aliasOf < 0) {
                continue;
            }
            Buffer buffer = layout_.buffers[static_cast<std::size_t>(local_.storageOf(value))];
            for (int v = value; at(v).aliasOf >= 0; v = at(v).aliasOf) {
                buffer.offset += at(v).aliasOffset;
            }
            buffer.size = at(value).bytes;
            layout_.buffers[static_cast<std::size_t>(value)] = buffer;
        }
    }

    /// Along a stream a life first has not begun, then is alive, then is over.
    void findPeak() {
        std::vector<std::vector<int>> tasksOf(clocks_.streams());
        for (const int task : ordering_.sequence) {
            tasksOf[clocks_.streamOf(task)].push_back(task);
        }
        std::vector<std::vector<std::int64_t>> alive(clocks_.streams());
        for (std::size_t stream = 0; stream < clocks_.streams(); ++stream) {
            const std::vector<int>& tasks = tasksOf[stream];
            alive[stream].assign(tasks.size() + 1, 0);
            for (std::size_t k = 0; k < lives_.size(); ++k) {
                const std::size_t begin = lives_[k].isCreatedByTask ? times_.begin(k, stream) : 0;
                const auto over = lives_[k].always
                                      ? tasks.end()
                                      : std::ranges::partition_point(tasks, [&](int task) {
                                            return !times_.isOver(k, clocks_.of(task));
                                        });
                const auto end = static_cast<std::size_t>(over - tasks.begin());
                if (begin < end) {
                    alive[stream][begin] += lives_[k].size;
                    alive[stream][end] -= lives_[k].size;
                }
            }
            std::partial_sum(alive[stream].begin(), alive[stream].end(), alive[stream].begin());
        }
        std::int64_t most = -1;
        for (const int task : ordering_.sequence) {
            const std::int64_t now = alive[clocks_.streamOf(task)][clocks_.position(task)];
            if (now > most) {
                most = now;
                layout_.peakTask = task;
            }
        }
    }

    LocalPlan& local_;
    const Ordering& ordering_;
    Clocks clocks_;
    LifeTimes times_;
    std::int64_t alignment_;
    std::vector<Life> lives_;
    Layout layout_;
};

} // namespace

Layout layOut(LocalPlan& local, const Ordering& ordering, std::int64_t alignment,
              const std::vector<SlotBuffer>* fixed) {
    return Planner(local, ordering, alignment).run(fixed);
}

} // namespace weft
