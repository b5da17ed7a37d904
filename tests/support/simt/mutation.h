// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of the faults that were planted into a copy of the kernels' sources is in force; 0: none.

namespace simt {

inline int mutation = 0;
[[nodiscard]] inline bool isMutated(int number) { return mutation == number; }

} // namespace simt
