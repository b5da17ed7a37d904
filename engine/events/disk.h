// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a rank's log on a thread of its own: takes frames from the collector, appends them to the
// file, and keeps and retries what the disk does not accept. Only this thread blocks on a slow
// disk.

#include "base/files/files.h"
#include "events/segments.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// Writes some of the bytes at the offset; returns the number written, or -1 and errno.
using WriteSome =
    std::function<std::int64_t(int descriptor, std::span<const std::byte>, std::uint64_t offset)>;

class LogDisk {
public:
    struct Batch {
        std::vector<std::byte> frames; ///< frames for the log
        std::vector<std::byte> spans;  ///< events for the segments
        std::int64_t spacing = 1;      ///< spacing of the steps with spans
        std::uint32_t parts = 1;       ///< parts of a complete step, one per worker
    };

    /// Opens the log at its end and cuts off a torn last frame.
    LogDisk(std::filesystem::path path, SpanSegments segments, std::chrono::nanoseconds syncEvery,
            WriteSome writeSome);

    void run(); ///< the loop of the disk thread, until `finish`

    void enqueue(Batch batch); ///< queues the batch for writing
    /// Returns an empty batch, in reused memory if available.
    [[nodiscard]] Batch emptyBatch();
    /// Blocks until everything given is written and synced.
    void flush(std::chrono::nanoseconds limit); ///< everything given so far; throws Error{timeout}
    /// Makes `run` return when everything is written; after `abandon`, at its next check.
    void finish();  ///< `run` returns once everything is written
    void abandon(); ///< with `finish`: `run` returns without writing the rest

    [[nodiscard]] std::size_t queuedBytes() const {
        return queuedBytes_.load(std::memory_order_relaxed);
    }
    /// Steady clock time since which the disk has not accepted data; 0 while it does.
    [[nodiscard]] std::int64_t stalledSince() const {
        return stalledSince_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::string stallReason() const;
    [[nodiscard]] std::uint64_t droppedSpanBytes() const {
        return droppedSpanBytes_.load(std::memory_order_relaxed);
    }
    /// Called periodically: reports a stall if a batch has waited too long without an error.
    void checkForStall(std::int64_t now); ///< reports a batch that waits for too long

private:
    bool writeFrames(std::span<const std::byte> frames); ///< false: the disk did not accept them
    void writeSpans(const Batch& batch); ///< counts them as dropped if they cannot be written
    void sync();                         ///< fsync of the log
    void stall(std::string reason);      ///< notes that the disk accepts nothing

    std::filesystem::path path_; ///< path of the log
    FileHandle file_;
    std::uint64_t offset_ = 0; ///< where the next frames are written
    SpanSegments segments_;
    std::chrono::nanoseconds syncEvery_; ///< longest time between syncs
    WriteSome writeSome_;
    bool isDirty_ = false;           ///< written since the last sync
    std::int64_t syncedAt_ = 0;      ///< steady clock time of the last sync
    std::int64_t spansFailedAt_ = 0; ///< steady clock time; 0: the last write succeeded

    mutable std::mutex mutex_;                   ///< guards the members below
    std::condition_variable changed_;            ///< any of the members below
    std::deque<Batch> queue_;                    ///< batches to write
    std::vector<Batch> empty_;                   ///< written batches, for reuse
    std::string reason_;                         ///< why the disk is stalled; empty: it is not
    std::uint64_t enqueuedBatches_ = 0;          ///< number of batches given so far
    std::uint64_t writtenBatches_ = 0;           ///< number of batches written so far
    std::uint64_t syncUpToBatch_ = 0;            ///< sync at least so many batches
    std::uint64_t syncedBatches_ = 0;            ///< number of batches that are written and synced
    std::int64_t waitingSince_ = 0;              ///< since the current batch waits
    bool isFinishing_ = false;                   ///< `finish` was called
    bool isAbandoned_ = false;                   ///< `abandon` was called
    std::atomic<std::size_t> queuedBytes_ = 0;   ///< bytes of frames and spans that wait
    std::atomic<std::int64_t> stalledSince_ = 0; ///< steady clock time; 0: not stalled
    std::atomic<std::uint64_t> droppedSpanBytes_ = 0;
};

} // namespace weft
