// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a backend offers: kernels, and devices by name with memory and streams. A backend is a
// folder that can be deleted; the list of those built in is passed on from the top, there is no
// default device.

#include "device/box_copy.h"
#include "device/kernel.h"
#include <weft/devices.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// `device`: the host may not touch it; what it computes there goes out and back by a stream.
enum class MemorySpace : std::uint8_t { host, device };

/// Memory of one device, freed with the object. Starts on the backend's alignment.
class Arena {
public:
    virtual ~Arena() = default;
    [[nodiscard]] virtual void* address() const = 0;
    [[nodiscard]] virtual Bytes size() const = 0;
};

/// A place in the queue of a stream, for other streams of its device to wait for.
class DeviceEvent {
public:
    virtual ~DeviceEvent() = default;
    /// True once all that stood before it where it was last left has ended.
    [[nodiscard]] virtual bool hasEnded() const = 0;
    /// When that was, by the stream's clock.
    [[nodiscard]] virtual std::int64_t time() const = 0;
};

class Stream;

/// What was said once to streams of a device, to be run as often as one likes. It uses the operands
/// that it was said with.
class CapturedGraph {
public:
    virtual ~CapturedGraph() = default;
    /// All of it comes next in that stream, which is the one that captured it.
    virtual void run(Stream& stream) = 0;
};

/// One in-order queue of a device. On a CPU the stream's own host thread runs each step to its end,
/// so enqueueing is running; on a GPU a stream is a stream. A stream may keep a time of its own;
/// spans are then of that clock.
class Stream {
public:
    virtual ~Stream() = default;
    /// The stream's own handle, for kernels of its backend.
    [[nodiscard]] virtual void* handle() const = 0;
    /// True: a step has ended when its kernel returns.
    [[nodiscard]] virtual bool isSynchronous() const = 0;
    /// Waits for all that was enqueued; throws what became of it.
    virtual void finish() = 0;

    // What is enqueued where a device runs its work later; the rest does it at once.
    /// nullptr: nobody need wait, what was enqueued has ended.
    [[nodiscard]] virtual std::unique_ptr<DeviceEvent> makeEvent() { return nullptr; }
    virtual void leave(DeviceEvent& /*event*/) {}
    /// What comes next begins when all before the event has ended.
    virtual void waitFor(const DeviceEvent& /*event*/) {}
    /// The host's side is the stream's until it has come so far, and is memory of `allocatePinned`.
    /// (From pageable memory a device reads when the copy is enqueued, and to it the caller waits.)
    virtual void copyIn(void* device, const void* host, Bytes size);
    virtual void copyOut(void* host, const void* device, Bytes size);
    /// Keeps what `enqueue` says to this stream, and to others of the device that wait for its
    /// events and that it waits for at last; none of it runs. nullptr: a stream that runs its work
    /// at once.
    [[nodiscard]] virtual std::unique_ptr<CapturedGraph>
    capture(const std::function<void()>& /*enqueue*/) {
        return nullptr;
    }
    /// Both sides are of the stream's device; addresses are those of the box's first elements.
    virtual void copyBox(const BoxCopy& box, std::size_t elementSize, const void* from, void* to);
    /// By the host, in its turn.
    virtual void call(const std::function<void()>& run) { run(); }
    /// Nanoseconds of the stream's clock: the host's, unless its time is its own.
    [[nodiscard]] virtual std::int64_t now() const;
    /// What comes next begins no earlier than this moment of that clock. The host's passes by
    /// itself.
    virtual void waitUntil(std::int64_t /*moment*/) {}
};

/// The host's steady clock.
[[nodiscard]] std::int64_t nowNanoseconds();

/// Memory of a device, and where the host wants it.
struct Fetch {
    void* host = nullptr;
    const void* device = nullptr;
    Bytes size = {};
};

/// What processes that work on one chip let each other reach of it. Handles mean something to
/// processes of one host; what is taken is the taker's until this goes. Error{device} where a
/// process may not.
class ChipSharing {
public:
    using Handle = std::array<std::byte, 64>;
    /// In an arena.
    struct Place {
        Handle memory = {};
        std::int64_t offset = 0;
    };

    virtual ~ChipSharing() = default;
    [[nodiscard]] virtual Place give(const void* address) = 0;
    /// Maps memory of another process.
    [[nodiscard]] virtual void* take(const Place& place) = 0;
    /// For streams of other processes too; it tells no time.
    [[nodiscard]] virtual std::unique_ptr<DeviceEvent> makeEvent() = 0;
    [[nodiscard]] virtual Handle give(const DeviceEvent& event) = 0;
    /// Stands for where it was last left when a stream is told to wait for it.
    [[nodiscard]] virtual std::unique_ptr<DeviceEvent> take(const Handle& event) = 0;
};

