// SPDX-License-Identifier: Apache-2.0
#pragma once
// SIGINT and SIGTERM, counted: what they mean is the command's to say. A limit on the size of files
// is no signal but an error.

namespace weft {

void catchSignals();
[[nodiscard]] int signalsSeen();

} // namespace weft
