// SPDX-License-Identifier: Apache-2.0
#pragma once
// Outputs of a run's report besides its log: the terminal, metrics.jsonl, TensorBoard files, a
// trace. A reader of the log feeds them, not the run itself, so that no sink can slow it down.

#include <weft/runs.h>

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

class RunSink {
public:
    virtual ~RunSink() = default;
    /// Takes the news in order, starting with the run's first event.
    virtual void take(const RunReader& reader, const RunNews& news) = 0;
    /// Called after the last news.
    virtual void finish() {}
};

/// The limits of a run, for a progress bar; the run ends at the first limit reached. 0: no limit.
struct RunGoal {
    std::int64_t steps = 0; ///< 0: no limit
    double epochs = 0;      ///< 0: no limit
    double seconds = 0;     ///< 0: no limit
};

/// Destination of a sink. Files go to the run's folder, text to `out`.
struct SinkPlace {
    std::filesystem::path folder = {}; ///< run directory, for sinks that write files
    std::ostream* out = nullptr;       ///< stream, for sinks that print
    bool isTerminal = false;           ///< true: lines can be overwritten
    bool hasColour = false;
    int width = 80;                     ///< characters per line
    std::function<RunGoal()> goal = {}; ///< called whenever an attempt begins; empty: no goal
};

/// Describes the standard output: whether it is a terminal, its width, and no colour if NO_COLOR is
/// set.
[[nodiscard]] SinkPlace standardOutput();

struct SinkInfo {
    std::string name; ///< "terminal"
    std::string help; ///< one sentence
};
[[nodiscard]] std::vector<SinkInfo> sinkKinds();
/// Throws Error{usage} if the name is not in `sinkKinds`.
void requireSink(std::string_view name);
/// Creates a sink; the name must be in `sinkKinds`.
[[nodiscard]] std::unique_ptr<RunSink> makeSink(std::string_view name, const SinkPlace& place);

/// Feeds the sinks until the run has ended, or until a stop is requested and everything written is
/// read. A sink that throws is reported to `broken` and receives nothing more.
void followRun(RunReader& reader, std::span<const std::unique_ptr<RunSink>> sinks,
               const std::stop_token& stop, const std::function<void(const Error&)>& broken);

/// Writes Chrome's trace format, which Perfetto loads: a process per device, a thread per stream, a
/// span per op, collective and wait, and one process for the steps.
void writeTrace(const Timeline& timeline, const std::filesystem::path& path);

} // namespace weft
