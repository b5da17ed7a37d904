// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rounds of every repeat of a plan laid one behind the other, as programs run them: what is
// carried is handed on, what is sliced is cut, what is summed or collected is put together. The
// plan itself keeps the node with its body; only programs are made of this.

#include "place/plan.h"

#include <memory>

namespace weft {

/// The plan itself where nothing repeats.
[[nodiscard]] std::shared_ptr<const Plan> unrolled(std::shared_ptr<const Plan> plan);

/// How a value lies that has a dim of rounds before the others.
[[nodiscard]] Placements withRounds(Placements placements);
/// And one round of it: what was split on the rounds is whole.
[[nodiscard]] Placements withoutRounds(Placements placements);

} // namespace weft
