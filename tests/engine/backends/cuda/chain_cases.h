// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chains that end a product or a convolution, as groups: what their members make one after the
// other.

#include "cases_beside.h"

namespace weft::test {

/// Returns cases by the name in a request: "linear+bias_add+relu".
[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> chainCases(Oracle& reference);
/// Returns cases of chains of element-wise ops.
[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> freeChainCases(Oracle& reference);
/// The same, and the gradients of a product, of several that are equal: "linear+relu=".
[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> equalCases(Oracle& reference);

} // namespace weft::test
