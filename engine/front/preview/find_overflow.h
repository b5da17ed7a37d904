// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds devices or hosts whose memory is too small for the run. Warns with their name, the layer
// that needs most memory, and remedies, each of which a trial preview has confirmed to fit.

#include "compile/host_share.h"
#include <weft/catalogue.h>
#include <weft/preview.h>

#include <functional>
#include <vector>

namespace weft {

struct OverflowRequest {
    const Design* design = nullptr;
    const std::vector<LayerKindInfo>* kinds = nullptr;
    const std::vector<HostShare>* shares = nullptr; ///< location of each device
    /// Returns the preview of a changed design on the same devices, with as many parts as possible.
    std::function<Preview(const Design&)> previewOf;
};

/// Adds warnings to the problems of a preview that has all its parts.
void findOverflow(Preview& preview, const OverflowRequest& question);

} // namespace weft
