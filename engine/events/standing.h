// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where every stream of a rank is, in a page of the run's folder that outlives its process: a
// stream stores the name of its op there and when it began, and nothing else. Whoever looks on from
// outside sees what runs; after a crash, or kill -9, it still says what ran.

#include "base/files.h"
#include <weft/events.h>
#include <weft/types.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace weft {

/// State of one stream, on a cache line of its own.
struct alignas(64) StandingPlace {
    std::atomic<std::int64_t> since = 0; ///< nanoseconds of the host's steady clock
    std::atomic<NameIndex> name = 0;     ///< as the rank's log knows it; 0: between two ops
    DeviceId device;
    std::uint32_t stream = 0;

    void enter(NameIndex op, std::int64_t now) {
        since.store(now, std::memory_order_relaxed);
        name.store(op, std::memory_order_release);
    }
    void leave() { name.store(0, std::memory_order_relaxed); }
};

struct StandingStream {
    DeviceId device;
    std::uint32_t stream = 0;
};

class Standing {
public:
    /// Where the page cannot be had, or writing to it might end the process (a network file system,
    /// a full disk), there are no places, and nobody outside knows.
    Standing(const std::filesystem::path& folder, int rank, std::uint32_t attempt,
             std::span<const StandingStream> streams);
    /// Nothing runs any more: the page goes.
    ~Standing();
    Standing(const Standing&) = delete;
    Standing& operator=(const Standing&) = delete;

    /// In the order of the streams given; empty where there is no page.
    [[nodiscard]] std::span<StandingPlace> places() const { return places_; }

private:
    std::filesystem::path path_;
    FileHandle file_;
    void* page_ = nullptr;
    std::size_t bytes_ = 0;
    std::span<StandingPlace> places_;
};

struct StandingMark {
    DeviceId device;
    std::uint32_t stream = 0;
    NameIndex name = 0;
    std::int64_t since = 0;
};

/// Returns the streams that are in an op, or were when the process of the rank died; empty if the
/// rank has no page for that attempt. The content is not trusted.
[[nodiscard]] std::vector<StandingMark> readStanding(const std::filesystem::path& folder, int rank,
                                                     std::uint32_t attempt);

} // namespace weft
