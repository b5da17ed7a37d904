// SPDX-License-Identifier: Apache-2.0
#pragma once
// The interface of a backend: its kernels, and its devices with memory and streams. A backend is a
// folder that can be deleted; callers pass the list of built-in backends on, and there is no
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

/// `device`: the host cannot access the memory; data is copied in and out by a stream.
enum class MemorySpace : std::uint8_t { host, device }; ///< device: the host cannot access it

/// Memory of one device, freed with the object and aligned as the backend requires.
class Arena {
public:
    virtual ~Arena() = default;
    [[nodiscard]] virtual void* address() const = 0;
    [[nodiscard]] virtual Bytes size() const = 0;
};

/// A recorded point in a stream that other streams of the device can wait for (a CUDA event).
class DeviceEvent {
public:
    virtual ~DeviceEvent() = default;
    /// True once all work before the event's last record has ended.
    [[nodiscard]] virtual bool hasEnded() const = 0; ///< the work before its last record has ended
    /// Returns when the work before the event's last record ended, by the stream's clock.
    [[nodiscard]] virtual std::int64_t time() const = 0; ///< end of that work, in nanoseconds
};

class Stream;

/// Work of a device's streams that was captured once and can be replayed (a CUDA graph). It uses
/// the operands of the capture.
class CapturedGraph {
public:
    virtual ~CapturedGraph() = default;
    /// Enqueues the whole graph on the stream that captured it.
    virtual void run(Stream& stream) = 0; ///< enqueues the graph on the stream that captured it
};

/// An in-order queue of a device. On a CPU, the stream's own thread runs each step to its end as it
/// is enqueued; on a GPU it is a CUDA stream. A stream may have its own clock, which then times its
/// spans.
class Stream {
public:
    virtual ~Stream() = default;
    /// The native stream handle, for kernels of the backend.
    [[nodiscard]] virtual void* handle() const = 0; ///< cudaStream_t, or the like
    /// True if a step has ended when its kernel returns.
    [[nodiscard]] virtual bool isSynchronous() const = 0;
    virtual void finish() = 0; ///< waits for all enqueued work and rethrows its failure

    // Asynchronous devices enqueue the following operations; others run them at once.
    /// Returns nullptr if the stream is synchronous, so that nobody needs to wait.
    [[nodiscard]] virtual std::unique_ptr<DeviceEvent> makeEvent() { return nullptr; }
    virtual void leave(DeviceEvent& /*event*/) {} ///< records the event at this point of the stream
    /// Makes later work wait until all work before the event has ended.
    virtual void waitFor(const DeviceEvent& /*event*/) {} ///< delays later work until the event
    /// The host side must be memory of `allocatePinned` and stay untouched until the copy has run.
    /// (A copy from pageable memory reads at once; a copy to it blocks the caller.)
    virtual void copyIn(void* device, const void* host, Bytes size);
    virtual void copyOut(void* host, const void* device, Bytes size);
    /// Captures the work that `enqueue` enqueues on this stream, and on other streams of the device
    /// that fork from it and join it by events; nothing runs. Returns nullptr if the stream is
    /// synchronous.
    [[nodiscard]] virtual std::unique_ptr<CapturedGraph>
    capture(const std::function<void()>& /*enqueue*/) {
        return nullptr;
    }
    /// Copies a box within the device; the addresses are those of the box's first elements.
    virtual void copyBox(const BoxCopy& box, std::size_t elementSize, const void* from, void* to);
    /// Calls a function on the host, in stream order.
    virtual void call(const std::function<void()>& run) { run(); } ///< on the host, in stream order
    /// Nanoseconds of the stream's own clock, else of the host's.
    [[nodiscard]] virtual std::int64_t now() const; ///< nanoseconds, by its own clock if it has one
    /// Delays later work until this time of the stream's own clock; the host's clock needs no wait.
    virtual void waitUntil(std::int64_t /*moment*/) {} ///< delays later work; by its own clock
};

[[nodiscard]] std::int64_t nowNanoseconds(); ///< by the host's steady clock

/// Copies device memory to a host address.
struct Fetch {
    void* host = nullptr;
    const void* device = nullptr;
    Bytes size = {};
};

/// Shares memory and events of one chip between processes of a host (CUDA IPC). What `take` returns
/// is valid while this object lives. Throws Error{device} if the process lacks permission.
class ChipSharing {
public:
    using Handle = std::array<std::byte, 64>; ///< as large as a CUDA IPC handle
    /// A position in an arena.
    struct Place {
        Handle memory = {};      ///< identifies the arena
        std::int64_t offset = 0; ///< in the arena, in bytes
    };

    virtual ~ChipSharing() = default;
    [[nodiscard]] virtual Place give(const void* address) = 0; ///< exports this process's memory
    [[nodiscard]] virtual void* take(const Place& place) = 0;  ///< maps memory of another process
    /// Makes an event for streams of other processes too; it has no time.
    [[nodiscard]] virtual std::unique_ptr<DeviceEvent> makeEvent() = 0;
    [[nodiscard]] virtual Handle give(const DeviceEvent& event) = 0; ///< exports the event
    /// Opens another process's event. A wait covers its last record at the time of the wait.
    [[nodiscard]] virtual std::unique_ptr<DeviceEvent> take(const Handle& event) = 0;
};

