// SPDX-License-Identifier: Apache-2.0
#pragma once
// Formats a design's JSON with a layer, wire or group per line where possible, so that line-based
// comparisons show changes well. Lines have at most 160 columns if their texts allow it.

#include "base/text/json.h"

#include <string>

namespace weft {

/// Formats a whole document, ending with a line break.
[[nodiscard]] std::string layOut(const Json& document);
/// Formats on one line: {"a": 1, "b": [2, 3]}
[[nodiscard]] std::string onOneLine(const Json& value);

} // namespace weft
