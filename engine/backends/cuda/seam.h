// SPDX-License-Identifier: Apache-2.0
#pragma once
// All that this folder asks of CUDA's runtime, named after what is meant. It is written twice: by
// the runtime (runtime.cpp), and by a stand-in (tests/support/sim), on which the rest of this
// folder is proved where there is no chip. What fails throws Error{device}, or Error{memory}.

#include "backends/cuda/stream_handle.h"
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

/// What this machine has; `why` there is nothing.
struct Survey {
    int devices = 0;
    std::string why = {};
};
[[nodiscard]] Survey survey();

struct Chip {
    std::string name;
    int major = 0; ///< of its generation: 9.0
    int minor = 0;
    std::int64_t memory = 0; ///< in bytes
    int processors = 0;
    double cyclesPerSecond = 0;
    double bytesPerSecond = 0; ///< of its memory, at best
    std::string serial = {};   ///< that no other chip has
};
[[nodiscard]] Chip chip(int number);

/// What this thread says next is said to that device.
void use(int number);

/// In bytes, of the device that this thread speaks to.
[[nodiscard]] std::int64_t freeMemory();
/// Zeroed.
[[nodiscard]] void* allocate(std::int64_t bytes);
void release(void* memory) noexcept;

/// Allocates page-locked host memory, which copies read and write directly.
[[nodiscard]] void* allocatePinned(std::int64_t bytes);
void releasePinned(void* memory) noexcept;

[[nodiscard]] StreamHandle makeStream();
void release(StreamHandle stream) noexcept;
/// Waits for all that it holds; throws what became of it.
void finish(StreamHandle stream);
/// Throws where what was launched before cannot run.
void requireLaunched();

/// In the stream's turn where the host's memory is pinned, and this thread goes on at once. A
/// pageable source is read at the call, a pageable destination is waited for; neither may be
/// captured.
void copyIn(StreamHandle stream, void* device, const void* host, std::int64_t bytes);
void copyOut(StreamHandle stream, void* host, const void* device, std::int64_t bytes);
/// Between places of the stream's device.
void copyBox(StreamHandle stream, const BoxCopy& box, std::size_t elementSize, const void* from,
             void* to);
/// By a thread of the host, in its turn; what it throws is thrown by `finish`.
void call(StreamHandle stream, std::function<void()> run);

[[nodiscard]] Event makeEvent();
void release(Event event) noexcept;
void record(Event event, StreamHandle stream);
void wait(StreamHandle stream, Event event);
[[nodiscard]] bool hasEnded(Event event);
/// Waits for all before it where it was last left, if it was.
void finish(Event event);
/// Nanoseconds from one that has ended to another.
[[nodiscard]] std::int64_t between(Event first, Event second);

/// What processes on one chip give each other. Of memory: what was allocated whole.
using Handle = std::array<std::byte, 64>;
[[nodiscard]] Handle giveMemory(void* memory);
/// Not this process's own.
[[nodiscard]] void* takeMemory(const Handle& handle);
void dropMemory(void* taken) noexcept;
/// For other processes too; it tells no time.
[[nodiscard]] Event makeSharedEvent();
[[nodiscard]] Handle giveEvent(Event event);
[[nodiscard]] Event takeEvent(const Handle& handle);

/// What this thread now says to the stream, and to those that wait for it, is kept and not run.
void beginCapture(StreamHandle stream);
/// What was kept; throws where it makes no whole.
[[nodiscard]] Graph endCapture(StreamHandle stream);
/// Nothing is kept of what was begun.
void dropCapture(StreamHandle stream) noexcept;
void launch(Graph graph, StreamHandle stream);
void release(Graph graph) noexcept;

} // namespace seam

} // namespace weft::cuda
