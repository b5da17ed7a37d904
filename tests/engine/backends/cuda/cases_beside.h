// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernel cases without samples in the catalogue: copies of parts, transposes of dims, several
// updates in one call.

#include "support/kernel_cases.h"

#include <memory>

namespace weft::test {

struct CaseBeside {
    KernelCase held;
    std::shared_ptr<const GroupBody> body = {};
    Precision precision = Precision::exact; ///< in which results are compared
    /// Ways in which operands are offered beside all plain.
    std::vector<std::vector<Format>> offered = {};
};

/// Returns cases by the name in a request: "weft.reorder".
[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> casesBeside();

/// Samples of more than a warp's or a block's share.
[[nodiscard]] std::map<std::string, std::vector<Sample>> largerSamples();

} // namespace weft::test
