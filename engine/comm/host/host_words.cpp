// SPDX-License-Identifier: Apache-2.0
#include "comm/host/host_words.h"

#include "base/failure_text.h"
#include "base/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace weft {

namespace {

Json objectFrom(std::string_view text) {
    try {
        Json value = parseJson(text, "the host channel", {.bytes = 1 << 17, .depth = 8});
        return value.is_object() ? value : Json::object();
    } catch (const Error&) {
        return Json::object();
    }
}

template <class Value>
Value valueIn(const Json& object, const char* key, Value otherwise) {
    try {
        return object.value(key, std::move(otherwise));
    } catch (const std::exception&) {
        return Value{};
    }
}

} // namespace

std::string textOf(const RankIdentity& identity) {
    return jsonText(Json{{"rank", identity.rank},
                         {"host", identity.host},
                         {"process", identity.process},
                         {"job", identity.job}});
}

RankIdentity identityFrom(std::string_view text) {
    const Json object = objectFrom(text);
    return {valueIn(object, "rank", -1), valueIn(object, "host", std::string()),
            valueIn(object, "process", 0), valueIn(object, "job", std::string())};
}

std::string textOf(const HostStand& stand) {
    return jsonText(Json{{"waits", stand.waits},
                         {"layer", stand.layer},
                         {"op", stand.op},
                         {"arrived", stand.arrived},
                         {"missing", stand.missing}});
}

HostStand standFrom(std::string_view text) {
    const Json object = objectFrom(text);
    return {valueIn(object, "waits", false), valueIn(object, "layer", std::string()),
            valueIn(object, "op", std::string()),
            valueIn(object, "arrived", std::vector<std::string>()),
            valueIn(object, "missing", std::vector<std::string>())};
}

std::string textOf(const HostCause& cause) {
    return jsonText(Json{{"error", failureText(cause.error)}, {"alive", cause.alive}});
}

HostCause causeFrom(std::string_view text) {
    const Json object = objectFrom(text);
    return {failureFrom(valueIn(object, "error", std::string(text))),
            valueIn(object, "alive", std::vector<int>())};
}

std::string listed(const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

} // namespace weft
