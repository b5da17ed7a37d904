// SPDX-License-Identifier: Apache-2.0
#pragma once
// Typed attribute values and their declarations: type, default, range and help. The inspector,
// `weft layers`, the checker and the file format are generated from these declarations.

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
/// Formats the value as in a design file: true, 0.5, "same", [2, 2].
[[nodiscard]] std::string toString(const AttributeValue& value);

/// Attributes by name. The accessors fail (`ensure`) if an attribute is missing or has another
/// type, so callers first complete attributes with the defaults of their specs.
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
    /// Returns a number; an integer is converted.
    [[nodiscard]] double real(std::string_view name) const;
    [[nodiscard]] const std::string& text(std::string_view name) const;
    /// Returns a list; a single integer becomes a list of one.
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

/// How a text attribute is used: as words or as file names, which a user picks instead of typing;
/// `files` are separated by commas. Relative names start at the folder that another attribute
/// names, otherwise at the design's folder.
enum class TextContent : std::uint8_t { words, file, files, folder };

/// Declares one attribute of a layer kind, an op or a setting.
struct AttributeSpec {
    std::string name;
    /// The default, which also fixes the type. For a required attribute: the value that a new layer
    /// starts with.
    AttributeValue defaultValue;           ///< also fixes the type; if `required`: initial value
    std::string help;                      ///< one sentence
    std::vector<std::string> choices = {}; ///< for text: the allowed words; empty: any
    /// Maps other spellings, in lower case, to the choice that each stands for. Empty: only exact
    /// words are accepted.
    std::map<std::string, std::string> synonyms = {};
    std::optional<double> least = std::nullopt; ///< inclusive lower bound; none: no bound
    std::optional<double> most = std::nullopt;  ///< inclusive upper bound; none: no bound
    std::optional<double> above = std::nullopt; ///< exclusive lower bound, in place of `least`
    std::optional<double> below = std::nullopt; ///< exclusive upper bound, in place of `most`
    std::string unit = {};                      ///< "ms", "bytes"; empty: no unit
    std::size_t count = 0; ///< required elements of a list (one number fills it); 0: any length
    bool required = false; ///< true if the user must give a value: it has no usable default
    TextContent content = TextContent::words; ///< whether a text is words or names files
    bool isOfLearning = false;                ///< true if a frozen layer does not use the attribute

    [[nodiscard]] bool namesFiles() const { return content != TextContent::words; }
};

/// Returns the given attributes completed with the defaults of the specs; checks nothing.
[[nodiscard]] Attributes completed(Attributes given, const std::vector<AttributeSpec>& specs);

} // namespace weft
