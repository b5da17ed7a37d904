// SPDX-License-Identifier: Apache-2.0
#pragma once
// Designs as tests of edits write them, and what is left of them in a line to compare.

#include <weft/edits.h>

#include <QString>
#include <string>
#include <string_view>

namespace weft::test {

inline const NetworkPath top = {};

/// Parses the content between the braces of a file, with ' for ". Throws if it is invalid.
[[nodiscard]] Design designOf(std::string text);
/// "a.y -> b.x, b.y -> c.x", in the order of the alphabet.
[[nodiscard]] QString wiresOf(const Network& network);
/// "a b c", in the order of the file.
[[nodiscard]] QString namesOf(const Network& network);
[[nodiscard]] LayerId id(const Design& design, std::string_view name,
                         const NetworkPath& path = top);

} // namespace weft::test
