// SPDX-License-Identifier: Apache-2.0
#pragma once
// Returns true if a call violates an invariant. `ensure` aborts in some builds and throws in
// others, so the call runs in a child process.

#include <functional>

namespace weft::test {

/// True when `run` ends in an abort or throws Error{bug}; what it changes stays in the child.
[[nodiscard]] bool isBug(const std::function<void()>& run);

} // namespace weft::test
