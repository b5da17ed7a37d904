// SPDX-License-Identifier: Apache-2.0
#pragma once
// After a step that came to no finite number: were there ids in its data that name no row and no
// class? Such an id makes what it should have looked up not a number, so that the step itself need
// not compare a single one.

#include <cstddef>

namespace weft {

class WorkerPool;

/// Throws Error{design} naming the layer, the id and what it may be, when this process holds one in
/// the member's feeds.
void refuseWrongIds(const WorkerPool& pool, std::size_t member);

} // namespace weft
