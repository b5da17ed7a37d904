// SPDX-License-Identifier: Apache-2.0
#pragma once
// Called after a step with a result that is not finite: checks whether the data held ids without a
// row or class. A lookup with such an id gives NaN, so that the step itself need not check ids.

#include <cstddef>

namespace weft {

class WorkerPool;

/// Throws Error{design} naming the layer, the id and the allowed range if the variant's inputs in
/// this process hold such an id.
void throwOnInvalidIds(const WorkerPool& pool, std::size_t member);

} // namespace weft
