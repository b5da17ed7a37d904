// SPDX-License-Identifier: Apache-2.0
#pragma once
// The address and secret with which a rank joins the host channel of its run. The launcher passes
// them to its ranks in their environment; nobody else knows them.

#include "comm/host/proof.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

struct HostKeys {        ///< what a rank needs to join the host channel of its run
    std::string address; ///< address of the hub
    Secret secret = {};  ///< with which hub and rank authenticate each other
    bool operator==(const HostKeys&) const = default;
};

/// Returns the keys as environment variables, with the limits below if this process was given any.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> environmentOf(const HostKeys& keys);
/// Returns what the launcher passed to this process, or none.
[[nodiscard]] std::optional<HostKeys> keysFromEnvironment();
/// Returns the keys as one text for sending.
[[nodiscard]] std::string textOf(const HostKeys& keys);
[[nodiscard]] HostKeys keysFrom(std::string_view text); ///< the inverse of textOf

/// How long a rank may be silent, and how long it may make no progress. WEFT_BEAT_LIMIT and
/// WEFT_STUCK_LIMIT, in seconds, change them.
struct HostLimits {
    std::chrono::milliseconds silence{10'000}; ///< for how long a rank may send nothing
    std::chrono::milliseconds still{60'000};   ///< for how long a rank may make no progress
    bool operator==(const HostLimits&) const = default;
};
[[nodiscard]] HostLimits limitsFromEnvironment();

/// Returns this process's rank as its launcher numbered it, before MPI is initialised; -1: none.
[[nodiscard]] int rankFromEnvironment();
[[nodiscard]] int ranksFromEnvironment(); ///< number of ranks
[[nodiscard]] bool isSpreadOverHosts();   ///< true: the ranks run on several hosts

} // namespace weft
