// SPDX-License-Identifier: Apache-2.0
#pragma once
// One device's scheduled part of a plan: steps on streams with their waits, every buffer as an
// offset in an arena, every kernel chosen but not yet made. The programs of a set share slots,
// which have the same arena offsets in every program.

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

/// `slot` lives as long as the run and is shared by all programs of a set; `work` has the size of
/// the largest program's.
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

/// The content of a step's output when the step has ended.
struct StepOutput {
    PlacedId placed;
    TensorPart part;
};

/// How a step uses a chip that streams share (`DeviceSheet::threads`).
struct ChipUse {
    Nanoseconds launch = {}; ///< part of the predicted time that the host's thread needs
    double fills = 0;        ///< share of the chip that the step uses for the rest
    bool operator==(const ChipUse&) const = default;
};

struct Rounds;

/// One kernel of a repeat's body or of a host fallback.
struct RoundStep {
    /// Node of the body's plan; none: a reorder, or a kernel that copies or sums results.
    PlanNodeId node;
    std::string name = {}; ///< "linear"
    std::string op = {};   ///< prices the kernel
    std::string implementation = {};
    std::vector<std::string> formats = {}; ///< formats of the results
    Flops flops = {};                      ///< flops and the fields below are per execution
    Bytes traffic = {};
    std::int64_t elements = 0; ///< elements of the largest result
    Nanoseconds predicted = {};
    TimeBand band = {};
    std::shared_ptr<Rounds> rounds = {}; ///< the iterations of an inner repeat or fallback
};

/// The body of a repeat as its step executes it, with all iterations. Or the body of a host
/// fallback that several ops share (schedule/select/share_host_fallbacks.h), which runs once.
struct Rounds {
    RoundKernels kernels;
    std::vector<RoundStep> steps; ///< per kernel
    bool isHostFallback = false;
};

struct Step {
    StepKind kind = StepKind::compute;
    PlanNodeId node; ///< the plan's node that the step computes; none: a reorder between formats
    std::uint32_t stream = 0;
    std::uint32_t position = 0; ///< index among the steps of its stream
    std::vector<Buffer> inputs = {};
    std::vector<Buffer> outputs = {};
    /// Per output; an output without a part on this device has no entry.
    std::vector<StepOutput> made = {};
    Buffer scratch = {};
    std::vector<StepWait> waits = {};
    std::uint32_t asks = 0; ///< index in the program's `choices`, or in its `collectives`
    Nanoseconds predicted = {};
    TimeBand band = {}; ///< bounds of the predicted time
    ChipUse chip = {};
    Flops flops = {};
    Bytes traffic = {}; ///< read and written; for a collective, sent by the member that sends most
    std::string name = {}; ///< "conv1: conv2d_dw": for spans and messages
    std::string implementation = {};
    Origin origin = {};
    std::vector<DeviceId> members = {}; ///< for a collective: all participants
    std::int64_t count = 1;             ///< for a repeat: its iterations, all within this step
    /// The kernels of a repeat's iterations or of a host fallback; nullptr if one kernel computes
    /// the whole.
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

/// The buffer of a feed or result on this device, and the part that it holds.
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

/// The predicted time for copying a batch ahead over the device's bus.
struct FeedPrice {
    Nanoseconds time = {};
    TimeBand band = {};
    Bytes bytes = {};
};

struct Program {
    /// Name in the program set: "train", "train/17" (a short batch), "evaluate".
    std::string member;
    DeviceId device;
    std::shared_ptr<const Plan> plan;
    std::vector<StreamPlan> streams;
    bool isOnChip = false;   ///< all streams share one chip, as ChipUse says
    std::vector<Step> steps; ///< in plan order, also within each stream
    std::vector<std::shared_ptr<const KernelChoice>> choices;
    std::vector<CollectiveRequest> collectives; ///< in the plan's order, the same on every member
    std::vector<Port> feeds;                    ///< in the order of the graph
    std::vector<Port> results;                  ///< in the order of the graph
    std::vector<SlotBuffer> slots;              ///< indexed by SlotId
    Bytes workSize = {};
    Bytes slotSize = {};
    /// True for an asynchronous device, which captures parts (schedule/program_parts.h) and takes
    /// batches ahead (schedule/feeds_ahead.h).
    bool isQueued = false;
    FeedPrice feeding = {};
    std::vector<std::string> refusals; ///< "conv1 conv2d: onednn refused: ..."
};

} // namespace weft
