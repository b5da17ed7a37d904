// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a design's JSON lies on the page: a layer, a wire, a group per line where it fits, so that a
// comparison line by line shows what was changed. Lines are at most 160 columns where their texts
// allow it.

#include "base/json.h"

#include <string>

namespace weft {

/// A whole document, ending with a line break.
[[nodiscard]] std::string layOut(const Json& document);
/// On one line: {"a": 1, "b": [2, 3]}
[[nodiscard]] std::string onOneLine(const Json& value);

} // namespace weft
