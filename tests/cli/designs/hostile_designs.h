// SPDX-License-Identifier: Apache-2.0
#pragma once
// Designs as an enemy writes them: a good one with some of its values, names and bytes made wrong.

#include <QByteArray>
#include <cstdint>
#include <vector>

namespace weft::test {

/// Small networks that train in a moment; each is hurt in its own places.
[[nodiscard]] std::vector<QByteArray> goodDesigns();

/// One of the good ones with one to three wounds; the same seed gives the same text.
[[nodiscard]] QByteArray hostileDesign(const std::vector<QByteArray>& good, std::uint32_t seed);

} // namespace weft::test