class Device {
public:
    virtual ~Device() = default;
    [[nodiscard]] virtual const DeviceSheet& sheet() const = 0;
    /// Returns the memory not allocated by this process, another process or the driver.
    [[nodiscard]] virtual Bytes freeMemory() { return sheet().memory; }
    /// True if one thread enqueues for all streams and waits for them at the end.
    [[nodiscard]] virtual bool isAsynchronous() const { return false; }
    /// Returns nullptr if other processes cannot share the device's memory.
    [[nodiscard]] virtual ChipSharing* sharing() { return nullptr; }
    /// Makes this the calling thread's current device for libraries of the backend (cudaSetDevice).
    virtual void use() {} ///< makes it the calling thread's current device (cudaSetDevice)
    /// Allocates zeroed memory whose pages the calling thread touches first. Throws Error{memory}
    /// if there is not enough.
    [[nodiscard]] virtual std::unique_ptr<Arena> allocate(Bytes size) = 0;
    /// Allocates uninitialised host memory for asynchronous copies, pinned if that matters. Free it
    /// only when no stream uses it any more.
    [[nodiscard]] virtual std::unique_ptr<Arena> allocatePinned(Bytes size) {
        return allocate(size);
    }
    /// Call on the thread that will run the stream; binds that thread to its cores.
    [[nodiscard]] virtual std::unique_ptr<Stream> makeStream(int index, int cores) = 0;
    /// Makes a stream that binds no thread, for one thread that drives many streams. Returns
    /// nullptr if the device needs none.
    [[nodiscard]] virtual std::unique_ptr<Stream> makeUnboundStream(int /*index*/) {
        return nullptr;
    }
    /// Copies synchronously from the host. No stream may use the device memory meanwhile.
    virtual void copyIn(void* device, const void* host, Bytes size) = 0;
    /// Copies from the host while streams run, to memory that no stream uses and that `place`
    /// reads; complete on return. One thread at a time. Synchronous devices copy with `copyIn`
    /// instead.
    virtual void bring(void* ahead, const void* host, Bytes size) { copyIn(ahead, host, size); }
    /// Copies prefetched data to the place where streams read it; no stream may use it meanwhile.
    virtual void place(void* device, const void* ahead, Bytes size); ///< copies data from `bring`
    /// Copies synchronously to the host. No stream may use the device memory meanwhile.
    virtual void copyOut(void* host, const void* device, Bytes size) = 0;
    /// Copies all of them synchronously to the host. Asynchronous devices synchronise once for all.
    virtual void fetch(std::span<const Fetch> all) {
        for (const Fetch& one : all) {
            copyOut(one.host, one.device, one.size);
        }
    }
};

struct Backend {      ///< a kind of devices: its kernels, and how to find and open them
    std::string name; ///< "cpu", "reference", "null", "cuda"
    /// Kernels for all devices of this backend, present or not.
    KernelList kernels;
    /// Kernels to prefer if a design allows f32 to be rounded to this precision.
    std::map<Precision, KernelList> rounding = {}; ///< preferred if f32 may be rounded so
    std::size_t alignment = 64;                    ///< alignment of every buffer in bytes
    MemorySpace space = MemorySpace::host;         ///< where the memory of its devices is
    /// Returns the sheets of this machine's devices of the backend.
    std::function<std::vector<DeviceSheet>()> find; ///< returns this machine's devices
    /// Opens "cpu:0" with that many cores. Throws Error{device} saying what is missing.
    std::function<std::unique_ptr<Device>(const std::string& device, int cores)> open;
    /// Returns the backend's optional parts on this machine; may be empty.
    std::function<std::vector<Feature>()> parts = {}; ///< optional libraries and their state
    /// Returns known limits of the kernels on such a device; empty: none.
    std::function<std::string(const DeviceSheet&)> remark = {}; ///< known limits; empty text: none
    /// Returns unique ids of the chips that this process sees, in order. Empty or absent: all
    /// processes of a host see the same chips.
    std::function<std::string()> sees = {}; ///< ids of the chips that this process can use
};

/// Returns the rate of dense products in this precision; 0 if rounding is not faster.
[[nodiscard]] double flopsPerSecondIn(Precision precision, const DeviceSheet& sheet);
/// Returns why f32 is not rounded on the device although the design allows it; empty: kernels round
/// it, and are faster by it.
[[nodiscard]] std::string whyNotRounded(Precision precision, const Backend& backend,
                                        const DeviceSheet& sheet);

/// True if the measured plans match the device's chip and library.
[[nodiscard]] bool hasMatchingPlans(const DeviceSheet& sheet);
/// Returns the properties of the chip that kernel makers receive.
[[nodiscard]] ChipKind chipKindOf(const DeviceSheet& sheet);

[[nodiscard]] std::string backendOf(const std::string& device); ///< "cuda:0/1" -> "cuda"
[[nodiscard]] std::string chipOf(const std::string& device);    ///< "cuda:0/1" -> "cuda:0"
/// "cuda:3", "cuda:3/1" -> 3; -1: not the name of a chip or worker of that backend
[[nodiscard]] int chipNumber(const std::string& device, std::string_view backend);

class BackendList {
public:
    void add(Backend backend);
    [[nodiscard]] const Backend* find(std::string_view name) const; ///< nullptr: not in this build
    [[nodiscard]] std::span<const Backend> all() const { return backends_; }

private:
    std::vector<Backend> backends_;
};

} // namespace weft
