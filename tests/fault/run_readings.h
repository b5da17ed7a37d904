// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reading damaged run directories as the program and the window do: each reading ends with what the
// run says or with an Error that helps, takes two seconds of a processor at most, and memory in
// proportion to the run.

#include "damaged_run.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace weft::test {

/// Returns which guarantee a reading of the run has broken, or an empty text. `isThorough`:
/// includes slow readings such as a preview of its design.
[[nodiscard]] std::string brokenInvariant(const std::filesystem::path& run, bool isThorough);

/// Damages a run that many times and reads it each time; empty, or the damage and what came of it.
/// The seed is printed. A reading that never ends is named after a minute, and ends the test.
[[nodiscard]] std::string readDamagedRuns(int cases, std::uint64_t seed);

/// The same with the verbs of the program, among them `resume`.
[[nodiscard]] std::string runVerbsOnDamagedRuns(int cases, std::uint64_t seed);

} // namespace weft::test
