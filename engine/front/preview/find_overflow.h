// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds devices or hosts whose memory is too small for the run. Warns with their name, the layer
// that needs most memory, and remedies, which have been checked to fit.

#include "compile/host_share.h"
#include <weft/catalogue.h>
#include <weft/preview.h>

#include <functional>
#include <vector>

namespace weft {

struct OverflowQuestion {
    const Design* design = nullptr;
    const std::vector<LayerKindInfo>* kinds = nullptr;
    const std::vector<HostShare>* shares = nullptr; ///< per device
    /// Returns the preview of another design on the same devices, with as many of its parts as
    /// possible.
    std::function<Preview(const Design&)> tries;
};

/// Adds warnings to the problems of a preview that has all its parts.
void findOverflow(Preview& preview, const OverflowQuestion& question);

} // namespace weft
