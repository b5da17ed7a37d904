// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run's news as lines of JSON on the standard output, as they come: {"event": "step", ...}.

#include <weft/sinks.h>

#include <memory>

namespace weft {

[[nodiscard]] std::unique_ptr<RunSink> makeJsonLines();

} // namespace weft
