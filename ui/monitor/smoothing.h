// SPDX-License-Identifier: Apache-2.0
#pragma once
// A series smoothed: each value a mean of it and those before, the older the lighter. It grows as
// its series does. What is not finite passes through and leaves the mean alone.

#include "session/series_store.h"

namespace weft::ui {

class SmoothedValues {
public:
    /// `weight` from 0 (as it is) to below 1. Catches up with the series; begins anew where the
    /// weight is another or the series went back.
    void follow(const Series& series, double weight);

    [[nodiscard]] const NumberColumn& values() const { return values_; }

private:
    NumberColumn values_;
    double weight_ = 0;
    double sum_ = 0;   ///< s(t) = weight s(t-1) + (1 - weight) x(t), from 0
    double total_ = 1; ///< weight^n: what of s is still the zero that it began with
    std::uint64_t rewinds_ = 0;
};

} // namespace weft::ui
