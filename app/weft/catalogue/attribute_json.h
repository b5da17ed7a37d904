// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts attributes of layers and settings to JSON for the verbs that print JSON.

#include <weft/attributes.h>

#include <nlohmann/json.hpp>

#include <vector>

namespace weft {

[[nodiscard]] nlohmann::ordered_json jsonOf(const AttributeSpec& attribute);
[[nodiscard]] nlohmann::ordered_json jsonOf(const std::vector<AttributeSpec>& attributes);

} // namespace weft
