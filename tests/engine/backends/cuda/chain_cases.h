// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chains that end a product or a convolution, as groups: what their members make one after the
// other.

#include "cases_beside.h"

namespace weft::test {

/// By what a request names: "linear+bias_add+relu".
[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> chainCases(Oracle& reference);
/// Of ops that do the same to every element.
[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> freeChainCases(Oracle& reference);
/// The same, and the gradients of a product, of several that are equal: "linear+relu=".
[[nodiscard]] std::map<std::string, std::vector<CaseBeside>> equalCases(Oracle& reference);

} // namespace weft::test
