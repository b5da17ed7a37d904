// SPDX-License-Identifier: Apache-2.0
#pragma once
// The programSet of a run over a design's data: the members that there would be, the training step
// first, without observed observedSteps.

#include "run/program_set.h"
#include "run/registry.h"
#include <weft/preview.h>

#include <optional>
#include <vector>

namespace weft {

struct RunMembers {
    std::vector<VariantRequest> members;
    bool isDataKnown = false; ///< else the usual ones, of full batches
};
/// `data`: where its files are; none: they are not looked for.
[[nodiscard]] RunMembers runMembers(const Design& design, const std::optional<PreviewData>& data,
                                    const SourceList& sources);

} // namespace weft
