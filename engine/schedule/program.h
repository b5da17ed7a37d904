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

enum class ArenaKind : std::uint8_t {
    slot, ///< lives as long as the run and is shared by all programs of a set
    work  ///< buffers of a step; sized for the largest program
};

struct Buffer {
    ArenaKind arena = ArenaKind::work;
    std::int64_t offset = 0; ///< bytes from the begin of the arena
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
    PlacedId placed; ///< the placed value
    TensorPart part; ///< the part of it on this device
};

/// How a step uses a chip that streams share (`DeviceSheet::threads`).
struct ChipUse {
    Nanoseconds launch = {}; ///< part of the predicted time that the host's thread needs
    double fills = 0;        ///< share of the chip that the step uses for the rest
    bool operator==(const ChipUse&) const = default;
};

struct StepBody;

/// One kernel of a repeat's body or of a host fallback.
struct BodyStep {
    PlanNodeId node;       ///< in the body's plan; none: a reorder, or copies or sums results
    std::string name = {}; ///< "linear"
    std::string op = {};   ///< prices the kernel: "linear"
    std::string implementation = {};
    std::vector<std::string> formats = {}; ///< formats of the results
    Flops flops = {};                      ///< flops and the fields below are per execution
    Bytes traffic = {};
    std::int64_t elements = 0; ///< elements of the largest result
    Nanoseconds predicted = {};
    TimeBand band = {};
    std::shared_ptr<StepBody> rounds = {}; ///< the iterations of an inner repeat or fallback
};

/// The body of a repeat as its step executes it, with all iterations. Or the body of a host
/// fallback that several ops share (schedule/select/share_host_fallbacks.h), which runs once.
struct StepBody {
    RoundKernels kernels;
    std::vector<BodyStep> steps; ///< per kernel
    bool isHostFallback = false; ///< false: the body of a repeat
};

struct Step {
    StepKind kind = StepKind::compute;
    PlanNodeId node; ///< the plan's node that the step computes; none: a reorder between formats
    std::uint32_t stream = 0;
    std::uint32_t position = 0; ///< index among the steps of its stream
    std::vector<Buffer> inputs = {};
    std::vector<Buffer> outputs = {};
    std::vector<StepOutput> outputContents = {}; ///< per output, empty if this device has no part
    Buffer scratch = {};                         ///< working memory of the kernel
    std::vector<StepWait> waits = {};            ///< must be over before it starts
    std::uint32_t kernelOrCollective = 0; ///< index in the program's `choices` or `collectives`
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
    std::shared_ptr<const StepBody> rounds = {}; ///< nullptr: one kernel computes all
    [[nodiscard]] bool isHostFallback() const {
        return rounds != nullptr && rounds->isHostFallback;
    }
};

struct StreamPlan {
    std::string name;          ///< "compute 0", "communication"
    int cores = 1;             ///< threads of its team
    bool communicates = false; ///< executes only collectives
};

/// The buffer of a feed or result on this device, and the part that it holds.
struct ProgramPort {
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
struct BatchCopyPrice {
    Nanoseconds time = {};
    TimeBand band = {};
    Bytes bytes = {};
};

struct Program {
    std::string member; ///< name of the variant: "train", "train/17" (a short batch), "evaluate"
    DeviceId device;
    std::shared_ptr<const Plan> plan;
    std::vector<StreamPlan> streams;
    bool isOnChip = false;   ///< all streams share one chip, as ChipUse says
    std::vector<Step> steps; ///< in plan order, also within each stream
    std::vector<std::shared_ptr<const KernelChoice>> choices;
    std::vector<CollectiveRequest> collectives; ///< in the plan's order, the same on every member
    std::vector<ProgramPort> feeds;             ///< in the order of the graph
    std::vector<ProgramPort> results;           ///< in the order of the graph
    std::vector<SlotBuffer> slots;              ///< indexed by SlotId
    Bytes workSize = {};
    Bytes slotSize = {};
    bool isAsynchronous = false;       ///< captures program parts and takes batches ahead
    BatchCopyPrice feeding = {};       ///< predicted copy of the next batch
    std::vector<std::string> refusals; ///< "conv1 conv2d: onednn refused: ..."
};

} // namespace weft