class Device {
public:
    virtual ~Device() = default;
    [[nodiscard]] virtual const DeviceSheet& sheet() const = 0;
    /// Free memory: not allocated by this process, another process or the driver.
    [[nodiscard]] virtual Bytes freeMemory() { return sheet().memory; }
    /// True: one thread enqueues for all its streams and waits for them at the end.
    [[nodiscard]] virtual bool isAsynchronous() const { return false; }
    /// nullptr: nothing of it can be reached by other processes.
    [[nodiscard]] virtual ChipSharing* sharing() { return nullptr; }
    /// What this thread says to a library of its backend is said of this device.
    virtual void use() {}
    /// Zeroed, its pages touched by the calling thread. Error{memory} when there is not enough.
    [[nodiscard]] virtual std::unique_ptr<Arena> allocate(Bytes size) = 0;
    /// Memory of the host that streams copy from and to in their turn: pinned where that matters.
    /// Its content is undefined. Freed only when no stream uses it any more.
    [[nodiscard]] virtual std::unique_ptr<Arena> allocatePinned(Bytes size) {
        return allocate(size);
    }
    /// Called on the thread that will run the stream; binds it to its cores.
    [[nodiscard]] virtual std::unique_ptr<Stream> makeStream(int index, int cores) = 0;
    /// A stream that binds no thread, for one thread that drives many; null where a device needs
    /// none.
    [[nodiscard]] virtual std::unique_ptr<Stream> makeUnboundStream(int /*index*/) {
        return nullptr;
    }
    /// The host's side has been read when it returns, and streams find it there; only while none
    /// uses that memory.
    virtual void copyIn(void* device, const void* host, Bytes size) = 0;
    /// The same while streams run, by one thread at a time: into memory that none of them uses,
    /// from where `place` takes it. It is there when it returns. (Who runs its work at once is
    /// brought nothing.)
    virtual void bring(void* ahead, const void* host, Bytes size) { copyIn(ahead, host, size); }
    /// What was brought goes where streams read it; only while none uses that memory.
    virtual void place(void* device, const void* ahead, Bytes size);
    /// Ends before it returns; only while no stream uses that memory.
    virtual void copyOut(void* host, const void* device, Bytes size) = 0;
    /// All of them at the cost of one, where each costs a wait.
    virtual void fetch(std::span<const Fetch> all) {
        for (const Fetch& one : all) {
            copyOut(one.host, one.device, one.size);
        }
    }
};

struct Backend {
    std::string name; ///< "cpu", "reference", "null", "cuda"
    /// Kernels for all devices of this backend, present or not.
    KernelList kernels;
    /// Asked before those where a design lets f32 be rounded so.
    std::map<Precision, KernelList> rounding = {};
    std::size_t alignment = 64; ///< of every buffer, in bytes
    MemorySpace space = MemorySpace::host;
    /// What this machine has, as this backend sees it.
    std::function<std::vector<DeviceSheet>()> find;
    /// Opens "cpu:0" with that many cores. Error{device} says what is missing.
    std::function<std::unique_ptr<Device>(const std::string& device, int cores)> open;
    /// Its optional parts on this machine; none: it has none.
    std::function<std::vector<Feature>()> parts = {};
    /// What does not hold of its kernels on such a device; empty: nothing.
    std::function<std::string(const DeviceSheet&)> remark = {};
    /// Which chips this process sees, in their order, by what tells them from all others; none, or
    /// nothing: no process sees others than its host has.
    std::function<std::string()> sees = {};
};

/// Rate of dense products in this precision; 0 if rounding does not make them faster.
[[nodiscard]] double flopsPerSecondIn(Precision precision, const DeviceSheet& sheet);
/// Why f32 is not rounded so on it where a design lets it; empty: kernels do so, and are the faster
/// for it on that chip.
[[nodiscard]] std::string whyNotRounded(Precision precision, const Backend& backend,
                                        const DeviceSheet& sheet);

/// Whether plans that were measured are of this chip and its library.
[[nodiscard]] bool hasOwnPlans(const DeviceSheet& sheet);
/// What makers are told of it.
[[nodiscard]] ChipKind chipKindOf(const DeviceSheet& sheet);

/// "cpu:0" -> "cpu"; "cuda:0/1" -> "cuda"
[[nodiscard]] std::string backendOf(const std::string& device);
/// "cuda:0/1" -> "cuda:0": the chip that this worker shares with others
[[nodiscard]] std::string chipOf(const std::string& device);
/// "cuda:3", "cuda:3/1" -> 3; -1: no name of a chip of that backend, or of a worker on one
[[nodiscard]] int chipNumber(const std::string& device, std::string_view backend);

class BackendList {
public:
    void add(Backend backend);
    [[nodiscard]] const Backend* find(std::string_view name) const;
    [[nodiscard]] std::span<const Backend> all() const { return backends_; }

private:
    std::vector<Backend> backends_;
};

} // namespace weft
