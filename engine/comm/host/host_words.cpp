// SPDX-License-Identifier: Apache-2.0
#include "comm/host/host_words.h"

#include "base/failure_text.h"
#include "base/text/lenient_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace weft {

/// Limit for messages of untrusted ranks.
constexpr std::size_t mostBytes = std::size_t{1} << 17U;

std::string textOf(const RankIdentity& identity) {
    return jsonText(
        Json{{"rank", identity.rank}, {"host", identity.host}, {"clock", identity.clock}});
}

RankIdentity identityFrom(std::string_view text) {
    const Json object = objectIn(text, mostBytes);
    return {static_cast<int>(numberAt(object, "rank", -1)), textAt(object, "host"),
            textAt(object, "clock")};
}

std::string textOf(const RankActivity& stand) {
    return jsonText(Json{{"waits", stand.waits},
                         {"layer", stand.layer},
                         {"op", stand.op},
                         {"arrived", stand.arrived},
                         {"missing", stand.missing}});
}

RankActivity activityFrom(std::string_view text) {
    const Json object = objectIn(text, mostBytes);
    return {flagAt(object, "waits", false), textAt(object, "layer"), textAt(object, "op"),
            textsAt(object, "arrived"), textsAt(object, "missing")};
}

std::string textOf(const HostCause& cause) {
    return jsonText(Json{{"error", failureText(cause.error)}, {"alive", cause.alive}});
}

HostCause causeFrom(std::string_view text) {
    const Json object = objectIn(text, mostBytes);
    const std::string error = textAt(object, "error");
    const std::vector<std::int64_t> alive = numbersAt(object, "alive");
    return {failureFrom(error.empty() ? text : error), {alive.begin(), alive.end()}};
}

std::string listed(const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

} // namespace weft
