// SPDX-License-Identifier: Apache-2.0
#pragma once
// Attributes held against what a declaration says of them: those of layers, of settings, and of
// what a setting chooses (an optimizer, a source of data).

#include "base/mending.h"
#include <weft/attributes.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Whose attributes they are, and how the edits that mend them name them.
struct AttributeOwner {
    std::string_view name;         ///< in texts: "dense", "optimizer sgd"
    std::string_view layer = {};   ///< edits begin {"set", {layer, attribute, ...}}
    std::string_view setting = {}; ///< edits are {"training", {setting + attribute, value}}
    std::string_view section = {}; ///< "training", of such edits
};

/// What is right of `given`, completed with the defaults; E002 unknown, E003 wrong type, E004 out
/// of range, E005 not among the choices, E006 missing.
[[nodiscard]] Attributes checkedAttributes(const Attributes& given,
                                           const std::vector<AttributeSpec>& specs,
                                           const AttributeOwner& owner,
                                           const std::function<void(Diagnostic)>& report);

/// The same of one value: as its type wants it, or nothing where it is wrong.
[[nodiscard]] std::optional<AttributeValue>
checkedAttribute(const AttributeValue& given, const AttributeSpec& spec,
                 const AttributeOwner& owner, const std::function<void(Diagnostic)>& report);

} // namespace weft
