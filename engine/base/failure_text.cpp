// SPDX-License-Identifier: Apache-2.0
#include "base/failure_text.h"

#include "base/json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <utility>

namespace weft {

namespace {

constexpr std::array codes{ErrorCode::usage,   ErrorCode::design,  ErrorCode::file,
                           ErrorCode::format,  ErrorCode::memory,  ErrorCode::device,
                           ErrorCode::peer,    ErrorCode::timeout, ErrorCode::numerics,
                           ErrorCode::stopped, ErrorCode::bug};

ErrorCode codeNamed(const std::string& name) {
    for (const ErrorCode code : codes) {
        if (nameOf(code) == name) {
            return code;
        }
    }
    return ErrorCode::bug;
}

/// The object in `text`, or an empty one.
Json objectFrom(std::string_view text) {
    try {
        Json value = parseJson(text, "a failure", {.bytes = 1 << 20, .depth = 8});
        return value.is_object() ? value : Json::object();
    } catch (const Error&) {
        return Json::object();
    }
}

std::string textIn(const Json& object, const char* key) {
    const auto member = object.find(key);
    return member != object.end() && member->is_string() ? member->get<std::string>()
                                                         : std::string();
}

std::int64_t numberIn(const Json& object, const char* key, std::int64_t otherwise) {
    const auto member = object.find(key);
    return member != object.end() && member->is_number_integer() ? member->get<std::int64_t>()
                                                                 : otherwise;
}

} // namespace

std::string failureText(const Error& error) {
    const Where& where = error.where();
    Json object{
        {"code", nameOf(error.code())}, {"what", error.problem()}, {"remedy", error.remedy()}};
    for (const auto& [key, text] : {std::pair{"file", &where.file}, std::pair{"host", &where.host},
                                    std::pair{"layer", &where.layer}, std::pair{"op", &where.op}}) {
        if (!text->empty()) {
            object[key] = *text;
        }
    }
    for (const auto& [key, number] :
         {std::pair{"line", where.line}, std::pair{"offset", where.offset},
          std::pair{"rank", static_cast<std::int64_t>(where.rank)}}) {
        if (number >= 0) {
            object[key] = number;
        }
    }
    return jsonText(object);
}

Error failureFrom(std::string_view text) {
    const Json object = objectFrom(text);
    Where where;
    where.file = textIn(object, "file");
    where.line = numberIn(object, "line", -1);
    where.offset = numberIn(object, "offset", -1);
    where.rank = static_cast<int>(numberIn(object, "rank", -1));
    where.host = textIn(object, "host");
    where.layer = textIn(object, "layer");
    where.op = textIn(object, "op");
    std::string what = textIn(object, "what");
    if (what.empty()) {
        what = text;
    }
    return {codeNamed(textIn(object, "code")), std::move(where), std::move(what),
            textIn(object, "remedy")};
}

} // namespace weft
