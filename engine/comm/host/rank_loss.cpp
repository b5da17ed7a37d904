// SPDX-License-Identifier: Apache-2.0
#include "comm/host/rank_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weft {

RankLoss::RankLoss(RankIdentity rank, std::string what)
    : rank_(std::move(rank)), problem_(std::move(what)) {}

void RankLoss::addAnswer(int rank, RankActivity stand) {
    answered_.push_back(rank);
    if (stand.waits && !witness_) {
        witness_.emplace(rank, std::move(stand));
    }
}

void RankLoss::addLostRank(const RankIdentity& rank) { alsoLost_.push_back(rank); }

bool RankLoss::isSettled(const std::vector<int>& present) const {
    constexpr std::chrono::milliseconds longest{500};
    const auto hasAnswered = [&](int rank) {
        return std::ranges::find(answered_, rank) != answered_.end();
    };
    return witness_ || std::ranges::all_of(present, hasAnswered) ||
           std::chrono::steady_clock::now() - since_ > longest;
}

Error RankLoss::cause(const std::string& folder) const {
    Where where{.rank = rank_.rank, .host = rank_.host};
    std::string what = problem_;
    if (witness_) {
        const auto& [rank, stand] = *witness_;
        where.layer = stand.layer;
        where.op = stand.op;
        what += fmt::format("; rank {} was waiting at this point", rank);
        if (!stand.arrived.empty()) {
            what += ", arrived: " + listed(stand.arrived);
        }
        if (!stand.missing.empty()) {
            what += ", missing: " + listed(stand.missing);
        }
    }
    for (const RankIdentity& other : alsoLost_) {
        what += fmt::format("; rank {} ({}) was lost too", other.rank, other.host);
    }
    return {ErrorCode::peer, std::move(where), std::move(what),
            folder.empty() ? "see why the rank ended, and start the run again"
                           : "weft resume " + folder + " continues from the last checkpoint"};
}

} // namespace weft
