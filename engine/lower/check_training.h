// SPDX-License-Identifier: Apache-2.0
#pragma once
// The training settings held against what there is: E061 to E066. Optimizers and schedules come
// from the caller, since they are declared where they are computed.

#include <weft/attributes.h>
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <string>
#include <vector>

namespace weft {

struct NamedSpecs {
    std::string name; ///< "adam"
    std::vector<AttributeSpec> attributes;
};

[[nodiscard]] std::vector<Diagnostic> checkTraining(const TrainingSettings& training,
                                                    const std::vector<NamedSpecs>& optimizers,
                                                    const std::vector<NamedSpecs>& schedules);

} // namespace weft
