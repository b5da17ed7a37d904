// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads JSON that another process wrote and that may be cut short or of another version: values
// that cannot be read count as absent, and nothing is thrown.

#include "base/text/json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Returns the object in `text`, or an empty one if it is invalid or larger than `bytes`.
[[nodiscard]] Json objectIn(std::string_view text, std::size_t bytes = std::size_t{1} << 20U);

[[nodiscard]] std::string textAt(const Json& object, const char* key); ///< or empty
[[nodiscard]] std::int64_t numberAt(const Json& object, const char* key, std::int64_t otherwise);
[[nodiscard]] bool flagAt(const Json& object, const char* key, bool otherwise);
/// Elements of another type become empty texts or 0.
[[nodiscard]] std::vector<std::string> textsAt(const Json& object, const char* key); ///< or empty
[[nodiscard]] std::vector<std::int64_t> numbersAt(const Json& object, const char* key);

} // namespace weft
