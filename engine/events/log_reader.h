// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads one rank's log event by event, from the start and as it grows. Keeps the names of every
// attempt, to which the events of the log and the spans refer.

#include "events/frame.h"
#include <weft/events.h>
#include <weft/runs.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace weft {

struct LogName {
    std::string text;
    std::string unit;
    bool lessIsBetter = false;
    std::string equals = {}; ///< another metric that always has the same value; empty: none
};

class LogReader {
public:
    explicit LogReader(std::filesystem::path path);

    /// Passes on the events of whole frames until about `bytes` are read; returns true if more can
    /// be read at once. Skips damaged frames. Throws Error{format} if a frame's events do not fit
    /// its length.
    bool read(std::size_t bytes, const std::function<void(const EventView&)>& take);

    /// The attempt whose events are being read; 0 before the first.
    [[nodiscard]] std::uint32_t attempt() const { return attempt_; }
    /// Returns nullptr if the log has no such name.
    [[nodiscard]] const LogName* name(NameIndex index) const { return name(attempt_, index); }
    [[nodiscard]] const LogName* name(std::uint32_t attempt, NameIndex index) const;
    [[nodiscard]] std::uint64_t skipped() const { return file_.skipped(); } ///< damaged bytes
    [[nodiscard]] std::uint64_t position() const { return file_.position(); }
    /// Continues at the first whole frame from `offset`.
    void skipTo(std::uint64_t offset) { file_.seek(offset); } ///< offset in the log

private:
    void learn(const EventView& event); ///< takes names and attempts

    std::filesystem::path path_;
    FrameFile file_;
    std::uint32_t attempt_ = 0; ///< attempt of the event read last; 0: none
    std::map<std::uint32_t, std::vector<LogName>> names_; ///< by attempt; index 0 is the empty name
};

} // namespace weft
