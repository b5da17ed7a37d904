// SPDX-License-Identifier: Apache-2.0
#pragma once
// One pass over a study's plan: what a preview shows of it. Everything is looked up by number, once
// per placed value and device, since it runs after every edit.

#include "front/study.h"
#include <weft/preview.h>

namespace weft {

[[nodiscard]] Preview foldPreview(const Study& studied, const Design& design,
                                  const PreviewRequest& request);

} // namespace weft
