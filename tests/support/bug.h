// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether something breaks an invariant of ours. `ensure` ends the process in some builds and
// throws in others, so what is asked runs in a child of its own.

#include <functional>

namespace weft::test {

/// True when `run` ends in an abort or throws Error{bug}; what it changes stays in the child.
[[nodiscard]] bool isBug(const std::function<void()>& run);

} // namespace weft::test
