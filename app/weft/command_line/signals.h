// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts SIGINT and SIGTERM; each command decides what they do. SIGXFSZ is ignored, so that a file
// size limit is an error.

namespace weft {

void countSignals();             ///< counts SIGINT and SIGTERM from now on
[[nodiscard]] int signalCount(); ///< number of SIGINT and SIGTERM

} // namespace weft
