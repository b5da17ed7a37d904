// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small catalogue of its own, so that these tests say what they mean whatever kinds there are.

#include <weft/catalogue.h>

#include <string_view>
#include <vector>

namespace weft::test {

/// input {shape} -> y; dense {units, bias, rate, stride, pad, share, frozen, decay} x -> y; relu x
/// -> y; add x0, x1, ... -> y; loss x, target -> loss; mask x, mask (optional) -> y.
[[nodiscard]] std::vector<LayerKindInfo> someKinds();
/// The design that a file of this content holds; every ' stands for a ". Nothing in it may be
/// wrong.
[[nodiscard]] Design designOf(std::string_view text);

} // namespace weft::test
