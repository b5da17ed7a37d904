// SPDX-License-Identifier: Apache-2.0
#pragma once
// Maps a failure to one of the documented exit codes.

#include "command_line/command.h"
#include <weft/error.h>

namespace weft {

[[nodiscard]] inline ExitCode exitCodeOf(ErrorCode code) {
    switch (code) {
    case ErrorCode::usage: return usageWrong;
    case ErrorCode::design: return designWrong;
    case ErrorCode::numerics:
    case ErrorCode::stopped:
    case ErrorCode::bug: return runFailed;
    default: return worldFailed;
    }
}

} // namespace weft
