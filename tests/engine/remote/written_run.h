// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run that writes its folder as a run does, and nothing else: for those who read such folders.

#include "events/log.h"
#include "events/run_directory.h"
#include "events/segments.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace weft::test {

class WrittenRun {
public:
    explicit WrittenRun(const std::filesystem::path& folder);
    ~WrittenRun();
    WrittenRun(const WrittenRun&) = delete;
    WrittenRun& operator=(const WrittenRun&) = delete;

    /// So many steps more, with their lines and spans, on disk.
    void steps(int count);
    /// Its end is written and the folder let go.
    void end();
    /// As if it was killed, and resumed.
    void beginAgain();

private:
    void open();

    std::filesystem::path folder_;
    std::optional<RunDirectory> directory_;
    std::unique_ptr<EventLog> log_;
    EventChannel* channel_ = nullptr;
    SpanSegments spans_;
    std::int64_t step_ = 0;
};

/// That files of one folder are in the other, to the byte: of what a copy has of its own accord.
/// Empty: they are; else the first that is not.
[[nodiscard]] std::string differenceOf(const std::filesystem::path& run,
                                       const std::filesystem::path& copy);

} // namespace weft::test
