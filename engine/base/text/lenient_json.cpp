// SPDX-License-Identifier: Apache-2.0
#include "base/text/lenient_json.h"

#include <weft/error.h>

#include <nlohmann/json.hpp>

namespace weft {

namespace {

Json listAt(const Json& object, const char* key) {
    const auto member = object.find(key);
    return member != object.end() && member->is_array() ? *member : Json::array();
}

} // namespace

Json objectIn(std::string_view text, std::size_t bytes) {
    try {
        Json value = parseJson(text, "another process", {.bytes = bytes, .depth = 8});
        return value.is_object() ? value : Json::object();
    } catch (const Error&) {
        return Json::object();
    }
}

std::string textAt(const Json& object, const char* key) {
    const auto member = object.find(key);
    return member != object.end() && member->is_string() ? member->get<std::string>()
                                                         : std::string();
}

std::int64_t numberAt(const Json& object, const char* key, std::int64_t otherwise) {
    const auto member = object.find(key);
    return member != object.end() && member->is_number_integer() ? member->get<std::int64_t>()
                                                                 : otherwise;
}

bool flagAt(const Json& object, const char* key, bool otherwise) {
    const auto member = object.find(key);
    return member != object.end() && member->is_boolean() ? member->get<bool>() : otherwise;
}

std::vector<std::string> textsAt(const Json& object, const char* key) {
    std::vector<std::string> texts;
    for (const Json& one : listAt(object, key)) {
        texts.push_back(one.is_string() ? one.get<std::string>() : std::string());
    }
    return texts;
}

std::vector<std::int64_t> numbersAt(const Json& object, const char* key) {
    std::vector<std::int64_t> numbers;
    for (const Json& one : listAt(object, key)) {
        numbers.push_back(one.is_number_integer() ? one.get<std::int64_t>() : 0);
    }
    return numbers;
}

} // namespace weft
