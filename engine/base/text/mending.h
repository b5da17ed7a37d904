// SPDX-License-Identifier: Apache-2.0
#pragma once
// Suggests fixes for problems, such as the word that the user probably meant.

#include <weft/attributes.h>
#include <weft/diagnostics.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Returns the candidate with the smallest edit distance if it is small enough, else an empty
/// string.
[[nodiscard]] std::string nearestWord(std::string_view word,
                                      const std::vector<std::string>& candidates);

/// Returns the choice that a word stands for or is nearest to; empty if there is none.
[[nodiscard]] std::string nearestChoice(std::string_view word, const AttributeSpec& spec);

/// Returns a fix with one edit.
[[nodiscard]] Fix fixBy(std::string text, std::string verb, std::vector<std::string> arguments);
/// Returns a fix with the nearest candidate, or the advice `otherwise` if there is none.
[[nodiscard]] Fix fixByWord(std::string_view word, const std::vector<std::string>& candidates,
                            std::string verb, std::vector<std::string> argumentsBefore,
                            std::string otherwise);
/// Returns a fix that asks the user to pick the files or the folder of the setting `key`.
[[nodiscard]] Fix fixByPicking(const AttributeSpec& spec, std::string key);

} // namespace weft
