// SPDX-License-Identifier: Apache-2.0
#pragma once
// Steps that another rank logged but rank 0 did not. Every rank logs the numbers of every step, and
// readers show rank 0's. If rank 0 is killed, its last steps are lost with its memory; a rank that
// outlives it may have saved a later checkpoint and has logged the steps up to it.

#include <weft/run_news.h>

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace weft {

/// Orders the steps of a run as a log does: an evaluation follows the training step before it.
struct StepKey {
    std::uint32_t attempt = 0;
    std::int64_t step = 0;
    Split split = Split::train;
    auto operator<=>(const StepKey&) const = default;
};

class SurvivorSteps {
public:
    /// Notes that rank 0's log has the step. Returns false if the step was already taken from here.
    [[nodiscard]] bool isNewFromRank0(const StepKey& key); ///< notes rank 0's step
    /// True if neither rank 0 nor another rank has reported the step yet.
    [[nodiscard]] bool lacks(const StepKey& key) const; ///< no rank has reported it
    /// Keeps a step that a rank other than rank 0 reported first.
    void keep(StepRecord record); ///< adds a step of another rank
    [[nodiscard]] bool isEmpty() const { return kept_.empty(); }
    /// Removes the kept steps of attempts before `attempt` and returns them in their order.
    [[nodiscard]] std::vector<StepRecord> takeBefore(std::uint32_t attempt);

private:
    StepKey first_;                      ///< last step of rank 0
    StepKey taken_;                      ///< last step that was taken from here
    std::map<StepKey, StepRecord> kept_; ///< steps of other ranks that rank 0 lacks
};

} // namespace weft
