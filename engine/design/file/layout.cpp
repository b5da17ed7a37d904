// SPDX-License-Identifier: Apache-2.0
#include "design/file/layout.h"

#include <nlohmann/json.hpp>

#include <array>
#include <string_view>

namespace weft {

namespace {

constexpr std::size_t widest = 160;

bool isListOfEntries(std::string_view key, const Json& value) {
    constexpr std::array<std::string_view, 5> lists = {"layers", "wires", "groups", "frames",
                                                       "comments"};
    return value.is_array() && !value.empty() &&
           std::find(lists.begin(), lists.end(), key) != lists.end();
}

std::string scalar(const Json& value) { return jsonText(value); }

void appendCompact(std::string& out, const Json& value) {
    if (!value.is_structured()) {
        out += scalar(value);
        return;
    }
    out += value.is_object() ? '{' : '[';
    bool first = true;
    for (const auto& [key, member] : value.items()) {
        out += first ? "" : ", ";
        first = false;
        if (value.is_object()) {
            out += scalar(Json(key)) + ": ";
        }
        appendCompact(out, member);
    }
    out += value.is_object() ? '}' : ']';
}

// Writes values one after another and tracks the column.
class Page {
public:
    void document(const Json& value);
    [[nodiscard]] std::string text() && { return std::move(text_); }

private:
    void filled(const Json& value, std::size_t indent);
    void network(const Json& value, std::size_t indent);
    void entries(std::string_view key, const Json& list, std::size_t indent);
    void put(std::string_view piece) { text_ += piece; }
    void newLine(std::size_t indent) {
        text_ += '\n';
        lineStart_ = text_.size();
        text_.append(indent, ' ');
    }
    [[nodiscard]] std::size_t column() const { return text_.size() - lineStart_; }
    // Leaves one column for the following comma.
    [[nodiscard]] bool fits(std::size_t length) const { return column() + length < widest; }

    std::string text_;
    std::size_t lineStart_ = 0;
};

// Writes as many members on a line as fit; a member too long for its own line is split in turn.
void Page::filled(const Json& value, std::size_t indent) {
    std::string whole;
    appendCompact(whole, value);
    if (!value.is_structured() || fits(whole.size())) {
        put(whole);
        return;
    }
    put(value.is_object() ? "{" : "[");
    bool first = true;
    for (const auto& [key, member] : value.items()) {
        std::string piece = value.is_object() ? scalar(Json(key)) + ": " : std::string();
        const std::size_t start = piece.size();
        appendCompact(piece, member);
        if (!first) {
            put(",");
            if (fits(piece.size() + 1)) {
                put(" ");
            } else {
                newLine(indent + 1);
            }
        }
        first = false;
        if (fits(piece.size()) || !member.is_structured()) {
            put(piece);
        } else {
            put(std::string_view(piece).substr(0, start));
            filled(member, indent + 1);
        }
    }
    put(value.is_object() ? "}" : "]");
}

// Writes an object with lists of entries: short members on its first lines, then the lists.
void Page::network(const Json& value, std::size_t indent) {
    put("{");
    bool first = true;
    for (const auto& [key, member] : value.items()) {
        if (isListOfEntries(key, member)) {
            if (!first) {
                put(",");
                newLine(indent + 1);
            }
            entries(key, member, indent + 1);
            first = false;
            continue;
        }
        std::string piece = scalar(Json(key)) + ": ";
        const std::size_t start = piece.size();
        appendCompact(piece, member);
        if (!first) {
            put(",");
            if (fits(piece.size() + 1)) {
                put(" ");
            } else {
                newLine(indent + 1);
            }
        }
        first = false;
        put(std::string_view(piece).substr(0, start));
        filled(member, indent + 1);
    }
    put("}");
}

void Page::entries(std::string_view key, const Json& list, std::size_t indent) {
    put(scalar(Json(key)) + ": [");
    for (std::size_t i = 0; i < list.size(); ++i) {
        newLine(indent + 1);
        if (key == "groups" && list[i].is_object()) {
            network(list[i], indent + 1);
        } else {
            filled(list[i], indent + 1);
        }
        put(i + 1 < list.size() ? "," : "");
    }
    put("]");
}

void Page::document(const Json& value) {
    if (!value.is_object()) {
        filled(value, 0);
        newLine(0);
        return;
    }
    put("{");
    bool first = true;
    for (const auto& [key, member] : value.items()) {
        if (!first) {
            put(",");
            // The version and the name share the first line.
            if (key == "name") {
                put(" ");
            } else {
                newLine(1);
            }
        }
        first = false;
        if (isListOfEntries(key, member)) {
            entries(key, member, 1);
        } else {
            put(scalar(Json(key)) + ": ");
            filled(member, 1);
        }
    }
    put("}");
    newLine(0);
}

} // namespace

std::string layOut(const Json& document) {
    Page page;
    page.document(document);
    return std::move(page).text();
}

std::string onOneLine(const Json& value) {
    std::string text;
    appendCompact(text, value);
    return text;
}

} // namespace weft
