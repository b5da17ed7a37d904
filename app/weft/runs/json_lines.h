// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prints run events to the standard output as lines of JSON, in the order in which they arrive:
// {"event": "step", ...}.

#include <weft/sinks.h>

#include <memory>

namespace weft {

[[nodiscard]] std::unique_ptr<RunSink> makeJsonLines();

} // namespace weft
