// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many layers a design has with all copies of its groups, counted by multiplication before any
// copy is made.

#include <weft/design.h>
#include <weft/diagnostics.h>

#include <optional>

namespace weft {

/// E025, where there would be more layers or copies than the limits allow.
[[nodiscard]] std::optional<Diagnostic> refusedGrowth(const Design& design);

/// The same of a design whose groups contain themselves, found while copies are made.
[[nodiscard]] Diagnostic excessiveGrowth();

} // namespace weft
