// SPDX-License-Identifier: Apache-2.0
#include "run/train/mean_report.h"

#include <cmath>
#include <limits>
#include <string>

namespace weft {

void MeanReport::add(const StepReport& part, std::int64_t rows) {
    const double share = static_cast<double>(rows) / static_cast<double>(total_.rows + rows);
    total_.loss += share * (part.loss - total_.loss);
    total_.rows += rows;
    total_.metrics.resize(part.metrics.size(),
                          {std::string(), std::numeric_limits<double>::quiet_NaN()});
    measured_.resize(part.metrics.size());
    for (std::size_t k = 0; k < part.metrics.size(); ++k) {
        auto& [name, mean] = total_.metrics[k];
        const double value = part.metrics[k].second;
        name = part.metrics[k].first;
        // A batch may have no number, such as decibels without a signal.
        if (std::isnan(value)) {
            continue;
        }
        measured_[k] += rows;
        const double before = measured_[k] == rows ? 0 : mean;
        mean = before +
               static_cast<double>(rows) / static_cast<double>(measured_[k]) * (value - before);
    }
}

StepReport MeanReport::total() const {
    StepReport total = total_;
    std::erase_if(total.metrics, [](const auto& metric) { return std::isnan(metric.second); });
    return total;
}

} // namespace weft
