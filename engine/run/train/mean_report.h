// SPDX-License-Identifier: Apache-2.0
#pragma once
// The numbers of an evaluation: means over all its batches, weighted by their rows. Rows that
// batches leave out, as with films of unequal length, do not count.

#include "run/execute/step_runner.h"

#include <cstdint>
#include <vector>

namespace weft {

class MeanReport {
public:
    void add(const StepReport& part, std::int64_t rows);
    /// Returns loss, rows and metrics so far, without metrics for which no batch had a number.
    [[nodiscard]] StepReport total() const;

private:
    StepReport total_;
    std::vector<std::int64_t> measured_; ///< per metric: rows of the batches that have a number
};

} // namespace weft
