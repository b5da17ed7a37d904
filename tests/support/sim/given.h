// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory and events of a simulated chip that processes share. A process with the variable
// WEFT_SIM_GIVES set to share nothing refuses.

#include "backends/cuda/runtime/seam.h"
#include "support/sim/hidden_arena.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace weft::sim {

[[nodiscard]] cuda::seam::Handle givenMemory(const HiddenArena& arena);
[[nodiscard]] std::unique_ptr<HiddenArena> takenMemory(const cuda::seam::Handle& handle);

/// How often a event was left, and how far the stream that it was left in has come.
struct SharedEventCounts {
    std::atomic<std::uint64_t> left;
    std::atomic<std::uint64_t> come;
};

/// In memory of both processes.
class SharedEvent {
public:
    /// This process's own, or that of another.
    SharedEvent();
    explicit SharedEvent(const cuda::seam::Handle& handle);

    [[nodiscard]] SharedEventCounts& counts() const;
    [[nodiscard]] cuda::seam::Handle handle() const { return givenMemory(*memory_); }
    [[nodiscard]] bool isTaken() const { return isTaken_; }

private:
    std::unique_ptr<HiddenArena> memory_;
    bool isTaken_ = false;
};

} // namespace weft::sim
