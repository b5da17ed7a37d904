// SPDX-License-Identifier: Apache-2.0
#pragma once
// The numbers of an evaluation: means over all its batches, each weighted by its rows. Rows that
// the batches leave out, as with films that end unevenly, do not count.

#include "run/step_runner.h"

#include <cstdint>
#include <vector>

namespace weft {

class MeanReport {
public:
    void add(const StepReport& part, std::int64_t rows);
    /// Loss, rows and metrics until now, without the metrics that no batch had a number for.
    [[nodiscard]] StepReport total() const;

private:
    StepReport total_;
    std::vector<std::int64_t> measured_; ///< rows, by metric
};

} // namespace weft
