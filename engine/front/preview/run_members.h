// SPDX-License-Identifier: Apache-2.0
#pragma once
// The variants that a run over a design's data would need, the training step first, without
// observed steps.

#include "compile/program_set.h"
#include "compile/registry.h"
#include <weft/preview.h>

#include <optional>
#include <vector>

namespace weft {

struct RunVariants {
    std::vector<VariantRequest> variants;
    bool isDataKnown = false; ///< false: the usual variants, with full batches
};
/// Returns the variants of a run. `data` says where the files of the design's data are; none: files
/// are not opened.
[[nodiscard]] RunVariants runVariants(const Design& design, const std::optional<PreviewData>& data,
                                      const SourceList& sources);

} // namespace weft
