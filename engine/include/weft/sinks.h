// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a run's report goes besides its log: the terminal, metrics.jsonl, TensorBoard's files, a
// trace. Sinks are fed from what a reader reads, never by the run itself, so that none of them can
// hold it up.

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
    /// What was read, in order, from the run's first event on.
    virtual void take(const RunReader& reader, const RunNews& news) = 0;
    /// Nothing more comes.
    virtual void finish() {}
};

/// How long a run is meant to be, for a bar that fills; whichever is reached first ends it, 0 is no
/// limit.
struct RunGoal {
    std::int64_t steps = 0;
    double epochs = 0;
    double seconds = 0;
};

/// Where a sink writes. Files go into the run's folder, text to `out`.
struct SinkPlace {
    std::filesystem::path folder = {};
    std::ostream* out = nullptr;
    bool isTerminal = false; ///< lines can be drawn over
    bool hasColour = false;
    int width = 80;
    std::function<RunGoal()> goal = {}; ///< asked whenever an attempt begins; empty: none
};

/// The standard output as it is: a terminal or not, its width; no colour where NO_COLOR asks for
/// none.
[[nodiscard]] SinkPlace standardOutput();

struct SinkInfo {
    std::string name; ///< "terminal"
    std::string help; ///< one sentence
};
[[nodiscard]] std::vector<SinkInfo> sinkKinds();
/// Throws Error{usage} for a name that is none of `sinkKinds`.
void requireSink(std::string_view name);
/// Requires a known name.
[[nodiscard]] std::unique_ptr<RunSink> makeSink(std::string_view name, const SinkPlace& place);

/// Feeds the sinks until the run has ended, or until a stop is requested and all that was written
/// is read. A sink that throws is told to `broken` and gets nothing more.
void followRun(RunReader& reader, std::span<const std::unique_ptr<RunSink>> sinks,
               const std::stop_token& stop, const std::function<void(const Error&)>& broken);

/// Chrome's trace format, which Perfetto loads: a process per device, a thread per stream, a span
/// per op, collective and wait; a process of its own for the steps.
void writeTrace(const Timeline& timeline, const std::filesystem::path& path);

} // namespace weft
