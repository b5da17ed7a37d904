// SPDX-License-Identifier: Apache-2.0
#include "compile/training_members.h"

#include "transform/training_step.h"

#include <algorithm>

namespace weft {

std::vector<VariantRequest> variantsFor(const Design& design, std::int64_t trainingExamples,
                                        std::int64_t evaluationExamples, const ExampleOrder& order,
                                        DataPosition from) {
    std::vector<VariantRequest> members;
    const auto add = [&](const VariantRequest& member) {
        if (member.batch > 0 && std::ranges::find(members, member) == members.end()) {
            members.push_back(member);
        }
    };
    const Batcher training = trainingBatcher(
        design.data, trainingExamples, static_cast<std::uint64_t>(design.training.seed), order);
    for (const std::int64_t rows : training.rowCounts(from)) {
        for (const StepKindCount& kind : trainingSteps(design.training)) {
            add({Mode::train, rows, kind.does});
        }
    }
    if (evaluationExamples > 0) {
        const Batcher evaluation = evaluationBatcher(design.data, evaluationExamples, order);
        for (const std::int64_t rows : evaluation.rowCounts()) {
            add({Mode::evaluate, rows});
        }
    }
    return members;
}

} // namespace weft
