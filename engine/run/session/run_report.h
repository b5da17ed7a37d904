// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a run's files other than its logs: metrics.jsonl and log.txt always, other sinks on
// request, and figures.json at the end. A separate thread reads the logs, as any viewer does, so
// that the run never waits.

#include <weft/sinks.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace weft {

class RunReport {
public:
    /// Throws Error{usage} for an unknown sink.
    RunReport(const std::filesystem::path& folder, std::uint32_t attempt,
              std::vector<std::string> sinks);
    /// Processes everything written so far and ends. Returns the messages of the sinks that failed.
    std::vector<std::string> finish();

private:
    std::vector<std::string> problems_; ///< owned by the thread until it has ended
    std::vector<std::unique_ptr<RunSink>> sinks_;
    std::jthread thread_;
};

} // namespace weft
