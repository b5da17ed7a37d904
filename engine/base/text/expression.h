// SPDX-License-Identifier: Apache-2.0
#pragma once
// Evaluates arithmetic typed into an attribute: `4*256`, `(units + 1) / 2`, `[3, 2*k]`. Integer
// results stay integers. Errors are values with their position, because the user corrects them.

#include <weft/attributes.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

struct Evaluation {
    /// An integer, a real, or a list of either.
    std::optional<AttributeValue> value; ///< none: there is a problem
    std::string problem;                 ///< "there is no parameter 'unit'"
    std::size_t position = 0;            ///< byte offset of the problem in the text
};

/// `parameters` are the usable names; using one that is not a number is an error.
[[nodiscard]] Evaluation evaluate(std::string_view text, const Attributes& parameters = {});

} // namespace weft
