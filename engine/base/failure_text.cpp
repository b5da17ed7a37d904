// SPDX-License-Identifier: Apache-2.0
#include "base/failure_text.h"

#include "base/text/lenient_json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

namespace weft {

namespace {

constexpr std::array errorCodes{ErrorCode::usage,   ErrorCode::design,  ErrorCode::file,
                                ErrorCode::format,  ErrorCode::memory,  ErrorCode::device,
                                ErrorCode::peer,    ErrorCode::timeout, ErrorCode::numerics,
                                ErrorCode::stopped, ErrorCode::bug};

ErrorCode codeNamed(const std::string& name) {
    for (const ErrorCode code : errorCodes) {
        if (nameOf(code) == name) {
            return code;
        }
    }
    return ErrorCode::bug;
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
    const Json object = objectIn(text);
    Where where;
    where.file = textAt(object, "file");
    where.line = numberAt(object, "line", -1);
    where.offset = numberAt(object, "offset", -1);
    where.rank = static_cast<int>(numberAt(object, "rank", -1));
    where.host = textAt(object, "host");
    where.layer = textAt(object, "layer");
    where.op = textAt(object, "op");
    std::string what = textAt(object, "what");
    if (what.empty()) {
        what = text;
    }
    return {codeNamed(textAt(object, "code")), std::move(where), std::move(what),
            textAt(object, "remedy")};
}

Error currentError() {
    try {
        throw;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return {ErrorCode::memory,
                {},
                "not enough memory",
                "use a smaller batch or more devices, or close other programs"};
    } catch (const std::exception& error) {
        return {ErrorCode::bug, {}, error.what(), "this is a fault of Weft: please report it"};
    }
}

} // namespace weft
