// SPDX-License-Identifier: Apache-2.0
#include "comm/host/host_keys.h"

#include "base/process/environment.h"
#include <weft/error.h>

#include <cmath>
#include <cstdlib>

namespace weft {

namespace {

constexpr const char* addressName = "WEFT_HOST_CHANNEL";
constexpr const char* secretName = "WEFT_HOST_SECRET";
constexpr const char* silenceName = "WEFT_BEAT_LIMIT";
constexpr const char* stillName = "WEFT_STUCK_LIMIT";

int numberIn(const char* name, int otherwise) {
    const std::string text = fromEnvironment(name);
    return text.empty() ? otherwise : std::atoi(text.c_str());
}

std::chrono::milliseconds limitIn(const char* name, std::chrono::milliseconds otherwise) {
    const std::string text = fromEnvironment(name);
    if (text.empty()) {
        return otherwise;
    }
    char* end = nullptr;
    const double seconds = std::strtod(text.c_str(), &end);
    if (*end != '\0' || !std::isfinite(seconds) || seconds < 0.1 || seconds > 1e6) {
        throw Error(ErrorCode::usage, Where{.op = name},
                    "\"" + text + "\" is not a number of seconds",
                    "set it to 0.1 or more, or unset it");
    }
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

} // namespace

std::vector<std::pair<std::string, std::string>> environmentOf(const HostKeys& keys) {
    std::vector<std::pair<std::string, std::string>> all{{addressName, keys.address},
                                                         {secretName, textOf(keys.secret)}};
    for (const char* name : {silenceName, stillName}) {
        if (const std::string value = fromEnvironment(name); !value.empty()) {
            all.emplace_back(name, value);
        }
    }
    return all;
}

std::optional<HostKeys> keysFromEnvironment() {
    const std::string address = fromEnvironment(addressName);
    if (address.empty()) {
        return std::nullopt;
    }
    return HostKeys{address, secretFrom(fromEnvironment(secretName))};
}

std::string textOf(const HostKeys& keys) { return textOf(keys.secret) + keys.address; }

HostKeys keysFrom(std::string_view text) {
    const std::size_t length = std::min<std::size_t>(32, text.size());
    return {std::string(text.substr(length)), secretFrom(text.substr(0, length))};
}

HostLimits limitsFromEnvironment() {
    const HostLimits usual;
    return {limitIn(silenceName, usual.silence), limitIn(stillName, usual.still)};
}

int rankFromEnvironment() { return numberIn("OMPI_COMM_WORLD_RANK", numberIn("PMIX_RANK", -1)); }

int ranksFromEnvironment() { return numberIn("OMPI_COMM_WORLD_SIZE", 0); }

bool isSpreadOverHosts() {
    return numberIn("OMPI_COMM_WORLD_LOCAL_SIZE", 0) != ranksFromEnvironment();
}

} // namespace weft
