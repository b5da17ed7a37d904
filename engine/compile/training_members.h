// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists the programs that a run needs, from its design and the sizes of its data: one for each kind
// of training step and for each number of rows that a batch can have.

#include "compile/program_set.h"
#include "data/batcher.h"
#include <weft/design.h>

#include <cstdint>
#include <vector>

namespace weft {

/// Returns the variants that a run needs over so many examples from `from` on, beginning with the
/// full training batch.
[[nodiscard]] std::vector<VariantRequest>
variantsFor(const Design& design, std::int64_t trainingExamples, std::int64_t evaluationExamples,
            const ExampleOrder& order, DataPosition from = {});

} // namespace weft
