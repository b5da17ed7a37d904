// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every compiler stage as JSON: the same facts as its text, for programs to read.

#include "base/text/json.h"
#include "schedule/program.h"

namespace weft {

[[nodiscard]] Json asJson(const Graph& graph);
[[nodiscard]] Json asJson(const Plan& plan);
/// Returns which kernel computes each op, and why faster kernels refused it.
[[nodiscard]] Json kernelsJson(const Program& program);
/// Returns the arenas, the values alive at the peak, and each memory block with its lifetime.
[[nodiscard]] Json memoryJson(const Program& program);
/// Returns streams and steps, with the waits, buffers and predicted time of each step.
[[nodiscard]] Json programJson(const Program& program);

} // namespace weft
