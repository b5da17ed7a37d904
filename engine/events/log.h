// SPDX-License-Identifier: Apache-2.0
#pragma once
// The log of one rank. Workers put events into channels, the collector drains them 25 times a
// second, and the disk thread appends them to events.<rank>.weftlog. If the disk stalls, workers
// continue for ten minutes; then `state` requests a pause.

#include "events/channel.h"
#include "events/disk.h"
#include "events/spacing.h"
#include <weft/events.h>
#include <weft/runs.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace weft {

enum class LogState : std::uint8_t {
    flowing,  ///< the disk accepts data
    stalled,  ///< the disk accepts no data; events are kept in memory
    exhausted ///< no more can be kept; the run pauses until the state changes
};

struct LogSettings {
    int rank = 0;
    Attempt attempt = {};
    bool isNewAttempt = true; ///< false: the log continues its last attempt
    std::chrono::nanoseconds collectInterval = std::chrono::milliseconds(40);
    std::chrono::nanoseconds syncEvery = std::chrono::seconds(5);
    /// Limits of time and memory while the disk accepts no data.
    std::chrono::nanoseconds reserveTime = std::chrono::minutes(10);
    std::size_t reserveBytes = std::size_t{64} << 20U; ///< events kept in memory while stalled
    double spanBytesPerSecond = 1e6;                   ///< for the whole run, over all ranks
    std::int64_t spanBytes = 256'000'000; ///< limit of the size of all spans, over all ranks
    std::int64_t firstSpanSteps = 20;     ///< steps that all record spans, per attempt
    WriteSome writeSome = {};             ///< replaces the system call in tests
};

/// Return events.<rank>.weftlog and spans.<rank> in a run's folder.
[[nodiscard]] std::filesystem::path logPath(const std::filesystem::path& folder, int rank);
[[nodiscard]] std::filesystem::path spansPath(const std::filesystem::path& folder, int rank);

class EventLog {
public:
    /// Appends to an existing log. Throws Error{file} if the file cannot be written.
    EventLog(const std::filesystem::path& folder, LogSettings settings);
    /// Closes within five seconds; data that the disk has not accepted by then is lost.
    ~EventLog();
    EventLog(const EventLog&) = delete;
    EventLog& operator=(const EventLog&) = delete;

    /// Makes a channel for one thread; it lives as long as the log. `spanBytes`: buffer for the
    /// spans of some steps.
    [[nodiscard]] EventChannel& makeChannel(std::string name, std::size_t spanBytes = 0);
    /// Equal texts with equal units have equal indices. Do not call in the step loop: it may
    /// allocate. `equals`: another metric that always has the same value.
    [[nodiscard]] NameIndex intern(std::string_view text, std::string_view unit = {},
                                   bool lessIsBetter = false, std::string_view equals = {});
    [[nodiscard]] SpanSpacing& spacing() { return spacing_; }
    /// Declares a worker of this rank whose spans every complete step has; called by its recorder.
    void expectSpansOf(DeviceId device);

    [[nodiscard]] std::uint32_t attempt() const { return settings_.attempt.number; }
    /// Steady clock time in nanoseconds at which the log's time is 0.
    [[nodiscard]] std::int64_t clockBegin() const { return clockBegin_; } ///< steady clock time
    [[nodiscard]] LogState state() const;
    /// "cannot write run/events.0.weftlog: No space left on device"; empty if not stalled.
    [[nodiscard]] std::string stallReason() const { return disk_->stallReason(); }
    /// Bytes of spans that the disk did not accept.
    [[nodiscard]] Bytes droppedSpans() const { ///< not accepted by the disk
        return {static_cast<std::int64_t>(disk_->droppedSpanBytes())};
    }
    /// Blocks until all events put before are written and synced. Throws Error{timeout}.
    void flush(std::chrono::nanoseconds limit); ///< throws Error{timeout}
    void close(std::chrono::nanoseconds limit); ///< at most `limit`

private:
    void run(const std::stop_token& stop); ///< the loop of the collector thread
    void collect();                        ///< moves events from the channels to the disk thread
    void putRunEvent();                    ///< puts the event that begins an attempt

    LogSettings settings_;
    std::int64_t clockBegin_;       ///< steady clock time at which the log's time is 0
    SpanSpacing spacing_;           ///< which steps record spans
    std::shared_ptr<LogDisk> disk_; ///< writes the log on a thread of its own
    std::thread diskThread_;        ///< runs disk_

    std::mutex mutex_; ///< guards channels and names
    std::vector<std::unique_ptr<EventChannel>> channels_;
    std::map<std::pair<std::string, std::string>, NameIndex> names_; ///< by text and unit
    std::vector<std::byte> newNames_; ///< name events that are not collected yet
    std::set<DeviceId> workers_;      ///< workers of this rank that record spans

    std::mutex collecting_;            ///< held while events are collected
    std::condition_variable_any wake_; ///< wakes the collector
    std::vector<std::byte> events_;    ///< the collector's buffer, reused
    std::jthread collector_;           ///< thread that calls collect()
};

} // namespace weft
