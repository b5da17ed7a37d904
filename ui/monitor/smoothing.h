// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exponential smoothing of a series, updated as the series grows. Non-finite values are copied and
// do not affect the mean.

#include "runs/series_store.h"

namespace weft::ui {

class SmoothedValues {
public:
    /// `weight` is from 0 (no smoothing) to below 1. Reads the new values; starts again if the
    /// weight has changed or the series was truncated.
    void follow(const Series& series,
                double weight); ///< smooths new values; `weight`: 0 to below 1

    [[nodiscard]] const NumberColumn& values() const { return values_; }

private:
    NumberColumn values_;       ///< smoothed values
    double weight_ = 0;         ///< weight of the mean so far
    double sum_ = 0;            ///< s(t) = weight s(t-1) + (1 - weight) x(t), from 0
    double total_ = 1;          ///< weight^n, the weight of the initial zero in s
    std::uint64_t rewinds_ = 0; ///< number of truncations of the series when read
};

} // namespace weft::ui
