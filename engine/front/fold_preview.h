// SPDX-License-Identifier: Apache-2.0
#pragma once
// One pass over a study's plan: what a preview shows of it. Everything is looked up by number, once
// per placed value and device, since it runs after every edit. Texts that nobody else reads are
// moved out of the study.

#include "front/study.h"
#include <weft/preview.h>

namespace weft {

[[nodiscard]] Preview foldPreview(Study& studied, const Design& design,
                                  const PreviewRequest& request);

} // namespace weft
