// SPDX-License-Identifier: Apache-2.0
#pragma once
// The current op of every stream of a rank, in a memory-mapped page of the run's folder. A stream
// stores the op's name and begin there, and nothing else. Other processes see what runs, and after
// a crash or kill -9 what ran.

#include "base/files/files.h"
#include <weft/events.h>
#include <weft/types.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace weft {

/// State of one stream, on a cache line of its own.
struct alignas(64) StreamActivity {
    std::atomic<std::int64_t> since = 0; ///< nanoseconds of the host's steady clock
    std::atomic<NameIndex> name = 0;     ///< index in the rank's log; 0: between two ops
    DeviceId device;
    std::uint32_t stream = 0;

    void enter(NameIndex op, std::int64_t now) {
        since.store(now, std::memory_order_relaxed);
        name.store(op, std::memory_order_release);
    }
    void leave() { name.store(0, std::memory_order_relaxed); }
};

struct ActivityStream {
    DeviceId device;
    std::uint32_t stream = 0;
};

class ActivityPage {
public:
    /// Without a page there are no places, and other processes see nothing. There is none if it
    /// cannot be mapped safely (a network file system, a full disk).
    ActivityPage(const std::filesystem::path& folder, int rank, std::uint32_t attempt,
                 std::span<const ActivityStream> streams);
    /// Removes the page, as nothing runs any more.
    ~ActivityPage();
    ActivityPage(const ActivityPage&) = delete;
    ActivityPage& operator=(const ActivityPage&) = delete;

    /// In the order of the given streams; empty without a page.
    [[nodiscard]] std::span<StreamActivity> places() const { return places_; }

private:
    std::filesystem::path path_;
    FileHandle file_;                  ///< the file that is mapped
    void* page_ = nullptr;             ///< the mapped memory; nullptr: none
    std::size_t bytes_ = 0;            ///< size of the page
    std::span<StreamActivity> places_; ///< activity of each stream
};

struct ReadActivity {
    DeviceId device;
    std::uint32_t stream = 0;
    NameIndex name = 0;     ///< op that runs or ran; index in the rank's log
    std::int64_t since = 0; ///< begin of the op, in nanoseconds of the steady clock
};

/// Returns the streams that are in an op, or were when the process of the rank died; empty if the
/// rank has no page for that attempt. The content is not trusted.
[[nodiscard]] std::vector<ReadActivity> readActivity(const std::filesystem::path& folder, int rank,
                                                     std::uint32_t attempt);

} // namespace weft
