// SPDX-License-Identifier: Apache-2.0
#pragma once
// Attributes held against what a declaration says of them.

#include "lower/problems.h"
#include <weft/attributes.h>

#include <functional>
#include <string>
#include <vector>

namespace weft {

/// What is right of `given`, completed with the defaults; E002 unknown, E003 wrong type, E004 out
/// of range, E005 not among the choices, E006 missing. `owner` is who has them: "dense". `path`
/// begins the edits that mend: {"set", {"fc6", name, value}}; empty: only words.
[[nodiscard]] Attributes checkedAttributes(const Attributes& given,
                                           const std::vector<AttributeSpec>& specs,
                                           const std::string& owner, const std::string& path,
                                           const std::function<void(Diagnostic)>& report);

} // namespace weft
