// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a rank needs to find the host channel of its run and be let in: the launcher hands it to its
// ranks in their environment, and nobody else has it.

#include "comm/host/proof.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

struct HostKeys {
    std::string address;
    Secret secret = {};
    bool operator==(const HostKeys&) const = default;
};

/// As variables of an environment, with the limits below where this process was given some.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> environmentOf(const HostKeys& keys);
/// What the launcher handed to this process; nothing where there was none.
[[nodiscard]] std::optional<HostKeys> keysFromEnvironment();
/// As one text, to be sent.
[[nodiscard]] std::string textOf(const HostKeys& keys);
[[nodiscard]] HostKeys keysFrom(std::string_view text);

/// How long the silence of a rank may last, and a rank's own standing still. WEFT_BEAT_LIMIT and
/// WEFT_STUCK_LIMIT, in seconds, set others.
struct HostLimits {
    std::chrono::milliseconds silence{10'000};
    std::chrono::milliseconds still{60'000};
    bool operator==(const HostLimits&) const = default;
};
[[nodiscard]] HostLimits limitsFromEnvironment();

/// This process's number among the ranks that a launcher started, before MPI is asked; -1: none.
[[nodiscard]] int rankFromEnvironment();
[[nodiscard]] int ranksFromEnvironment();
/// Whether the ranks live on several hosts.
[[nodiscard]] bool isSpreadOverHosts();

} // namespace weft
