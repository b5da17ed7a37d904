// SPDX-License-Identifier: Apache-2.0
#pragma once
// Structured messages between ranks and hub: a rank's identity, what it waits for, why the run
// ended. Encoded as JSON, read without trust.

#include <weft/error.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct RankIdentity {
    int rank = -1;
    std::string host = {};  ///< name of its host
    std::string clock = {}; ///< name of its steady clock: equal names, equal times
    [[nodiscard]] bool sharesClockWith(const RankIdentity& other) const {
        return !clock.empty() && clock == other.clock;
    }
    bool operator==(const RankIdentity&) const = default;
};

/// What a rank does while another rank is missing.
struct RankActivity {
    bool waits = false;     ///< waits for others; else it computes
    std::string layer = {}; ///< layer of the op
    std::string op = {};    ///< op that it computes, or in which it waits
    /// Devices that have arrived, if it waits in a collective.
    std::vector<std::string> arrived = {}; ///< devices that have arrived at its collective
    std::vector<std::string> missing = {}; ///< devices for which it waits
    bool operator==(const RankActivity&) const = default;
};

/// The first failure of a run, and the ranks that were present when it was reported: the first of
/// these saves what can be saved and reports the failure for all.
struct HostCause {
    Error error;
    std::vector<int> alive = {}; ///< ranks that were present, ascending
    [[nodiscard]] int speaker() const { return alive.empty() ? -1 : alive.front(); }
};

[[nodiscard]] std::string textOf(const RankIdentity& identity);
[[nodiscard]] RankIdentity identityFrom(std::string_view text);
[[nodiscard]] std::string textOf(const RankActivity& stand);
[[nodiscard]] RankActivity activityFrom(std::string_view text);
[[nodiscard]] std::string textOf(const HostCause& cause);
[[nodiscard]] HostCause causeFrom(std::string_view text);

/// Returns "cpu:0, cpu:1".
[[nodiscard]] std::string listed(const std::vector<std::string>& names); ///< with commas between

} // namespace weft
