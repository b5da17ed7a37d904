// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which device or host would not hold what a run takes of it: a warning that names it, the layer
// that makes most of it and what would mend it. What is advised was worked out and fits.

#include "run/host_share.h"
#include <weft/catalogue.h>
#include <weft/preview.h>

#include <functional>
#include <vector>

namespace weft {

struct OverflowQuestion {
    const Design* design = nullptr;
    const std::vector<LayerKindInfo>* kinds = nullptr;
    const std::vector<HostShare>* shares = nullptr; ///< by device
    /// The preview of another design on the same devices, to its last part as far as it has one.
    std::function<Preview(const Design&)> tries;
};

/// Adds to the problems of a preview that has all its parts.
void findOverflow(Preview& preview, const OverflowQuestion& question);

} // namespace weft
