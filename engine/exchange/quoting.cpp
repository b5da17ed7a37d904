// SPDX-License-Identifier: Apache-2.0
#include "exchange/quoting.h"

#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace weft {

namespace {

bool isPlain(char letter, std::string_view besides) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           besides.find(letter) != std::string_view::npos;
}

} // namespace

std::string shellWord(std::string_view value) {
    const bool isSafe = !value.empty() && std::ranges::all_of(value, [](char letter) {
        return isPlain(letter, "_@%+=:,./-");
    });
    if (isSafe && value.front() != '=') {
        return std::string(value);
    }
    std::string word = "'";
    for (const char letter : value) {
        word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return word + "'";
}

std::string shellWords(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : " ") + shellWord(word);
    }
    return text;
}

std::string yamlText(std::string_view value) {
    // Escapes everything but ASCII, because YAML refuses some characters that JSON allows.
    return nlohmann::json(value).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string directiveValue(std::string_view option, std::string_view value) {
    const bool isSafe = !value.empty() && std::ranges::all_of(value, [](char letter) {
        return isPlain(letter, "._:+,@/%-");
    });
    if (!isSafe) {
        throw Error(ErrorCode::usage, {},
                    "the " + std::string(option) + " \"" + std::string(value) +
                        "\" is not allowed in a batch script",
                    "use letters, digits and ._:+,@/%-");
    }
    return std::string(value);
}

std::string lowerCaseName(std::string_view value, std::size_t most) {
    std::string name;
    for (const char letter : value) {
        const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        if (isPlain(lower, "")) {
            name += lower;
        } else if (!name.empty() && name.back() != '-') {
            name += '-';
        }
    }
    name.resize(std::min(name.size(), most));
    while (!name.empty() && name.back() == '-') {
        name.pop_back();
    }
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) {
        name.insert(0, "weft-");
        name.resize(std::min(name.size(), most));
    }
    return name == "weft-" ? "weft" : name;
}

} // namespace weft
