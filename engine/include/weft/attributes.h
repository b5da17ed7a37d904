// SPDX-License-Identifier: Apache-2.0
#pragma once
// A typed attribute value, and what a declaration says of an attribute: type, default, range, help.
// The inspector, `weft layers`, the checker and the file format are generated from these specs;
// nobody lists attributes twice.

#include <weft/types.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace weft {

using AttributeValue = std::variant<bool, std::int64_t, double, std::string,
                                    std::vector<std::int64_t>, std::vector<double>>;

enum class AttributeType : std::uint8_t { boolean, integer, real, text, integers, reals };

[[nodiscard]] AttributeType typeOf(const AttributeValue& value);
[[nodiscard]] std::string_view nameOf(AttributeType type);
/// As it stands in a design file: true, 0.5, "same", [2, 2].
[[nodiscard]] std::string toString(const AttributeValue& value);

/// Attributes by name. Asking for one that is missing, or of another type, is a bug (`ensure`):
/// whoever asks has been given attributes completed from the specs.
class Attributes {
public:
    Attributes() = default;
    Attributes(std::initializer_list<std::pair<const std::string, AttributeValue>> entries)
        : entries_(entries) {}

    [[nodiscard]] bool has(std::string_view name) const {
        return entries_.find(name) != entries_.end();
    }
    [[nodiscard]] bool boolean(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name) const;
    /// An integer answers too.
    [[nodiscard]] double real(std::string_view name) const;
    [[nodiscard]] const std::string& text(std::string_view name) const;
    /// A single integer answers as a list of one.
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
    [[nodiscard]] std::vector<double> reals(std::string_view name) const;
    [[nodiscard]] const AttributeValue* find(std::string_view name) const;
    [[nodiscard]] const std::map<std::string, AttributeValue, std::less<>>& entries() const {
        return entries_;
    }

    void set(std::string name, AttributeValue value) {
        entries_.insert_or_assign(std::move(name), std::move(value));
    }
    void remove(std::string_view name);

    bool operator==(const Attributes&) const = default;

private:
    std::map<std::string, AttributeValue, std::less<>> entries_;
};

/// What a text is: words, or the names of files that are picked rather than typed, `files`
/// separated by commas. Names are seen from the folder that another attribute holds, where there is
/// such a one, else from the design.
enum class TextContent : std::uint8_t { words, file, files, folder };

/// What a layer kind, an op or a setting says of one attribute.
struct AttributeSpec {
    std::string name;
    /// The default, which also fixes the type; of one that is required: what a new layer begins
    /// with.
    AttributeValue defaultValue;
    std::string help;                      ///< one sentence
    std::vector<std::string> choices = {}; ///< for text: the words allowed; empty: any
    /// Other words, in small letters, and the choice that each stands for; empty: none, however
    /// near it reads.
    std::map<std::string, std::string> synonyms = {};
    std::optional<double> least = std::nullopt;
    std::optional<double> most = std::nullopt;
    std::optional<double> above = std::nullopt; ///< in place of `least`: that itself is too little
    std::optional<double> below = std::nullopt;
    std::string unit = {};
    /// For a list: how many numbers it takes; one number stands for all (`stride: 2`). 0: any
    /// number.
    std::size_t count = 0;
    bool required = false; ///< has no default: who leaves it out is asked for it (units)
    TextContent content = TextContent::words;
    bool isOfLearning = false; ///< of a layer: a frozen one does nothing with it

    [[nodiscard]] bool namesFiles() const { return content != TextContent::words; }
};

/// The given attributes completed with the defaults of the specs (nothing is checked).
[[nodiscard]] Attributes completed(Attributes given, const std::vector<AttributeSpec>& specs);

} // namespace weft
