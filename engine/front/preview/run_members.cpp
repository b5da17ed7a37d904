// SPDX-License-Identifier: Apache-2.0
#include "front/preview/run_members.h"

#include "compile/training_members.h"
#include "data/open.h"
#include <weft/error.h>

namespace weft {

namespace {

std::vector<VariantRequest> usualMembers(const Design& design) {
    std::vector<VariantRequest> members;
    for (const StepKindCount& kind : trainingSteps(design.training)) {
        members.push_back({Mode::train, design.data.batch, kind.does});
    }
    members.push_back({Mode::evaluate, design.data.batch});
    return members;
}

} // namespace

RunVariants runVariants(const Design& design, const std::optional<PreviewData>& data,
                        const SourceList& sources) {
    if (!data) {
        return {usualMembers(design)};
    }
    try {
        const DataDescription found =
            describeData(design.data, {data->folder, data->others}, sources);
        return {variantsFor(design, found.training,
                            found.validation > 0 ? found.validation : found.test, found.order),
                true};
    } catch (const Error&) {
        return {usualMembers(design)}; // the code that opens the data reports its faults
    }
}

} // namespace weft
