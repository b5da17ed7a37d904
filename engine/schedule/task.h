// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one device has to do for a plan, before streams and memory are settled: tasks over local
// values, in plan order. Made by localize, completed by select (kernels, formats, reorders), then
// ordered and laid out. Exists only while scheduling.

#include "device/communicator.h"
#include "device/kernel.h"
#include "graph/repeat.h"
#include "place/plan.h"
#include "schedule/program.h"
#include "schedule/select/cached_kernels.h"
#include "schedule/select/kernel_chooser.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft {

/// A value as this device stores it in one format. An alias shares the buffer of another value at
/// `aliasOffset` bytes.
struct LocalValue {
    PlacedId placed;
    TensorPart part;
    Bytes bytes = {};
    int aliasOf = -1;             ///< index of the value whose buffer it uses; -1: its own
    std::int64_t aliasOffset = 0; ///< bytes into that buffer
    SlotId slot = {};             ///< slot whose contents it is; none: no slot
    bool isPinned = false;  ///< feeds and results: their buffers are reserved for the whole step
    bool isOutside = false; ///< in the body of a repeat: stored in a buffer of the repeat itself
};

struct RepeatTask;

struct Task {
    StepKind kind = StepKind::compute;
    PlanNodeId node = {};
    std::vector<int> inputs = {};          ///< local values
    std::vector<int> outputs = {};         ///< local values
    std::vector<InPlacePair> inPlace = {}; ///< outputs that may use an input's buffer
    KernelRequest request = {};            ///< asks for its kernel
    std::vector<Task> members = {}; ///< tasks of a fused group, if the backend refuses the group
    bool draws = false;             ///< uses random numbers
    std::shared_ptr<const RepeatTask> repeat = {};   ///< nullptr: not a repeat
    std::shared_ptr<StepBody> rounds = {};           ///< nullptr: one kernel computes all
    std::shared_ptr<const KernelChoice> choice = {}; ///< set by select; nullptr: a collective
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
    std::vector<int> feeds;                 ///< local values, -1 if this device has no part
    std::vector<int> results;               ///< local values, -1 if this device has no part
    std::vector<int> slots;                 ///< the local value of the slot's home
    std::vector<int> slotNext;              ///< the value to be stored; -1: not written
    std::vector<Format> storedFormats = {}; ///< per local value, for slots and their gradients
    std::vector<Format> resultFormats = {}; ///< per result; empty: all are plain
    std::vector<std::string> refusals = {}; ///< why faster kernels are not used

    /// Returns the value whose buffer this value uses.
    [[nodiscard]] int storageOf(int value) const;
};

/// A repeat as one task.
struct RepeatTask {
    RepeatForm form;
    LocalPlan round; ///< one iteration; its feeds and results are those of the repeat
    std::map<std::uint64_t, std::vector<std::uint64_t>> keys;
};

struct LocalizeRequest {
    std::uint64_t seed = 1;
    bool wantsTransfers = true; ///< false: collectives only with what predictions need
};
/// Makes tasks for the op nodes of which this device has a part, aliases or copies for local
/// changes of placement, and transfers for collectives. Does not consult the device.
[[nodiscard]] LocalPlan localize(std::shared_ptr<const Plan> plan, DeviceId device,
                                 const LocalizeRequest& request);

struct SelectRequest {
    int cores = 1;
    const CachedKernels* kept = nullptr; ///< kernels of the previous attempt, tried first
    /// For the bodies of repeats: kernels that can serve several tasks together (nullptr: no
    /// grouping), and the alignment of values.
    const KernelList* groups = nullptr; ///< for fused groups in bodies of repeats
    std::int64_t alignment = 64;
};
/// Chooses a kernel per task, settles formats and inserts reorders.
void select(LocalPlan& local, const KernelChooser& chooser, const SelectRequest& request);

/// Returns the request to the communicator from the view of a device: its group of an all-reduce,
/// or the transfers among all members, which may be left out. Plain formats only.
[[nodiscard]] CollectiveRequest collectiveOf(const Plan& plan, PlanNodeId id, DeviceId device,
                                             bool wantsTransfers = true);
/// Returns the groups of a collective; the members of each group communicate with each other.
[[nodiscard]] std::vector<std::vector<DeviceId>> collectiveGroupsOf(const Plan& plan,
                                                                    const PlanNode& node);

/// Assigns tasks to streams and gives the order of the tasks of each stream.
struct Ordering {
    std::vector<StreamPlan> streams;
    std::vector<std::uint32_t> streamOf; ///< index of the stream, per task
    std::vector<int> sequence; ///< all tasks in an order that agrees with that of every stream
    std::vector<std::vector<int>> after = {}; ///< tasks that each task must follow
};
[[nodiscard]] Ordering order(const LocalPlan& local, const std::string& how, int streams,
                             int cores);

/// Tasks that must have ended before each task: makers of inputs, readers of what it overwrites.
[[nodiscard]] std::vector<std::vector<int>> dependencies(const LocalPlan& local);
/// Returns the dependencies together with those that the ordering adds.
[[nodiscard]] std::vector<std::vector<int>> dependencies(const LocalPlan& local,
                                                         const Ordering& ordering);
/// Returns the waits of each task, without those that its stream has already waited for.
[[nodiscard]] std::vector<std::vector<StepWait>>
waitsOf(const Ordering& ordering, const std::vector<std::vector<int>>& before);

struct Layout {
    std::vector<Buffer> buffers; ///< per local value
    std::vector<Buffer> scratch; ///< per task
    Bytes work = {};             ///< size of the work arena
    Bytes slots = {};            ///< size of the slot arena
    int peakTask = -1;           ///< the task with the most memory alive
};
/// Assigns offsets from lifetimes. Two values share memory only if all readers of one have
/// certainly ended before the other is computed, whatever the timing of the streams. `fixed` has
/// the slots' places if another program of the set has settled them.
[[nodiscard]] Layout layOut(LocalPlan& local, const Ordering& ordering, std::int64_t alignment,
                            const std::vector<SlotBuffer>* fixed);

} // namespace weft
