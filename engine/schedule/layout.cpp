// SPDX-License-Identifier: Apache-2.0
// Memory from lifetimes. A value lives from the task that makes it to the last that reads it. Two
// lives may share memory when every reader of one is known to have ended before the other's maker
// starts: known by the waits, so that lanes may run as they like. Large values are placed first,
// each at the lowest offset that is free for its life.
#include "schedule/task.h"
#include <weft/error.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace weft {

namespace {

/// Per task and lane: how many tasks of that lane have surely ended before the task starts.
class Clocks {
public:
    Clocks(const LocalPlan& local, const Ordering& ordering) : ordering_(ordering) {
        const std::size_t lanes = ordering.lanes.size();
        const auto before = dependencies(local, ordering);
        position_.resize(local.tasks.size());
        clock_.assign(local.tasks.size(), std::vector<std::uint32_t>(lanes, 0));
        std::vector<int> last(lanes, -1);
        std::vector<std::uint32_t> count(lanes, 0);
        for (const int task : ordering.sequence) {
            const auto t = static_cast<std::size_t>(task);
            const std::uint32_t lane = ordering.laneOf[t];
            position_[t] = count[lane]++;
            if (last[lane] >= 0) {
                join(t, static_cast<std::size_t>(last[lane]));
            }
            for (const int b : before[t]) {
                join(t, static_cast<std::size_t>(b));
            }
            last[lane] = task;
        }
    }

    /// Task a has ended whenever task b starts.
    [[nodiscard]] bool precedes(int a, int b) const {
        const auto x = static_cast<std::size_t>(a);
        return clock_[static_cast<std::size_t>(b)][ordering_.laneOf[x]] > position_[x];
    }
    [[nodiscard]] std::uint32_t position(int task) const {
        return position_[static_cast<std::size_t>(task)];
    }

private:
    void join(std::size_t t, std::size_t b) {
        for (std::size_t lane = 0; lane < clock_[t].size(); ++lane) {
            clock_[t][lane] = std::max(clock_[t][lane], clock_[b][lane]);
        }
        auto& own = clock_[t][ordering_.laneOf[b]];
        own = std::max(own, position_[b] + 1);
    }

    const Ordering& ordering_;
    std::vector<std::uint32_t> position_;
    std::vector<std::vector<std::uint32_t>> clock_;
};

struct Life {
    int value = -1; ///< storage; -1: a task's scratch
    int task = -1;  ///< of scratch
    std::int64_t size = 0;
    std::vector<int> makers;
    std::vector<int> users; ///< readers and makers
    bool always = false;    ///< from before the first task to after the last
    std::int64_t offset = -1;
};

class Planner {
public:
    Planner(LocalPlan& local, const Ordering& ordering, std::int64_t alignment)
        : local_(local), ordering_(ordering), clocks_(local, ordering), alignment_(alignment) {}

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

