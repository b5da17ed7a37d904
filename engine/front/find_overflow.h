// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which device or host would not hold what is planned for it: a warning that names it, the layer
// that makes most of it and what would mend it. What is advised was worked out and fits.

#include "run/registry.h"
#include <weft/preview.h>

namespace weft {

/// Adds to the problems of a preview, which is of that design and request.
void findOverflow(Preview& preview, const Design& design, const PreviewRequest& request,
                  const Registry& registry);

} // namespace weft
