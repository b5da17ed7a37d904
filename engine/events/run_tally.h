// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes a run's figures of what its logs say, event by event, in room that does not grow with the
// steps: times are counted by size, and of the losses only those are kept that were the best when
// they came, so that a run which goes back finds what was best before.

#include <weft/run_figures.h>
#include <weft/run_news.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace weft {

struct FirstNumber {
    double value = 0;
    bool isEnergy = false;
};

class RunTally {
public:
    void begin(const Attempt& attempt);
    void add(const StepRecord& step, std::optional<FirstNumber> first);
    void add(const RunMemory& memory);

    [[nodiscard]] RunFigures figures() const;

private:
    /// Times that have their first bits in common.
    struct Alike {
        std::int64_t count = 0;
        double seconds = 0; ///< of all
    };
    struct Given {
        std::uint32_t attempt = 0;
        Bytes bytes = {};
    };
    void addTime(float seconds);
    [[nodiscard]] static Nanoseconds meanOf(const Alike& times);
    [[nodiscard]] Nanoseconds median() const;

    std::uint32_t attempt_ = 0;
    std::int64_t period_ = 1;
    Alike unfinished_; ///< of a period that is not over
    std::int64_t steps_ = 0;
    std::int64_t counted_ = 0;             ///< of times
    std::map<std::uint32_t, Alike> times_; ///< by those bits, and thereby by size
    std::map<Split, std::vector<BestLoss>> losses_;
    std::map<DeviceId, Given> memory_;
};

} // namespace weft
