// SPDX-License-Identifier: Apache-2.0
#include "events/log_text.h"

#include "base/text/lenient_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace weft {

namespace {

constexpr std::array passes{Pass::forward, Pass::backward, Pass::update, Pass::metric};
constexpr std::array kinds{SpanKind::compute, SpanKind::communicate, SpanKind::copy, SpanKind::wait,
                           SpanKind::host,    SpanKind::repeat,      SpanKind::feed};

template <class Word, std::size_t count>
Word named(const std::array<Word, count>& words, const std::string& name, Word otherwise) {
    for (const Word word : words) {
        if (nameOf(word) == name) {
            return word;
        }
    }
    return otherwise;
}

/// Reads a number of ranks or hosts, at least 1.
std::int32_t countAt(const Json& object, const char* key) {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(numberAt(object, key, 1), 1, 1 << 20));
}

} // namespace

std::string attemptText(const Attempt& attempt) {
    return jsonText(Json{{"steps_before", attempt.stepsBefore},
                         {"ranks", attempt.ranks},
                         {"period", attempt.period},
                         {"hosts", attempt.hosts},
                         {"devices", attempt.devices},
                         {"version", attempt.version}});
}

Attempt attemptFrom(std::string_view text) {
    const Json object = objectIn(text);
    Attempt attempt;
    attempt.stepsBefore = numberAt(object, "steps_before", 0);
    attempt.ranks = countAt(object, "ranks");
    attempt.period = std::max<std::int64_t>(1, numberAt(object, "period", 1));
    attempt.hosts = countAt(object, "hosts");
    attempt.version = textAt(object, "version");
    attempt.devices = textsAt(object, "devices");
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
    if (site.rounds != 1) {
        object["rounds"] = site.rounds;
    }
    return jsonText(object);
}

SpanSite siteFrom(std::string_view text) {
    const Json object = objectIn(text);
    SpanSite site;
    site.origin.layer = {static_cast<std::uint32_t>(numberAt(object, "id", LayerId::none))};
    site.origin.instance = static_cast<std::uint32_t>(numberAt(object, "instance", 0));
    site.pass = named(passes, textAt(object, "pass"), Pass::forward);
    site.kind = named(kinds, textAt(object, "kind"), SpanKind::compute);
    site.layer = textAt(object, "layer");
    site.op = textAt(object, "op");
    site.flops = {numberAt(object, "flops", 0)};
    site.bytes = {numberAt(object, "bytes", 0)};
    site.rounds = std::max<std::int64_t>(1, numberAt(object, "rounds", 1));
    return site;
}

} // namespace weft
