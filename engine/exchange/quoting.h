// SPDX-License-Identifier: Apache-2.0
#pragma once
// Quotes values for a shell, for YAML and for directives of a batch system, so that any content
// stays one value.

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Quotes a value as one word of a POSIX shell.
[[nodiscard]] std::string shellWord(std::string_view value);
/// Quotes each value as one word.
[[nodiscard]] std::string shellWords(const std::vector<std::string>& words);
/// Quotes a value in double quotes for JSON and YAML.
[[nodiscard]] std::string yamlText(std::string_view value);
/// Returns the value for a line "#SBATCH --option=value", which cannot be quoted. Throws
/// Error{usage} if it has characters other than letters, digits and . _ : + , @ / % -
[[nodiscard]] std::string directiveValue(std::string_view option, std::string_view value);
/// Reduces a value to lower-case letters, digits and '-', at most `most` of them; never empty.
[[nodiscard]] std::string lowerCaseName(std::string_view value, std::size_t most = 50);

} // namespace weft
