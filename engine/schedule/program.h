// SPDX-License-Identifier: Apache-2.0
#pragma once
// One device's part of a plan, scheduled: steps on streams with their waits, every buffer an offset
// in an arena, every kernel chosen and none made. A family shares slots: their arena offsets are
// the same in every member.

#include "device/communicator.h"
#include "device/kernel.h"
#include "device/rounds.h"
#include "place/plan.h"
#include <weft/devices.h>
#include <weft/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft {

/// `slot` lives as long as the run and is common to the family; `work` is that of the largest
/// member.
enum class ArenaKind : std::uint8_t { slot, work };

struct Buffer {
    ArenaKind arena = ArenaKind::work;
    std::int64_t offset = 0;
    Bytes size = {};
    bool operator==(const Buffer&) const = default;
};

enum class StepKind : std::uint8_t { compute, collective, copy };

/// Wait until `stream` has completed `count` of its steps in this run of the program.
struct StepWait {
    std::uint32_t stream = 0;
    std::uint32_t count = 0;
    bool operator==(const StepWait&) const = default;
};

/// What stands in a step's output when it has ended.
struct StepOutput {
    PlacedId placed;
    TensorPart part;
};

/// What a step asks of a chip that streams share (`DeviceSheet::threads`).
struct ChipUse {
    Nanoseconds launch = {}; ///< of what is predicted, the part of the host's thread
    double fills = 0;        ///< so much of the chip for the rest of it
    bool operator==(const ChipUse&) const = default;
};

struct Rounds;

/// What one kernel of a repeat's body, or of a fallback to the host, computes.
struct RoundStep {
    PlanNodeId node;       ///< of the body's plan; none: a reorder, or what brings results together
    std::string name = {}; ///< "linear"
    std::string op = {};   ///< by which it is priced
    std::string implementation = {};
    std::vector<std::string> formats = {}; ///< of what it makes
    Flops flops = {};                      ///< this and all that follows: of one run
    Bytes traffic = {};
    std::int64_t elements = 0; ///< of its largest result
    Nanoseconds predicted = {};
    TimeBand band = {};
    std::shared_ptr<Rounds> rounds = {}; ///< of a repeat or a fallback inside
};

/// The body of a repeat as its step runs it: prepared once, the rounds inside. Or what the host
/// computes in one fallback to it (schedule/share_host_fallbacks.h), as a body that runs once.
struct Rounds {
    RoundKernels kernels;
    std::vector<RoundStep> steps; ///< by kernel
    bool isHostFallback = false;
};

struct Step {
    StepKind kind = StepKind::compute;
    PlanNodeId node; ///< what of the plan it does; none: a reorder between formats
    std::uint32_t stream = 0;
    std::uint32_t position = 0; ///< among the steps of its stream
    std::vector<Buffer> inputs = {};
    std::vector<Buffer> outputs = {};
    std::vector<StepOutput> made = {}; ///< by output; an output of no part of this device has none
    Buffer scratch = {};
    std::vector<StepWait> waits = {};
    std::uint32_t asks = 0; ///< for which of the program's `choices`, or of its `collectives`
    Nanoseconds predicted = {};
    TimeBand band = {}; ///< of what is predicted
    ChipUse chip = {};
    Flops flops = {};
    Bytes traffic = {};    ///< read and written, or sent by the member that sends most
    std::string name = {}; ///< "conv1: conv2d_dw": spans and messages
    std::string implementation = {};
    Origin origin = {};
    std::vector<DeviceId> members = {}; ///< of a collective: all who take part
    std::int64_t count = 1;             ///< of a repeat: its rounds, which are all in the step
    /// What they are made of; none where one kernel serves them all.
    std::shared_ptr<const Rounds> rounds = {};
    [[nodiscard]] bool isHostFallback() const {
        return rounds != nullptr && rounds->isHostFallback;
    }
};

struct StreamPlan {
    std::string name; ///< "compute 0", "communication"
    int cores = 1;
    bool communicates = false;
};

/// A feed's or result's buffer on this device, with the part it holds.
struct Port {
    std::string name;
    Buffer buffer;
    TensorPart part;
    bool isHeld = true; ///< false: this device has no part of it
};

struct SlotBuffer {
    SlotId slot;
    Buffer buffer;
    TensorPart part;
    bool isHeld = true;
};

/// What bringing a batch ahead takes, by the device's bus.
struct FeedPrice {
    Nanoseconds time = {};
    TimeBand band = {};
    Bytes bytes = {};
};

struct Program {
    std::string member; ///< of the family: "train", "train/17" (a short batch), "evaluate"
    DeviceId device;
    std::shared_ptr<const Plan> plan;
    std::vector<StreamPlan> streams;
    bool isOnChip = false;   ///< the streams share one, as their steps' use of it says
    std::vector<Step> steps; ///< in plan order; per stream in its order
    std::vector<std::shared_ptr<const KernelChoice>> choices;
    std::vector<CollectiveRequest> collectives; ///< in the plan's order: the same on every member
    std::vector<Port> feeds;                    ///< as in the graph
    std::vector<Port> results;                  ///< as in the graph
    std::vector<SlotBuffer> slots;              ///< by SlotId
    Bytes workSize = {};
    Bytes slotSize = {};
    /// Its device runs it later: it keeps parts of it (schedule/parts.h), and batches are
    /// brought to it ahead (schedule/feeds_ahead.h).
    bool isQueued = false;
    FeedPrice feeding = {};
    std::vector<std::string> refusals; ///< "conv1 conv2d: onednn refused: ..."
};

} // namespace weft
