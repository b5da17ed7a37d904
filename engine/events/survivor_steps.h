// SPDX-License-Identifier: Apache-2.0
#pragma once
// Steps that rank 0's log lacks and another rank's log has. Every rank logs the numbers of every
// step, and readers show those of rank 0. The last steps of a rank 0 that was killed were in its
// memory alone; a rank that outlived it may have saved a checkpoint of a later step, and its log is
// on disk up to that step.

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
    /// Notes that rank 0's log has the step. False if the step was taken from here before.
    [[nodiscard]] bool isNewOfFirst(const StepKey& key);
    /// True if neither rank 0 nor another rank has told the step so far.
    [[nodiscard]] bool lacks(const StepKey& key) const;
    /// Keeps a step of a rank other than rank 0 that was lacking.
    void keep(StepRecord record);
    [[nodiscard]] bool isEmpty() const { return kept_.empty(); }
    /// Removes the kept steps of attempts before `attempt` and returns them in their order.
    [[nodiscard]] std::vector<StepRecord> takeBefore(std::uint32_t attempt);

private:
    StepKey first_; ///< rank 0's last step
    StepKey taken_; ///< the last step that was taken from here
    std::map<StepKey, StepRecord> kept_;
};

} // namespace weft
