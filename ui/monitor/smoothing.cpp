// SPDX-License-Identifier: Apache-2.0
#include "monitor/smoothing.h"

#include <cmath>

namespace weft::ui {

void SmoothedValues::follow(const Series& series, double weight) {
    if (weight != weight_ || rewinds_ != series.truncations() || values_.size() > series.size()) {
        values_ = {};
        weight_ = weight;
        rewinds_ = series.truncations();
        sum_ = 0;
        total_ = 1;
    }
    for (std::size_t i = values_.size(); i < series.size(); ++i) {
        const double value = series.values().at(i);
        if (!std::isfinite(value)) {
            values_.append(value);
            continue;
        }
        sum_ = weight_ * sum_ + (1 - weight_) * value;
        total_ *= weight_;
        values_.append(sum_ / (1 - total_));
    }
}

} // namespace weft::ui
