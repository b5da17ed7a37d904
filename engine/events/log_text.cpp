// SPDX-License-Identifier: Apache-2.0
#include "events/log_text.h"

#include "base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace weft {

namespace {

constexpr std::array passes{Pass::forward, Pass::backward, Pass::update, Pass::metric};
constexpr std::array kinds{SpanKind::compute, SpanKind::communicate, SpanKind::copy, SpanKind::wait,
                           SpanKind::host};

template <class Word, std::size_t count>
Word named(const std::array<Word, count>& words, const std::string& name, Word otherwise) {
    for (const Word word : words) {
        if (nameOf(word) == name) {
            return word;
        }
    }
    return otherwise;
}

/// The object in `text`, or an empty one.
Json objectFrom(std::string_view text) {
    try {
        Json value = parseJson(text, "events", {.bytes = 1 << 20, .depth = 8});
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

std::string attemptText(const Attempt& attempt) {
    return jsonText(Json{{"steps_before", attempt.stepsBefore},
                         {"ranks", attempt.ranks},
                         {"devices", attempt.devices},
                         {"version", attempt.version}});
}

Attempt attemptFrom(std::string_view text) {
    const Json object = objectFrom(text);
    Attempt attempt;
    attempt.stepsBefore = numberIn(object, "steps_before", 0);
    attempt.ranks = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(numberIn(object, "ranks", 1), 1, 1 << 20));
    attempt.version = textIn(object, "version");
    if (const auto devices = object.find("devices");
        devices != object.end() && devices->is_array()) {
        for (const Json& device : *devices) {
            attempt.devices.push_back(device.is_string() ? device.get<std::string>()
                                                         : std::string());
        }
    }
    return attempt;
}

std::string siteText(const SpanSite& site) {
    Json object{{"layer", site.layer}, {"op", site.op}};
    if (!site.origin.layer.isNone()) {
        object["id"] = site.origin.layer.value;
    }
    if (site.origin.instance != 0) {
        object["instance"] = site.origin.instance;
    }
    object["pass"] = nameOf(site.pass);
    object["kind"] = nameOf(site.kind);
    if (site.flops.count != 0) {
        object["flops"] = site.flops.count;
    }
    if (site.bytes.count != 0) {
        object["bytes"] = site.bytes.count;
    }
    return jsonText(object);
}

SpanSite siteFrom(std::string_view text) {
    const Json object = objectFrom(text);
    SpanSite site;
    site.origin.layer = {static_cast<std::uint32_t>(numberIn(object, "id", LayerId::none))};
    site.origin.instance = static_cast<std::uint32_t>(numberIn(object, "instance", 0));
    site.pass = named(passes, textIn(object, "pass"), Pass::forward);
    site.kind = named(kinds, textIn(object, "kind"), SpanKind::compute);
    site.layer = textIn(object, "layer");
    site.op = textIn(object, "op");
    site.flops = {numberIn(object, "flops", 0)};
    site.bytes = {numberIn(object, "bytes", 0)};
    return site;
}

} // namespace weft
