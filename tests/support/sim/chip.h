// SPDX-License-Identifier: Apache-2.0
#pragma once
// A chip that is not there: streams that run their work later, memory that the host may not touch.
// What CUDA's backend asks of the runtime is answered by such chips (seam.cpp).

#include "backends/cuda/kernels/stream_handle.h"
#include "support/sim/hidden_arena.h"
#include "support/sim/streams.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace weft::sim {

constexpr std::int64_t chipMemory = 16'000'000'000;

class SimChip {
public:
    explicit SimChip(unsigned seed) : streams_(seed) {}

    [[nodiscard]] Streams& streams() { return streams_; }
    [[nodiscard]] void* allocate(std::int64_t bytes);
    /// Memory of it that another process has allocated.
    [[nodiscard]] void* add(std::unique_ptr<HiddenArena> arena);
    /// One that begins there.
    [[nodiscard]] const HiddenArena& arenaAt(const void* address) const;
    /// Returns the free memory: all of it minus the amount in the variable WEFT_SIM_TAKEN.
    [[nodiscard]] std::int64_t freeMemory() const;
    /// False: that memory is another's.
    bool release(void* memory);
    /// Where the chip itself finds what the host knows by that address.
    [[nodiscard]] std::byte* behind(const void* hidden) const;

private:
    Streams streams_;
    mutable std::mutex mutex_;
    std::map<const void*, std::unique_ptr<HiddenArena>> arenas_;
};

/// Simulates a CUDA stream.
struct ChipStream {
    SimChip* chip = nullptr;
    int stream = 0;

    void enqueue(const std::string& name, std::vector<Use> uses, std::function<void()> run,
                 std::function<bool()> mayRun = {}) const {
        chip->streams().enqueue(stream, name, std::move(uses), std::move(run), std::move(mayRun));
    }
};
[[nodiscard]] ChipStream& streamBehind(void* stream);
/// The number of the chip that this thread speaks to.
[[nodiscard]] int chosenChip();

/// That this process sees, by the numbers that they have on their host: those of the variable
/// WEFT_SIM_CHIPS, "0,3"; two without it.
[[nodiscard]] std::vector<std::string> chipsHere();

/// Returns the value of the variable WEFT_SIM_SEED, which determines the execution order;
/// default 1.
[[nodiscard]] unsigned seed();

} // namespace weft::sim
