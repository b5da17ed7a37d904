// SPDX-License-Identifier: Apache-2.0
#pragma once
// The log of one rank: workers put events into channels, the log's collector takes them out 25
// times a second and the disk's thread appends them to events.<rank>.weftlog. A disk that takes
// nothing costs the workers nothing for ten minutes; then `state` asks for a pause.

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
    flowing,
    stalled,  ///< the disk takes nothing; events are kept
    exhausted ///< what can be kept is used up: the run pauses until the state is another
};

struct LogSettings {
    int rank = 0;
    Attempt attempt = {};
    bool isNewAttempt = true; ///< else the log goes on in the one it ends with
    std::chrono::nanoseconds beat = std::chrono::milliseconds(40);
    std::chrono::nanoseconds syncEvery = std::chrono::seconds(5);
    /// How long and how much is kept while the disk takes nothing.
    std::chrono::nanoseconds reserveTime = std::chrono::minutes(10);
    std::size_t reserveBytes = std::size_t{64} << 20U;
    double spanBytesPerSecond = 1e6; ///< of the run, all ranks together
    std::int64_t spanBytes = 256'000'000;
    std::int64_t firstSpanSteps = 20; ///< of each attempt
    WriteSome writeSome = {}; ///< instead of the system's, where a test wants a disk of its own
};

/// events.<rank>.weftlog and spans.<rank> of a run's folder.
[[nodiscard]] std::filesystem::path logPath(const std::filesystem::path& folder, int rank);
[[nodiscard]] std::filesystem::path spansPath(const std::filesystem::path& folder, int rank);

class EventLog {
public:
    /// Goes on where the file ends. Throws Error{file} where it cannot be written.
    EventLog(const std::filesystem::path& folder, LogSettings settings);
    /// Closes within five seconds; what the disk does not take until then is lost.
    ~EventLog();
    EventLog(const EventLog&) = delete;
    EventLog& operator=(const EventLog&) = delete;

    /// A channel for one thread, which lives as long as the log. `spanBytes`: room for the spans of
    /// some steps.
    [[nodiscard]] EventChannel& makeChannel(std::string name, std::size_t spanBytes = 0);
    /// The same text and unit have the same index. Not in the step loop: it may allocate.
    [[nodiscard]] NameIndex intern(std::string_view text, std::string_view unit = {},
                                   bool lessIsBetter = false);
    [[nodiscard]] SpanSpacing& spacing() { return spacing_; }
    /// A worker of this rank whose spans every whole step has; told by its recorder.
    void expectSpansOf(DeviceId device);

    [[nodiscard]] std::uint32_t attempt() const { return settings_.attempt.number; }
    /// Nanoseconds of the steady clock at which the log's time is 0.
    [[nodiscard]] std::int64_t clockBegin() const { return clockBegin_; }
    [[nodiscard]] LogState state() const;
    /// "cannot write run/events.0.weftlog: No space left on device"; empty while it flows.
    [[nodiscard]] std::string stallReason() const { return disk_->stallReason(); }
    /// Times of steps that the disk would not take.
    [[nodiscard]] Bytes droppedSpans() const {
        return {static_cast<std::int64_t>(disk_->droppedSpanBytes())};
    }
    /// Everything put before is on disk, synced. Throws Error{timeout}.
    void flush(std::chrono::nanoseconds limit);
    void close(std::chrono::nanoseconds limit);

private:
    void run(const std::stop_token& stop);
    void collect();
    void putRunEvent();

    LogSettings settings_;
    std::int64_t clockBegin_;
    SpanSpacing spacing_;
    std::shared_ptr<LogDisk> disk_;
    std::thread diskThread_;

    std::mutex mutex_; ///< of channels and names
    std::vector<std::unique_ptr<EventChannel>> channels_;
    std::map<std::pair<std::string, std::string>, NameIndex> names_;
    std::vector<std::byte> newNames_;
    std::set<DeviceId> workers_;

    std::mutex collecting_;
    std::condition_variable_any wake_;
    std::vector<std::byte> events_; ///< of the collector, kept for its memory
    std::jthread collector_;
};

} // namespace weft