    /// Parameters, then what belongs to them, each in the order of the graph: contiguous as
    /// gradients become ready.
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
                       "a slot changes its size within a family");
            } else {
                buffer = {ArenaKind::slot, offset, at(local_.slots[s]).bytes};
            }
            offset = std::max(offset, buffer.offset + aligned(buffer.size.count));
        }
        layout_.slots = {offset};
    }

    /// A result takes the buffer of an operand when this task is the last to use it; a slot's next
    /// value takes the slot's.
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
            std::vector<std::pair<std::size_t, std::size_t>> taken;
            for (const auto& [in, out] : task.inPlace) {
                const int source = task.inputs[in] < 0 ? -1 : local_.storageOf(task.inputs[in]);
                const int target = task.outputs[out];
                if (source >= 0 && target >= 0 && at(target).aliasOf < 0 &&
                    mayShare(static_cast<int>(t), source, target, readers)) {
                    at(target).aliasOf = source;
                    auto& mine = readers[static_cast<std::size_t>(target)];
                    auto& theirs = readers[static_cast<std::size_t>(source)];
                    theirs.insert(theirs.end(), mine.begin(), mine.end());
                    taken.emplace_back(in, out);
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

    void collectLives() {
        std::vector<int> lifeOf(local_.values.size(), -1);
        const auto lifeFor = [&](int value) -> Life& {
            const int storage = local_.storageOf(value);
            int& known = lifeOf[static_cast<std::size_t>(storage)];
            if (known < 0) {
                known = static_cast<int>(lives_.size());
                lives_.push_back({.value = storage,
                                  .size = aligned(at(storage).bytes.count),
                                  .makers = {},
                                  .users = {},
                                  .always = at(storage).isPinned});
            }
            return lives_[static_cast<std::size_t>(known)];
        };
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            const Task& task = local_.tasks[t];
            for (const int input : task.inputs) {
                if (input >= 0 && at(local_.storageOf(input)).slot.isNone()) {
                    lifeFor(input).users.push_back(static_cast<int>(t));
                }
            }
            for (const int output : task.outputs) {
                if (output >= 0 && at(local_.storageOf(output)).slot.isNone()) {
                    Life& life = lifeFor(output);
                    life.makers.push_back(static_cast<int>(t));
                    life.users.push_back(static_cast<int>(t));
                }
            }
            if (task.scratch().count > 0) {
                const int self = static_cast<int>(t);
                lives_.push_back({.value = -1,
                                  .task = self,
                                  .size = aligned(task.scratch().count),
                                  .makers = {self},
                                  .users = {self}});
            }
        }
        for (const auto* list : {&local_.feeds, &local_.results, &local_.slotNext}) {
            for (const int value : *list) {
                if (value >= 0 && at(local_.storageOf(value)).slot.isNone()) {
                    lifeFor(value).always = true;
                }
            }
        }
    }

    [[nodiscard]] bool endsBefore(const Life& a, const Life& b) const {
        return !a.always && !b.makers.empty() && std::ranges::all_of(b.makers, [&](int maker) {
            return std::ranges::all_of(a.users,
                                       [&](int user) { return clocks_.precedes(user, maker); });
        });
    }

    void pack() {
        std::vector<std::size_t> bySize(lives_.size());
        std::iota(bySize.begin(), bySize.end(), 0U);
        std::ranges::stable_sort(
            bySize, [&](std::size_t a, std::size_t b) { return lives_[a].size > lives_[b].size; });
        std::vector<std::size_t> placed; // by offset
        for (const std::size_t k : bySize) {
            Life& life = lives_[k];
            std::int64_t offset = 0;
            for (const std::size_t other : placed) {
                const Life& there = lives_[other];
                if (there.offset >= offset + life.size || there.offset + there.size <= offset ||
                    there.size == 0) {
                    continue;
                }
                if (!endsBefore(life, there) && !endsBefore(there, life)) {
                    offset = there.offset + there.size;
                }
            }
            life.offset = offset;
            placed.insert(std::ranges::upper_bound(placed, offset, {},
                                                   [&](std::size_t p) { return lives_[p].offset; }),
                          k);
            layout_.work.count = std::max(layout_.work.count, offset + life.size);
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

    void findPeak() {
        std::int64_t most = -1;
        for (const int task : ordering_.sequence) {
            std::int64_t alive = 0;
            for (const Life& life : lives_) {
                const bool over = !life.always && std::ranges::all_of(life.users, [&](int u) {
                    return clocks_.precedes(u, task);
                });
                const bool yet =
                    !life.makers.empty() && std::ranges::all_of(life.makers, [&](int m) {
                        return clocks_.precedes(task, m);
                    });
                alive += over || yet ? 0 : life.size;
            }
            if (alive > most) {
                most = alive;
                layout_.peakTask = task;
            }
        }
    }

    LocalPlan& local_;
    const Ordering& ordering_;
    Clocks clocks_;
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
