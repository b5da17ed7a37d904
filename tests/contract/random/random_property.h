// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random trials as a property of rapidcheck: drawn, run, and on a failure shrunk and printed with
// its design. Free of Qt.

#include "support/trained.h"

#include <cstdint>

namespace weft::test {

/// Another seed every time.
inline constexpr std::uint64_t anySeed = 0;

/// Runs so many designs; true when all kept their promises. The seed is printed; RC_PARAMS
/// ("seed=17", or the line that a failure prints) goes before it.
[[nodiscard]] bool holdsForRandomDesigns(CommunicatorKind communicator, int designs,
                                         std::uint64_t seed);

} // namespace weft::test
