// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a run writes besides its logs: metrics.jsonl and log.txt always, other sinks as asked, and
// figures.json at its end. It reads the logs on a thread of its own, as any watcher does, so that
// the run never waits for it.

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
    /// Throws Error{usage} for a sink that there is not.
    RunReport(const std::filesystem::path& folder, std::uint32_t attempt,
              std::vector<std::string> sinks);
    /// Takes what was written until now, then ends; what each sink that broke said.
    std::vector<std::string> finish();

private:
    std::vector<std::string> problems_; ///< of the thread, until it has ended
    std::vector<std::unique_ptr<RunSink>> sinks_;
    std::jthread thread_;
};

} // namespace weft
