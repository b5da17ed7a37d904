// SPDX-License-Identifier: Apache-2.0
#pragma once
// JSON that another process wrote, which may have been cut short or be of another version: what
// cannot be read counts as absent, and nothing is thrown.

#include "base/json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The object in `text`, or an empty one. Larger than `bytes` counts as absent too.
[[nodiscard]] Json objectIn(std::string_view text, std::size_t bytes = std::size_t{1} << 20U);

[[nodiscard]] std::string textAt(const Json& object, const char* key);
[[nodiscard]] std::int64_t numberAt(const Json& object, const char* key, std::int64_t otherwise);
[[nodiscard]] bool flagAt(const Json& object, const char* key, bool otherwise);
/// What is no text is empty; what is no number, 0.
[[nodiscard]] std::vector<std::string> textsAt(const Json& object, const char* key);
[[nodiscard]] std::vector<std::int64_t> numbersAt(const Json& object, const char* key);

} // namespace weft
