// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks the invariants of a design, whatever file or edits it comes from.

#include <weft/design.h>

#include <string>

namespace weft {

/// Returns a sentence about the first violated invariant, or an empty string.
[[nodiscard]] std::string brokenInvariant(const Design& design);

/// Returns a sentence about the first invariant that the layer violates, or an empty string.
[[nodiscard]] std::string brokenInvariant(const Layer& layer);

} // namespace weft
