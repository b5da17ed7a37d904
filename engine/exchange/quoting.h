// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values as words of a shell, of YAML, of a batch system's directives: whatever they hold, they
// stay one value.

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// As one word of a POSIX shell.
[[nodiscard]] std::string shellWord(std::string_view value);
/// Each as one word.
[[nodiscard]] std::string shellWords(const std::vector<std::string>& words);
/// In double quotes, as JSON and YAML read them.
[[nodiscard]] std::string yamlText(std::string_view value);
/// A line "#SBATCH --option=value" cannot quote: Error{usage} where the value holds anything but
/// letters, digits and . _ : + , @ / % -
[[nodiscard]] std::string directiveValue(std::string_view option, std::string_view value);
/// Lower-case letters, digits and '-', at most `most` long; never empty.
[[nodiscard]] std::string plainName(std::string_view value, std::size_t most = 50);

} // namespace weft
