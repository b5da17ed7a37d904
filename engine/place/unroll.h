// SPDX-License-Identifier: Apache-2.0
#pragma once
// Unrolls a repeat into its iterations one after another: carried values are passed on, sliced
// operands are cut, summed and collected results are assembled. Needed if devices communicate
// within an iteration; other repeats stay one node with a body.

#include "place/plan.h"

#include <memory>
#include <string>

namespace weft {

/// Which repeats are unrolled: those that must be, or all (for comparing the two ways).
enum class UnrollScope : std::uint8_t { needed, all }; ///< which repeats to unroll

/// Returns the plan itself if nothing needs to be unrolled.
[[nodiscard]] std::shared_ptr<const Plan> unrolled(std::shared_ptr<const Plan> plan,
                                                   UnrollScope scope = UnrollScope::needed);

/// True if the iterations of this body must be steps of their own: a collective within the body or
/// an inner repeat moves elements between devices, or an inner repeat draws random numbers, whose
/// keys depend on both iterations.
[[nodiscard]] bool needsUnrolling(const Plan& body);

/// Returns " iteration 3", the suffix of roles of an iteration's nodes. It depends on the position,
/// so that a backward iteration draws the same numbers as the forward iteration at its position.
[[nodiscard]] std::string roundName(std::int64_t position); ///< " iteration 3"

/// Returns the placements of a value with an additional first dim for the iterations.
[[nodiscard]] Placements withRounds(Placements placements); ///< with a first dim of iterations
/// Returns the placements of one iteration; a split of the iterations' dim becomes Replicated.
[[nodiscard]] Placements withoutRounds(Placements placements); ///< without that dim

} // namespace weft
