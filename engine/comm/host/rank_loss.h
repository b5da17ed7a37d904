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

class RankLoss { ///< a lost rank, and what other ranks say about it
public:
    RankLoss(RankIdentity rank, std::string what);

    void addAnswer(int rank, RankActivity stand); ///< what another rank does or waits for
    /// Adds a further lost rank before the first loss was reported.
    void addLostRank(const RankIdentity& rank);
    /// True if a witness has answered or none will: all other ranks have answered, or half a second
    /// has passed.
    [[nodiscard]] bool isSettled(const std::vector<int>& present) const;
    /// Returns the error that names the lost ranks and the wait of the witness. `folder` is that of
    /// the run; empty if nothing is kept.
    [[nodiscard]] Error cause(const std::string& folder) const;

private:
    RankIdentity rank_;                  ///< the first lost rank
    std::string problem_;                ///< how it was lost
    std::vector<RankIdentity> alsoLost_; ///< ranks lost after it
    std::vector<int> answered_;          ///< ranks that have said what they wait for
    std::optional<std::pair<int, RankActivity>> witness_; ///< first rank that waits for it
    std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

} // namespace weft
