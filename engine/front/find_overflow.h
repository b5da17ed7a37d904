// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which device would not hold what is planned for it: a warning that names it, the layer that makes
// most of it and what would mend it.

#include <weft/preview.h>

namespace weft {

/// Adds to the problems of a preview whose devices are known.
void findOverflow(Preview& preview, const Design& design);

} // namespace weft
