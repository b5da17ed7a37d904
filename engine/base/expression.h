// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arithmetic as typed into an attribute: `4*256`, `(units + 1) / 2`, `[3, 2*k]`. Whole numbers stay
// whole where the result is; what is wrong is the author's to mend, so it is a value with its
// place.

#include <weft/attributes.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

struct Evaluation {
    /// An integer, a real, or a list of either.
    std::optional<AttributeValue> value;
    std::string problem;      ///< "there is no parameter 'unit'"
    std::size_t position = 0; ///< byte of the text where it went wrong
};

/// `parameters` are the names it may use; those that are not numbers are refused where they are
/// used.
[[nodiscard]] Evaluation evaluate(std::string_view text, const Attributes& parameters = {});

} // namespace weft
