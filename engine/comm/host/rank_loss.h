// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loss of a rank, while the other ranks are asked where they wait for it: the message names the
// waiting collective and the members that had arrived. The first rank that answers with a wait is
// the witness.

#include "comm/host/host_words.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class RankLoss {
public:
    RankLoss(RankIdentity rank, std::string what);

    void hear(int rank, RankActivity stand);
    /// Adds a further lost rank before the first loss was reported.
    void alsoLose(const RankIdentity& rank);
    /// True if a witness has answered or none will: all other ranks have answered, or half a second
    /// has passed.
    [[nodiscard]] bool isKnown(const std::vector<int>& present) const;
    /// Returns the error that names the lost ranks and the wait of the witness. `folder` is that of
    /// the run; empty if nothing is kept.
    [[nodiscard]] Error cause(const std::string& folder) const;

private:
    RankIdentity rank_;
    std::string what_;
    std::vector<RankIdentity> also_;
    std::vector<int> answered_;
    std::optional<std::pair<int, RankActivity>> witness_;
    std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

} // namespace weft
