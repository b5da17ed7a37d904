// SPDX-License-Identifier: Apache-2.0
#pragma once
// The end of a run that could not write it itself, written by whoever outlives it.

#include <filesystem>

namespace weft {

class Error;

/// The run ended without a word: from here on it failed, of that cause. Where it said how it ended,
/// or lives, or is no run, nothing is written. Throws Error{file} where the log cannot be.
void writeLastWords(const std::filesystem::path& folder, const Error& cause);

} // namespace weft
