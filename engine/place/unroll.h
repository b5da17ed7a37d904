// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rounds of a repeat laid one behind the other: what is carried is handed on, what is sliced is
// cut, what is summed or collected is put together. Programs are made so of rounds in which devices
// exchange something; all other repeats stay what they are in the plan, one node with its body.

#include "place/plan.h"

#include <memory>
#include <string>

namespace weft {

/// Which repeats are laid out: those that must be, or all, to hold the ones against the others.
enum class Laying : std::uint8_t { needed, all };

/// The plan itself where nothing is to be laid out.
[[nodiscard]] std::shared_ptr<const Plan> unrolled(std::shared_ptr<const Plan> plan,
                                                   Laying laying = Laying::needed);

/// Whether the rounds of this body must be steps of their own: a change of placement in it, or in a
/// repeat inside it, moves elements between devices; or a repeat inside it draws random numbers,
/// whose keys are of the rounds of both.
[[nodiscard]] bool needsLaying(const Plan& body);

/// " iteration 3": what the role of a node ends with that stands in one; by the position, so that a
/// round of the backward repeat draws what the forward round of its position drew.
[[nodiscard]] std::string roundName(std::int64_t position);

/// How a value lies that has a dim of rounds before the others.
[[nodiscard]] Placements withRounds(Placements placements);
/// And one round of it: what was split on the rounds is whole.
[[nodiscard]] Placements withoutRounds(Placements placements);

} // namespace weft
