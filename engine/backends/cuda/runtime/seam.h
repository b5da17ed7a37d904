// SPDX-License-Identifier: Apache-2.0
#pragma once
// The interface to CUDA's runtime. Implemented twice: by the runtime (runtime.cpp) and by a fake
// (tests/support/sim), with which this folder is tested without a GPU. Failures throw Error{device}
// or Error{memory}.

#include "backends/cuda/kernels/stream_handle.h"
#include "device/box_copy.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

struct CUevent_st;
struct CUgraphExec_st;

namespace weft::cuda {

using Event = CUevent_st*;
using Graph = CUgraphExec_st*;

namespace seam {

/// The number of GPUs, and `why` there are none.
struct Survey {
    int devices = 0;      ///< number of GPUs
    std::string why = {}; ///< why there is no GPU; else empty
};
[[nodiscard]] Survey survey(); ///< counts the GPUs

struct Chip {
    std::string name;
    int major = 0; ///< major part of the compute capability, as in 9.0
    int minor = 0;
    std::int64_t memory = 0; ///< in bytes
    int processors = 0;      ///< streaming multiprocessors
    double cyclesPerSecond = 0;
    double bytesPerSecond = 0; ///< peak memory bandwidth
    std::string serial = {};   ///< unique id of the GPU
};
[[nodiscard]] Chip chip(int number); ///< properties of GPU `number`

/// Makes the device current for this thread.
void use(int number); ///< makes GPU `number` current

/// Bytes on the thread's current device.
[[nodiscard]] std::int64_t freeMemory(); ///< bytes, current GPU
/// Returns zeroed memory.
[[nodiscard]] void* allocate(std::int64_t bytes);
void release(void* memory) noexcept;

/// Allocates page-locked host memory, which copies read and write directly.
[[nodiscard]] void* allocatePinned(std::int64_t bytes);
void releasePinned(void* memory) noexcept;

[[nodiscard]] StreamHandle makeStream();
void release(StreamHandle stream) noexcept;
/// Waits for all work on the stream and rethrows its failure.
void finish(StreamHandle stream);
/// Throws if an earlier launch failed.
void requireLaunched(); ///< throws if an earlier launch failed

/// Asynchronous, in stream order, if the host memory is pinned. Otherwise a source is read during
/// the call and a destination is waited for, and neither may be captured.
void copyIn(StreamHandle stream, void* device, const void* host, std::int64_t bytes);
void copyOut(StreamHandle stream, void* host, const void* device, std::int64_t bytes);
/// Copies within the stream's device.
void copyBox(StreamHandle stream, const BoxCopy& box, std::size_t elementSize, const void* from,
             void* to);
/// Calls a function on a host thread in stream order; `finish` rethrows its exception.
void call(StreamHandle stream, std::function<void()> run);

[[nodiscard]] Event makeEvent();
void release(Event event) noexcept;
void record(Event event, StreamHandle stream);
void wait(StreamHandle stream, Event event);
[[nodiscard]] bool hasEnded(Event event);
/// Waits for all work before the event's last record, if there is one.
void finish(Event event);
/// Nanoseconds between two ended events.
[[nodiscard]] std::int64_t between(Event first, Event second); ///< nanoseconds

/// Handles for other processes on the same GPU. Memory must be a whole allocation.
using Handle = std::array<std::byte, 64>; ///< names memory or an event, for other processes
[[nodiscard]] Handle exportMemory(void* memory);
/// Opens memory of another process.
[[nodiscard]] void* openMemory(const Handle& handle);
void closeMemory(void* taken) noexcept;
/// Makes an event for use by other processes too, without timing.
[[nodiscard]] Event makeSharedEvent();
[[nodiscard]] Handle exportEvent(Event event);
[[nodiscard]] Event openEvent(const Handle& handle);

/// Captures, without running, what this thread enqueues on the stream and on streams that wait for
/// it.
void beginCapture(StreamHandle stream);
/// Returns the captured graph; throws if the capture is incomplete.
[[nodiscard]] Graph endCapture(StreamHandle stream);
/// Discards the current capture.
void dropCapture(StreamHandle stream) noexcept;
void launch(Graph graph, StreamHandle stream);
void release(Graph graph) noexcept;

} // namespace seam

} // namespace weft::cuda
