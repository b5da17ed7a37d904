// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a backend serves beside the ops of the catalogue, which has no samples there: copies of
// parts, other orders of dims, several updates in one call.

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

/// By what a request names: "weft.reorder".
[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> casesBeside();

/// Samples of more than a warp's or a block's share.
[[nodiscard]] std::map<std::string, std::vector<Sample>> largerSamples();

} // namespace weft::test
