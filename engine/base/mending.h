// SPDX-License-Identifier: Apache-2.0
#pragma once
// What would mend a problem: the word that was meant, an edit of it.

#include <weft/attributes.h>
#include <weft/diagnostics.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The candidate with the least edits from `word`, when they are few for its length; else empty.
[[nodiscard]] std::string nearestWord(std::string_view word,
                                      const std::vector<std::string>& candidates);

/// The choice that a word stands for, or is nearest to; empty: none is meant.
[[nodiscard]] std::string choiceMeant(std::string_view word, const AttributeSpec& spec);

/// A fix of one edit.
[[nodiscard]] Fix fixBy(std::string text, std::string verb, std::vector<std::string> arguments);
/// "conv2d" as a fix where that is what was meant, else the remedy in words.
[[nodiscard]] Fix fixByWord(std::string_view word, const std::vector<std::string>& candidates,
                            std::string verb, std::vector<std::string> argumentsBefore,
                            std::string otherwise);
/// That its author picks the files or the folder that the setting of this key names.
[[nodiscard]] Fix fixByPicking(const AttributeSpec& spec, std::string key);

} // namespace weft
