// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks attributes against their declarations: those of layers, of settings, and of the kinds that
// a setting chooses (an optimizer, a data source).

#include "base/text/mending.h"
#include <weft/attributes.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The owner of the attributes, and how edits that fix them name it.
struct AttributeOwner {
    std::string_view name;         ///< in messages: "dense", "optimizer sgd"
    std::string_view layer = {};   ///< edits begin {"set", {layer, attribute, ...}}
    std::string_view setting = {}; ///< edits are {"training", {setting + attribute, value}}
    std::string_view section = {}; ///< section of such edits: "training"
};

/// Returns the valid attributes of `given`, completed with defaults. Reports E002 unknown, E003
/// wrong type, E004 out of range, E005 not among the choices, E006 missing.
[[nodiscard]] Attributes checkedAttributes(const Attributes& given,
                                           const std::vector<AttributeSpec>& specs,
                                           const AttributeOwner& owner,
                                           const std::function<void(Diagnostic)>& report);

/// Checks one value; returns it converted to the declared type, or nothing if it is invalid.
[[nodiscard]] std::optional<AttributeValue>
checkedAttribute(const AttributeValue& given, const AttributeSpec& spec,
                 const AttributeOwner& owner, const std::function<void(Diagnostic)>& report);

} // namespace weft
