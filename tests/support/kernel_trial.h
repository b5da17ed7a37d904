// SPDX-License-Identifier: Apache-2.0
#pragma once
// One kernel of a device put to one case: asked, run twice, held against the oracle. And the ways
// in which a case can be put to it beside the plain one.

#include "support/kernel_cases.h"

#include <set>
#include <string>
#include <vector>

namespace weft::test {

struct KernelTrial {
    bool isTaken = false;       ///< false: the kernel refused
    std::string fault;          ///< empty: none
    std::set<std::string> tags; ///< tags of the formats it chose, except half precision
};

/// Throws what the device throws. A buffer that values of two formats would share is not tried:
/// select sees to that, whatever the op would allow.
[[nodiscard]] KernelTrial tryKernel(Oracle& device, const KernelMaker& maker, const KernelCase& one,
                                    const RunOptions& options,
                                    Precision precision = Precision::exact);

/// With each pair of buffers that the op lets be shared.
[[nodiscard]] std::vector<RunOptions> waysInPlace(const Op& op, const KernelCase& one);
/// With that format offered wherever it fits, and others allowed or not, and of each operand alone
/// that it fits; none where it fits nowhere.
[[nodiscard]] std::vector<RunOptions> waysInFormat(const KernelCase& one, const std::string& tag);

} // namespace weft::test
