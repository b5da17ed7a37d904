// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every compiler stage as JSON: the same facts as its text, for programs to read.

#include "base/text/json.h"
#include "schedule/program.h"

namespace weft {

[[nodiscard]] Json asJson(const Graph& graph);
[[nodiscard]] Json asJson(const Plan& plan);
/// Which kernel computes each op, and why faster ones refused.
[[nodiscard]] Json kernelsJson(const Program& program);
/// Arenas, the peak and its values, every block with its lifetime.
[[nodiscard]] Json memoryJson(const Program& program);
/// Streams, steps, waits, buffers, prices.
[[nodiscard]] Json programJson(const Program& program);

} // namespace weft
