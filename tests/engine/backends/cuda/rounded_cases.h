// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products in TF32 and in bf16, of integers so small that both hold them and what their sums come
// to: maps and filters offered plain, channels-last, and some so and some so.

#include "cases_beside.h"

namespace weft::test {

/// Returns the name of an op's cases for kernels of this precision: "conv2d in bf16".
[[nodiscard]] std::string rounded(const std::string& op, Precision precision);

/// By that name.
[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> roundedCases(Oracle& reference);

} // namespace weft::test
