// SPDX-License-Identifier: Apache-2.0
#pragma once
// How people write the ten digits: the pen's way in each of the usual forms. A table; nothing else.

#include <span>
#include <string_view>

namespace weft::generators {

struct DigitForm {
    int digit = 0;
    float weight = 1; ///< how often it is written, among the forms of its digit
    std::string_view strokes;
};

[[nodiscard]] std::span<const DigitForm> digitForms();

} // namespace weft::generators
