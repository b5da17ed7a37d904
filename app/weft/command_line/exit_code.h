// SPDX-License-Identifier: Apache-2.0
#pragma once
// Maps a failure to one of the documented exit codes.

#include "command_line/command.h"
#include <weft/error.h>

namespace weft {

[[nodiscard]] inline ExitCode exitCodeOf(ErrorCode code) {
    switch (code) {
    case ErrorCode::usage: return usageError;
    case ErrorCode::design: return designError;
    case ErrorCode::numerics:
    case ErrorCode::stopped:
    case ErrorCode::bug: return runFailed;
    default: return environmentError;
    }
}

} // namespace weft
