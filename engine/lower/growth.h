// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts the layers of a design with all copies of its groups by multiplication, before any copy is
// made.

#include <weft/design.h>
#include <weft/diagnostics.h>

#include <optional>

namespace weft {

/// Returns E025 if there would be more layers or copies than the limits allow.
[[nodiscard]] std::optional<Diagnostic> growthProblem(const Design& design);

/// Returns the same diagnostic for groups that contain themselves, which is found while copies are
/// made.
[[nodiscard]] Diagnostic excessiveGrowthProblem();

} // namespace weft
