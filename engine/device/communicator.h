// SPDX-License-Identifier: Apache-2.0
#pragma once
// What stands behind a communicator. A communicator prepares each collective of a program once, per
// member; in the step a member starts it and asks whether it has finished, so that one thread can
// drive many members (the simulated communicator) and a communication stream can sleep between
// looks. A member that arrives late is seen by name: `arrived`.

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

/// One rectangular piece of a member's buffer, in elements: `count[k]` with steps `stride[k]`,
/// outermost first.
struct Piece {
    std::int64_t offset = 0;
    Shape count = {};
    Shape stride = {};
    [[nodiscard]] std::int64_t elements() const { return elementsOf(count); }
    bool operator==(const Piece&) const = default;
};

/// A piece that goes from one member's input to another's output. Where several add into one piece,
/// the receiver sums them in the order of this list, whoever arrives first.
struct Transfer {
    int from = 0; ///< positions in `members`
    int to = 0;
    std::size_t tensor = 0; ///< which of the buffers (a gradient bucket has several)
    Piece source;
    Piece target;
    Reduction reduction =
        Reduction::none; ///< sum, max: into what is there; the first of a target piece writes
    bool first = true;
    bool operator==(const Transfer&) const = default;
};

struct CollectiveRequest {
    std::string name; ///< "conv5.y -> fc6.x": what a message about a late member says
    std::string kind; ///< "all-reduce"
    Origin origin;
    /// Device communicator that carries it out, such as "nccl"; empty: through the hosts.
    std::string communicator = {};
    std::uint32_t number = 0;             ///< position in the global order: the same on all members
    std::vector<DeviceId> members;        ///< workers that take part
    std::vector<Transfer> transfers = {}; ///< all of them, of all members; empty when `allReduce`
    bool isAllReduce = false; ///< every member holds all of each tensor before and after
    Reduction reduction = Reduction::sum;    ///< of the all-reduce
    std::vector<std::int64_t> elements = {}; ///< of the all-reduce, per tensor
    DType dtype = DType::f32;
    /// Format of each all-reduced tensor, the same on all members. Transfers are between plain
    /// parts.
    std::vector<std::string> formats = {};
    std::vector<std::vector<std::size_t>> inputBytes = {},
                                          outputBytes = {}; ///< per member and tensor
};

/// One member's side of a prepared collective. Output elements that no transfer writes are zeroed
/// once per call.
class Collective {
public:
    virtual ~Collective() = default;
    /// Arrive: the inputs may be read by peers and the outputs written until it has finished.
    /// Inputs may be outputs only in an all-reduce. `stream`: in whose queue it stands; none: the
    /// operands are there.
    virtual void start(std::span<const void* const> inputs, std::span<void* const> outputs,
                       Stream* stream) = 0;
    /// Before `start`: when this member arrives by its stream's clock, and the plan's price. Only
    /// communicators that keep such a time listen.
    virtual void arrive(std::int64_t /*moment*/, Nanoseconds /*predicted*/) {}
    /// When it ended by that clock, once it has finished; the distant past elsewhere.
    [[nodiscard]] virtual std::int64_t ended() const {
        return std::numeric_limits<std::int64_t>::min();
    }
    /// Moves things on; true once this member's outputs are whole and its inputs are no longer
    /// read, for what comes next in the stream.
    [[nodiscard]] virtual bool hasFinished() = 0;
    /// Once it has finished: true when it has ended for the host too. Asked where what was said to
    /// the stream ends by itself; throws what has become of that.
    [[nodiscard]] virtual bool hasEnded() { return true; }
    /// Once it has finished, by the clock of its stream: when the last of those that this member
    /// exchanges with was seen to have arrived, so that it had waited until then; no later than its
    /// begin where nobody was missing.
    [[nodiscard]] virtual std::int64_t met() const = 0;
    /// Members that have arrived at this call, as far as this member can see. Any thread may ask.
    [[nodiscard]] virtual std::vector<DeviceId> arrived() const = 0;
    /// All that take part.
    [[nodiscard]] virtual std::span<const DeviceId> members() const { return {}; }
    /// Elements this member has sent to other members since it was prepared.
    [[nodiscard]] virtual std::int64_t elementsSent() const = 0;
};

class Communicator {
public:
    virtual ~Communicator() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    /// For the worker of this process with that device. All members prepare all collectives in the
    /// same order.
    [[nodiscard]] virtual std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                                              DeviceId member) = 0;
    /// Every pending and later collective of this communicator throws Error{stopped}; callable from
    /// any thread.
    virtual void abort() = 0;
};

} // namespace weft
