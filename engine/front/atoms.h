// SPDX-License-Identifier: Apache-2.0
#pragma once
// One atom's figures, and what it takes to make them.

#include "front/atom_spectrum.h"
#include <weft/atoms.h>

namespace weft {

/// `frame` is the strongest of the atom's, `energy` that of all of them.
[[nodiscard]] AtomFigures figuresOf(const Patch& frame, double energy);

/// Multiplications and additions of one atom's figures, about.
[[nodiscard]] double workOf(const Patch& frame);

} // namespace weft
