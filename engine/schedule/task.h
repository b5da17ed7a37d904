// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one device has to do for a plan, before streams and memory are settled: tasks over local
// values, in plan order. Made by localize, completed by select (kernels, formats, reorders), then
// ordered and laid out. Lives only while scheduling.

#include "device/communicator.h"
#include "device/kernel.h"
#include "graph/repeat.h"
#include "place/plan.h"
#include "schedule/cached_kernels.h"
#include "schedule/kernel_chooser.h"
#include "schedule/program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft {

/// A value as this device holds it in one format. An alias shares the buffer of another,
/// `aliasOffset` bytes in.
struct LocalValue {
    PlacedId placed;
    TensorPart part;
    Bytes bytes = {};
    int aliasOf = -1;
    std::int64_t aliasOffset = 0;
    SlotId slot = {};       ///< none, or the slot at whose home this value stands
    bool isPinned = false;  ///< feeds and results: their buffer is theirs for the whole step
    bool isOutside = false; ///< in the body of a repeat: its buffer is one of the repeat's own
};

struct RepeatTask;

struct Task {
    StepKind kind = StepKind::compute;
    PlanNodeId node = {};
    std::vector<int> inputs = {}; ///< local values
    std::vector<int> outputs = {};
    std::vector<std::pair<std::size_t, std::size_t>> inPlace =
        {}; ///< {input, output} that may share
    KernelRequest request = {};
    std::vector<Task> members = {}; ///< of a group: its body, for a backend that refuses the whole
    bool draws = false;             ///< random numbers
    std::shared_ptr<const RepeatTask> repeat = {};
    /// Body of a repeat that no single kernel serves, or of a shared host fallback.
    std::shared_ptr<Rounds> rounds = {};
    std::shared_ptr<const KernelChoice> choice = {}; ///< of what is no collective, once selected
    CollectiveRequest collective = {};
    Flops flops = {};
    Bytes traffic = {};
    Nanoseconds predicted = {};
    TimeBand band = {};
    ChipUse chip = {};
    std::string name = {};
    Origin origin = {};
    [[nodiscard]] Bytes scratch() const { return choice == nullptr ? Bytes{} : choice->scratch; }
};

struct LocalPlan {
    std::shared_ptr<const Plan> plan;
    DeviceId device;
    std::vector<LocalValue> values;
    std::vector<Task> tasks;
    std::vector<int> feeds; ///< local values, -1 where this device has no part
    std::vector<int> results;
    std::vector<int> slots;                 ///< the home's local value
    std::vector<int> slotNext;              ///< the value to be kept; -1: not written
    std::vector<Format> keptFormats = {};   ///< by local value: of slots and their gradients
    std::vector<Format> resultFormats = {}; ///< by result; empty: all are plain
    std::vector<std::string> refusals = {};

    /// The value whose buffer this one uses.
    [[nodiscard]] int storageOf(int value) const;
};

/// A repeat as one task.
struct RepeatTask {
    RepeatForm form;
    LocalPlan round; ///< its feeds and results are the operands and results of the repeat
    /// What is drawn with this key is drawn with another in each round.
    std::map<std::uint64_t, std::vector<std::uint64_t>> keys;
};

struct LocalizeRequest {
    std::uint64_t seed = 1;
    bool wantsMoves = true;
};
/// Op nodes in which the device has a part become tasks; local changes of placement become aliases
/// or copies; collectives get their transfers. Nothing is asked of a device.
[[nodiscard]] LocalPlan localize(std::shared_ptr<const Plan> plan, DeviceId device,
                                 const LocalizeRequest& request);

struct SelectRequest {
    int cores = 1;
    const CachedKernels* kept = nullptr; ///< what an earlier attempt chose comes first of all
    /// For the bodies of repeats: kernels that may serve several of their tasks together (none:
    /// nothing is grouped), and on what their values begin.
    const KernelList* groups = nullptr;
    std::int64_t alignment = 64;
};
/// Chooses a kernel per task; settles formats and inserts reorders.
void select(LocalPlan& local, const KernelChooser& chooser, const SelectRequest& request);

/// What the communicator is asked for, seen from a device: its group of an all-reduce, or the
/// transfers among all; what is moved between whom may be left out. Plain formats only.
[[nodiscard]] CollectiveRequest collectiveOf(const Plan& plan, PlanNodeId id, DeviceId device,
                                             bool wantsMoves = true);
/// Who takes part in it with whom: each list is one meeting.
[[nodiscard]] std::vector<std::vector<DeviceId>> meetingsOf(const Plan& plan, const PlanNode& node);

/// Which stream each task runs on and in which order the tasks of each stream stand.
struct Ordering {
    std::vector<StreamPlan> streams;
    std::vector<std::uint32_t> streamOf; ///< by task
    std::vector<int>
        sequence; ///< all tasks, in a global order that every stream's order agrees with
    /// By task, where the order asks for more than the values do: tasks that must have ended
    /// before.
    std::vector<std::vector<int>> after = {};
};
[[nodiscard]] Ordering order(const LocalPlan& local, const std::string& how, int streams,
                             int cores);

/// Tasks that must have ended before each task: makers of inputs, readers of what it overwrites.
[[nodiscard]] std::vector<std::vector<int>> dependencies(const LocalPlan& local);
/// With those that the order adds.
[[nodiscard]] std::vector<std::vector<int>> dependencies(const LocalPlan& local,
                                                         const Ordering& ordering);
/// By task, what its stream has not waited for before.
[[nodiscard]] std::vector<std::vector<StepWait>>
waitsOf(const Ordering& ordering, const std::vector<std::vector<int>>& before);

struct Layout {
    std::vector<Buffer> buffers; ///< by local value
    std::vector<Buffer> scratch; ///< by task
    Bytes work = {};
    Bytes slots = {};
    int peakTask = -1; ///< where most is alive
};
/// Offsets from lifetimes. Two values share memory only when the readers of one have ended before
/// the other is made, whatever the streams do. `fixed` gives the slots' places when another member
/// of the family has settled them.
[[nodiscard]] Layout layOut(LocalPlan& local, const Ordering& ordering, std::int64_t alignment,
                            const std::vector<SlotBuffer>* fixed);

} // namespace weft
