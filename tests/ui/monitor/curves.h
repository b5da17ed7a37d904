// SPDX-License-Identifier: Apache-2.0
#pragma once
// Series for the tests of plots.

#include "runs/series_store.h"

#include <functional>

namespace weft::test {

/// Steps 0 to `count` - 1 of one metric.
inline void fill(ui::SeriesStore& store, const std::string& metric, Split split, std::size_t count,
                 const std::function<double(std::size_t)>& value, std::int64_t stride = 1) {
    ui::StepBatch batch;
    ui::StepBatch::Column column;
    for (std::size_t i = 0; i < count; ++i) {
        batch.rows.steps.push_back(static_cast<std::int64_t>(i) * stride);
        batch.rows.epochs.push_back(static_cast<double>(i) * 0.01);
        batch.rows.seconds.push_back(static_cast<double>(i) * 0.1);
        column.rows.push_back(static_cast<std::uint32_t>(i));
        column.values.push_back(value(i));
    }
    batch.columns.push_back(std::move(column));
    const std::vector<MetricInfo> metrics{{metric, "", metric == "loss"}};
    store.append(split, batch, metrics);
}

} // namespace weft::test
