// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products of bf16, of integers so small that halves hold them and what their sums come to.

#include "cases_beside.h"

namespace weft::test {

/// What a maker that rounds serves, by a name of its own: "conv2d in bf16".
[[nodiscard]] std::string rounded(const std::string& op, Precision precision);

/// By that name.
[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> halvedCases(Oracle& reference);

} // namespace weft::test
