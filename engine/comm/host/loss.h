// SPDX-License-Identifier: Apache-2.0
#pragma once
// A rank that was lost, while the others are asked where they miss it: the message names the
// collective that waited and who had arrived. Whoever answers first with a wait is the witness.

#include "comm/host/host_words.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class Loss {
public:
    Loss(RankIdentity rank, std::string what);

    void hear(int rank, HostStand stand);
    /// Another one, before the first was told.
    void alsoLose(const RankIdentity& rank);
    /// Somebody has said where it is missed, or nobody will: all the others have answered, or half
    /// a second has passed.
    [[nodiscard]] bool isKnown(const std::vector<int>& present) const;
    /// `folder`: of the run; empty where none is kept.
    [[nodiscard]] Error cause(const std::string& folder) const;

private:
    RankIdentity rank_;
    std::string what_;
    std::vector<RankIdentity> also_;
    std::vector<int> answered_;
    std::optional<std::pair<int, HostStand>> witness_;
    std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

} // namespace weft
