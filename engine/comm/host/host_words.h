// SPDX-License-Identifier: Apache-2.0
#pragma once
// What ranks and hub tell each other beyond a word: who one is, what one waits for, what ended the
// run. As text JSON, read without trust.

#include <weft/error.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct RankIdentity {
    int rank = -1;
    std::string host = {};
    std::string clock = {}; ///< the steady clock it reads: see steadyClockName
    [[nodiscard]] bool hasClockOf(const RankIdentity& other) const {
        return !clock.empty() && clock == other.clock;
    }
    bool operator==(const RankIdentity&) const = default;
};

/// Where a rank stands when another one is missed.
struct HostStand {
    bool waits = false; ///< for others; else it computes
    std::string layer = {};
    std::string op = {};
    std::vector<std::string> arrived = {}; ///< devices, where it waits in a collective
    std::vector<std::string> missing = {};
    bool operator==(const HostStand&) const = default;
};

/// The first failure of a run, and the ranks that were there when it was told: the first of them
/// saves what can be saved and speaks for all.
struct HostCause {
    Error error;
    std::vector<int> alive = {};
    [[nodiscard]] int speaker() const { return alive.empty() ? -1 : alive.front(); }
};

[[nodiscard]] std::string textOf(const RankIdentity& identity);
[[nodiscard]] RankIdentity identityFrom(std::string_view text);
[[nodiscard]] std::string textOf(const HostStand& stand);
[[nodiscard]] HostStand standFrom(std::string_view text);
[[nodiscard]] std::string textOf(const HostCause& cause);
[[nodiscard]] HostCause causeFrom(std::string_view text);

/// "cpu:0, cpu:1"
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

} // namespace weft
