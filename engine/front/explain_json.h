// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every stage as JSON: the same facts as its text, for a program to read.

#include "base/json.h"
#include "schedule/program.h"

namespace weft {

[[nodiscard]] Json asJson(const Graph& graph);
[[nodiscard]] Json asJson(const Plan& plan);
/// Which kernel computes what, and why faster ones refused.
[[nodiscard]] Json kernelsJson(const Program& program);
/// Arenas, the peak and what makes it, every block with its life.
[[nodiscard]] Json memoryJson(const Program& program);
/// Streams, steps, waits, buffers, prices.
[[nodiscard]] Json programJson(const Program& program);

} // namespace weft
