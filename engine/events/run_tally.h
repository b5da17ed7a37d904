// SPDX-License-Identifier: Apache-2.0
#pragma once
// Computes a run's figures from its log events in bounded memory. Times are counted in a histogram;
// of the losses, only each successive best is kept, so that a run that resumes from an earlier step
// finds the best before it.

#include <weft/run_figures.h>
#include <weft/run_news.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace weft {

struct MainMetric {
    double value = 0;      ///< loss or energy
    bool isEnergy = false; ///< false: loss
};

class RunTally {
public:
    void begin(const Attempt& attempt);                                ///< call before its steps
    void add(const StepRecord& step, std::optional<MainMetric> first); ///< `first`: loss or energy
    void add(const RunMemory& memory); ///< only the planned memory counts

    [[nodiscard]] RunFigures figures() const;

private:
    /// Times in one bin: equal leading bits.
    struct TimeBin {
        std::int64_t count = 0; ///< number of times in the bin
        double seconds = 0;     ///< sum
    };
    struct PlannedMemory {
        std::uint32_t attempt = 0; ///< attempt that reported it
        Bytes bytes = {};          ///< planned memory
    };
    void addTime(float seconds);
    [[nodiscard]] static Nanoseconds meanOf(const TimeBin& times); ///< mean of the bin
    [[nodiscard]] Nanoseconds median() const;                      ///< over the steps

    std::uint32_t attempt_ = 0;                     ///< last attempt
    std::int64_t period_ = 1;                       ///< steps per update
    TimeBin unfinished_;                            ///< the period in progress
    std::int64_t steps_ = 0;                        ///< number of training steps
    std::int64_t counted_ = 0;                      ///< number of times
    std::map<std::uint32_t, TimeBin> times_;        ///< by leading bits, and so by size
    std::map<Split, std::vector<BestLoss>> losses_; ///< successive best values, in order of steps
    std::map<DeviceId, PlannedMemory> memory_;      ///< by device
};

} // namespace weft
