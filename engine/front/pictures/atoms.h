// SPDX-License-Identifier: Apache-2.0
#pragma once
// Computes the figures of one dictionary atom, and estimates their cost.

#include "front/pictures/atom_spectrum.h"
#include <weft/atoms.h>

namespace weft {

/// Returns the figures of an atom. `frame` is the frame with most energy, `energy` the sum over all
/// frames.
[[nodiscard]] AtomFigures figuresOf(const Patch& frame, double energy);

/// Returns the approximate number of operations for one atom's figures.
[[nodiscard]] double operationsFor(const Patch& frame);

} // namespace weft
