// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records the end of a run that died without recording it.

#include <filesystem>

namespace weft {

class Error;

/// Logs that the run failed with this cause. Does nothing if the run recorded its end, still runs,
/// or is not a run. Throws Error{file} if the log cannot be written.
void logFailureOfDeadRun(const std::filesystem::path& folder, const Error& cause);

} // namespace weft
