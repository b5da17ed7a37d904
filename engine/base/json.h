// SPDX-License-Identifier: Apache-2.0
#pragma once
// JSON as Weft reads and writes it: members keep their order, a key stands once, depth and memory
// have limits that a hostile file cannot pass. What is wrong is Error{format} with file, line and
// byte.

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

using Json = nlohmann::ordered_json;

struct JsonLimits {
    std::size_t bytes = std::size_t{64} << 20U; ///< of text
    std::size_t depth = 64;
    /// Memory the parsed values may take: this much, and so many times the text.
    std::size_t memory = std::size_t{48} << 20U;
    std::size_t memoryPerByte = 6;
};

/// `source` names the text in errors: a path, or "metrics.jsonl". `firstLine`: of the text in its
/// file.
[[nodiscard]] Json parseJson(std::string_view text, std::string_view source, JsonLimits limits = {},
                             std::size_t firstLine = 1);
[[nodiscard]] Json readJsonFile(const std::filesystem::path& path, JsonLimits limits = {});

/// On one line, or indented by `indent`. Bytes that are not UTF-8 become the replacement sign; NaN
/// and infinities null.
[[nodiscard]] std::string jsonText(const Json& value, int indent = -1);

/// "a number", "a list": what a message calls the value.
[[nodiscard]] std::string_view sortOf(const Json& value);

} // namespace weft
