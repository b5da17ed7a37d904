// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parses and formats JSON: members keep their order, keys are unique, and depth and memory are
// limited against hostile files. Errors are Error{format} with file, line and byte.

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

using Json = nlohmann::ordered_json;

struct JsonLimits {
    std::size_t bytes = std::size_t{64} << 20U; ///< size of the text
    std::size_t depth = 64;                     ///< nesting
    /// Limit of the memory of parsed values: `memory` plus `memoryPerByte` times the text's size.
    std::size_t memory = std::size_t{48} << 20U; ///< bytes of the parsed values
    std::size_t memoryPerByte = 6;               ///< more for long texts
};

/// `source` names the text in errors: a path, or "metrics.jsonl". `firstLine`: line of the text in
/// its file.
[[nodiscard]] Json parseJson(std::string_view text, std::string_view source, JsonLimits limits = {},
                             std::size_t firstLine = 1);
[[nodiscard]] Json readJsonFile(const std::filesystem::path& path, JsonLimits limits = {});

/// Formats on one line, or indented by `indent`. Invalid UTF-8 becomes the replacement character,
/// NaN and infinities null.
[[nodiscard]] std::string jsonText(const Json& value, int indent = -1);

/// Returns the type's name for messages: "a number", "a list".
[[nodiscard]] std::string_view jsonTypeName(const Json& value); ///< "a number", "a list"

} // namespace weft
