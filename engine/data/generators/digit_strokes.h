// SPDX-License-Identifier: Apache-2.0
#pragma once
// A table of the usual forms of the ten digits as pen strokes.

#include <span>
#include <string_view>

namespace weft::generators {

struct DigitForm {
    int digit = 0;
    float weight = 1;         ///< relative frequency among the forms of its digit
    std::string_view strokes; ///< points of the pen, see parseStrokes
};

[[nodiscard]] std::span<const DigitForm> digitForms();

} // namespace weft::generators
