// SPDX-License-Identifier: Apache-2.0
#pragma once
// Groups of ops of several results: norms with what follows them, gradients of a ReLU with sums
// over channels, gradients of a pooling with a ReLU's.

#include "cases_beside.h"

namespace weft::test {

[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> groupCases(Oracle& reference);

} // namespace weft::test
