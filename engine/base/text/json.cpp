// SPDX-License-Identifier: Apache-2.0
#include "base/text/json.h"

#include "base/files/files.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace weft {

namespace {

/// An error in the text, before its position is known.
struct ParseFault {
    std::string what;
    std::string remedy;
    std::size_t offset = 0;
};

/// Builds the value during parsing. The library's builder has no limits, accepts duplicate keys,
/// and takes quadratic time for large objects, because its ordered map searches linearly at each
/// insertion.
class Builder {
public:
    Builder(std::string_view text, JsonLimits limits)
        : limits_(limits), budget_(limits.memory + limits.memoryPerByte * text.size()) {}

    [[nodiscard]] Json take() { return std::move(root_); }
    [[nodiscard]] const ParseFault& fault() const { return fault_; }
    [[nodiscard]] bool isOurs() const { return !fault_.what.empty(); }

    // NOLINTBEGIN(readability-identifier-naming): the parser calls these names.
    bool null() { return add(nullptr, 0); }
    bool boolean(bool value) { return add(value, 0); }
    bool number_integer(std::int64_t value) { return add(value, 0); }
    bool number_unsigned(std::uint64_t value) { return add(value, 0); }
    bool number_float(double value, const std::string&) { return add(value, 0); }
    bool string(std::string& value) {
        const std::size_t bytes = stringBytes(value) + sizeof(std::string);
        return add(std::move(value), bytes);
    }
    bool binary(Json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        Level& level = levels_.back();
        auto& members = level.value->get_ref<Json::object_t&>();
        if (!level.take(members, name)) {
            return fail(fmt::format("the key '{}' occurs twice in one object", shown(name)),
                        "remove one of them");
        }
        if (!book(2 * (sizeof(Json::object_t::value_type) + stringBytes(name)))) {
            return false;
        }
        // Bypasses the map's linear search: the key is known to be new.
        static_cast<Json::object_t::Container&>(members).emplace_back(std::move(name), nullptr);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) {
        std::string text = error.what();
        // Removes the library's prefix "[json.exception.parse_error.101] parse error at line 1,
        // column 2:"; errors of this file add the position.
        for (const std::string_view mark : {"] ", ": "}) {
            if (const std::size_t at = text.find(mark); at != std::string::npos) {
                text.erase(0, at + mark.size());
            }
        }
        fault_ = {"not valid JSON: " + text, "correct the text at this position",
                  position == 0 ? 0 : position - 1};
        return false;
    }
    // NOLINTEND(readability-identifier-naming)

private:
    struct Level {
        Json* value;
        std::unordered_set<std::string> names =
            {}; ///< filled once there are too many keys for a linear search

        bool take(const Json::object_t& members, const std::string& name) {
            constexpr std::size_t few = 16;
            if (members.size() < few) {
                return std::none_of(members.begin(), members.end(),
                                    [&](const auto& member) { return member.first == name; });
            }
            if (names.empty()) {
                for (const auto& member : members) {
                    names.insert(member.first);
                }
            }
            return names.insert(name).second;
        }
    };

    static std::size_t stringBytes(const std::string& text) {
        return text.size() < 16 ? 0 : text.size() + 17;
    }
    static std::string shown(const std::string& name) {
        return name.size() <= 60 ? name : name.substr(0, 57) + "...";
    }

    bool fail(std::string what, std::string remedy) {
        fault_ = {std::move(what), std::move(remedy), 0};
        return false;
    }

    bool book(std::size_t bytes) {
        used_ += bytes;
        return used_ <= budget_ ||
               fail("contains too many values for its size",
                    "check that this is a file of Weft, or split it into several files");
    }

    /// Returns the place for the next value, or nullptr if the memory limit is exceeded.
    Json* place(Json value, std::size_t bytes) {
        // A growing list holds its old and new elements for a moment.
        if (!book(bytes + 3 * sizeof(Json))) {
            return nullptr;
        }
        if (levels_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Json& parent = *levels_.back().value;
        if (parent.is_array()) {
            auto& list = parent.get_ref<Json::array_t&>();
            return &list.emplace_back(std::move(value));
        }
        Json& slot = parent.get_ref<Json::object_t&>().back().second;
        slot = std::move(value);
        return &slot;
    }

    bool add(Json value, std::size_t bytes) { return place(std::move(value), bytes) != nullptr; }

    bool open(Json value) {
        if (levels_.size() >= limits_.depth) {
            return fail(
                fmt::format("lists and objects are nested more than {} deep", limits_.depth),
                "reduce the nesting");
        }
        Json* at = place(std::move(value), 48);
        if (at == nullptr) {
            return false;
        }
        levels_.push_back({at});
        return true;
    }

    bool close() {
        levels_.pop_back();
        return true;
    }

    JsonLimits limits_;
    std::size_t budget_;
    std::size_t used_ = 0;
    Json root_;
    std::vector<Level> levels_;
    ParseFault fault_;
};

/// An iterator that records how far the parser has read, to locate errors that Builder finds.
class Counted {
public:
    // NOLINTBEGIN(readability-identifier-naming): iterators have these names.
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;
    // NOLINTEND(readability-identifier-naming)

    Counted(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
    reference operator*() const { return *at_; }
    Counted& operator++() {
        *furthest_ = ++at_;
        return *this;
    }
    Counted operator++(int) {
        Counted before = *this;
        ++*this;
        return before;
    }
    bool operator==(const Counted& other) const { return at_ == other.at_; }
    bool operator!=(const Counted& other) const { return at_ != other.at_; }

private:
    const char* at_;
    const char** furthest_;
};

} // namespace

Json parseJson(std::string_view text, std::string_view source, JsonLimits limits,
               std::size_t firstLine) {
    Where where;
    where.file = source;
    if (text.size() > limits.bytes) {
        throw Error(
            ErrorCode::format, where,
            fmt::format("is {} bytes long, more than the {} allowed", text.size(), limits.bytes),
            "check that this is a file of Weft, or split it into several files");
    }
    Builder builder(text, limits);
    const char* furthest = text.data();
    const bool isRead = Json::sax_parse(Counted(text.data(), &furthest),
                                        Counted(text.data() + text.size(), &furthest), &builder);
    if (isRead) {
        return builder.take();
    }
    ParseFault fault = builder.fault();
    if (fault.offset == 0) {
        fault.offset = static_cast<std::size_t>(furthest - text.data());
        fault.offset -= fault.offset > 0 ? 1 : 0;
    }
    fault.offset = std::min(fault.offset, text.size());
    where.offset = static_cast<std::int64_t>(fault.offset);
    where.line =
        static_cast<std::int64_t>(firstLine) +
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(fault.offset), '\n');
    throw Error(ErrorCode::format, where, fault.what, fault.remedy);
}

Json readJsonFile(const std::filesystem::path& path, JsonLimits limits) {
    return parseJson(readFile(path, limits.bytes), path.string(), limits);
}

std::string jsonText(const Json& value, int indent) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string_view jsonTypeName(const Json& value) {
    switch (value.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::object: return "an object";
    case Json::value_t::array: return "a list";
    case Json::value_t::string: return "a text";
    case Json::value_t::boolean: return "true or false";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned: return "a whole number";
    case Json::value_t::number_float: return "a number";
    case Json::value_t::binary: return "bytes";
    case Json::value_t::discarded: return "nothing";
    }
    return "nothing";
}

} // namespace weft
