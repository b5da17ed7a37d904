// SPDX-License-Identifier: Apache-2.0
#pragma once
// The interface of a communicator. Each member prepares every collective of a program once. In a
// step it starts the collective and polls for its end, so that one thread can drive many members
// (the simulated communicator) and a stream can sleep between polls. `arrived` names late members.

#include <weft/types.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft {

class Stream;

enum class Reduction : std::uint8_t { none, sum, max };

/// A rectangular piece of a member's buffer: `count[k]` elements with stride `stride[k]`, outermost
/// dim first.
struct Piece {
    std::int64_t offset = 0; ///< index of the first element in the buffer
    Shape count = {};        ///< elements per dim
    Shape stride = {};       ///< strides per dim, in elements
    [[nodiscard]] std::int64_t elements() const { return elementsOf(count); }
    bool operator==(const Piece&) const = default;
};

/// Copies a piece of one member's input to another member's output. If several add into one piece,
/// the receiver sums them in list order, regardless of arrival.
struct Transfer {
    int from = 0;           ///< position of the sender in `members`
    int to = 0;             ///< position of the receiver in `members`
    std::size_t tensor = 0; ///< index of the buffer (a gradient bucket has several)
    Piece source;           ///< in the sender's input
    Piece target;           ///< in the receiver's output
    Reduction reduction =
        Reduction::none; ///< sum, max: combine; the first transfer to a target overwrites
    bool first = true;   ///< it is the first one to its target
    bool operator==(const Transfer&) const = default;
};

struct CollectiveRequest {
    std::string name; ///< "conv5.y -> fc6.x", for messages about late members
    std::string kind; ///< "all-reduce"
    Origin origin;    ///< the layer that needs the collective
    /// Device communicator to use, such as "nccl"; empty: staged through the hosts.
    std::string communicator = {};        ///< "nccl"; empty: through the hosts
    std::uint32_t number = 0;             ///< position in the global order, the same on all members
    std::vector<DeviceId> members;        ///< participating workers
    std::vector<Transfer> transfers = {}; ///< transfers of all members; empty for an all-reduce
    bool isAllReduce = false; ///< true: every member holds all of each tensor before and after
    Reduction reduction = Reduction::sum;    ///< operation of the all-reduce
    std::vector<std::int64_t> elements = {}; ///< elements of the all-reduce, per tensor
    DType dtype = DType::f32;                ///< element type, the same for all tensors
    /// Format of each all-reduced tensor, the same on all members. Transfers only move tensors in
    /// plain format.
    std::vector<std::string> formats = {}; ///< memory format tag per tensor of an all-reduce
    std::vector<std::vector<std::size_t>> inputBytes = {},
                                          outputBytes = {}; ///< per member and tensor
};

/// One member's side of a prepared collective. Each call zeroes the output elements that no
/// transfer writes.
class Collective {
public:
    virtual ~Collective() = default;
    /// Starts the collective. Until it has finished, peers may read the inputs and write the
    /// outputs. Inputs may alias outputs in an all-reduce only. `stream`: stream of the collective;
    /// none: the operands are ready.
    virtual void start(std::span<const void* const> inputs, std::span<void* const> outputs,
                       Stream* stream) = 0;
    /// Call before `start`: this member's arrival time by its stream's clock, and the predicted
    /// duration. Only communicators with simulated time use them.
    virtual void arrive(std::int64_t /*moment*/, Nanoseconds /*predicted*/) {} ///< simulation only
    /// Returns the end by the clock of `arrive`; the distant past before the collective finishes.
    [[nodiscard]] virtual std::int64_t ended() const {
        return std::numeric_limits<std::int64_t>::min();
    }
    /// Makes progress. Returns true once later work of the stream may use the outputs and overwrite
    /// the inputs.
    [[nodiscard]] virtual bool hasFinished() = 0; ///< polls; true: the stream may use the outputs
    /// Call after it has finished: true once the enqueued work has also ended on the device. Throws
    /// the failure of that work.
    [[nodiscard]] virtual bool hasEnded() { return true; } ///< also on the device
    /// Call after it has finished: the time, by the stream's clock, when the last peer of this
    /// member was seen to have arrived. No later than the begin if no peer was late.
    [[nodiscard]] virtual std::int64_t met() const = 0; ///< when the last peer arrived
    /// Returns the members known to have arrived at this call. Thread-safe.
    [[nodiscard]] virtual std::vector<DeviceId> arrived() const = 0;
    /// Returns all participants.
    [[nodiscard]] virtual std::span<const DeviceId> members() const { return {}; }
    /// Number of elements sent to other members since the collective was prepared.
    [[nodiscard]] virtual std::int64_t elementsSent() const = 0; ///< to others, in all calls
};

class Communicator {
public:
    virtual ~Communicator() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    /// Prepares this process's side for the worker with that device. All members prepare all
    /// collectives in the same order.
    [[nodiscard]] virtual std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                                              DeviceId member) = 0;
    /// Makes every pending and later collective throw Error{stopped}. Thread-safe.
    virtual void abort() = 0;
};

} // namespace weft
