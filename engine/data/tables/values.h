// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the fields of a text table mean: numbers, missing values, and the words of classes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weft {

/// Reads "1", "-2.5e3"; nothing: it is no number, or not finite as f32.
[[nodiscard]] std::optional<float> parseNumber(std::string_view field);
/// True for an empty field and for the usual words, in any case: NA, N/A, NaN, null, none, ?
[[nodiscard]] bool isMissing(std::string_view field);
/// Shortens a field for a message, in quotes.
[[nodiscard]] std::string quoteShortened(std::string_view field); ///< for messages

/// The words of a class column. Classes are in sorted order: by value if all are numbers, otherwise
/// by byte; or in the order that was given.
class ClassWords {
public:
    static constexpr std::size_t most = std::size_t{1} << 16U; ///< largest number of classes

    explicit ClassWords(std::vector<std::string> given = {});

    /// Returns a preliminary id; nothing: the word is not among those given or found before
    /// `close`, or there are too many.
    [[nodiscard]] std::optional<std::int32_t> idOf(const std::string& word);
    /// Puts the classes in order, and turns preliminary ids into their classes.
    void close(std::vector<std::int32_t>& ids); ///< sorts the classes and renumbers `ids`
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] bool isClosed() const { return isClosed_; }

private:
    std::vector<std::string> names_;                    ///< words of the classes
    std::unordered_map<std::string, std::int32_t> ids_; ///< id by word
    bool isClosed_ = false;                             ///< no further words; classes are in order
};

} // namespace weft
