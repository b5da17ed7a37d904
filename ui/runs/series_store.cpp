// SPDX-License-Identifier: Apache-2.0
#include "runs/series_store.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

double StepRows::at(XAxis along, std::size_t row) const {
    switch (along) {
    case XAxis::step: return static_cast<double>(steps[row]);
    case XAxis::epoch: return epochs[row];
    case XAxis::time: return seconds[row];
    }
    return 0;
}

Series::Series(MetricInfo metric, Split split, std::shared_ptr<const StepRows> rows)
    : metric_(std::move(metric)), split_(split), rows_(std::move(rows)) {}

std::size_t Series::row(std::size_t index) const {
    return sparseRows_.empty() ? firstRow_ + index : sparseRows_[index];
}

double Series::x(XAxis along, std::size_t index) const { return rows_->at(along, row(index)); }

std::int64_t Series::step(std::size_t index) const { return rows_->steps[row(index)]; }

void Series::append(std::size_t row, double value) {
    const std::size_t index = values_.size();
    if (index == 0) {
        firstRow_ = row;
        sparseRows_.clear();
    } else if (sparseRows_.empty() && row != firstRow_ + index) {
        for (std::size_t i = 0; i < index; ++i) {
            sparseRows_.push_back(static_cast<std::uint32_t>(firstRow_ + i));
        }
    }
    if (!sparseRows_.empty()) {
        sparseRows_.push_back(static_cast<std::uint32_t>(row));
    }
    values_.append(value);
    if (std::isfinite(value)) {
        const bool isBetter = !best_ || (metric_.lessIsBetter ? value < values_.at(*best_)
                                                              : value > values_.at(*best_));
        best_ = isBetter ? index : best_;
    }
}

void Series::truncateFromRow(std::size_t row) {
    std::size_t count = values_.size();
    while (count > 0 && this->row(count - 1) >= row) {
        --count;
    }
    if (count == values_.size()) {
        return;
    }
    ++truncations_;
    values_.truncate(count);
    sparseRows_.resize(std::min(sparseRows_.size(), count));
    if (best_ && *best_ >= count) {
        best_.reset();
        for (std::size_t i = 0; i < count; ++i) {
            const double value = values_.at(i);
            if (std::isfinite(value) &&
                (!best_ || (metric_.lessIsBetter ? value < values_.at(*best_)
                                                 : value > values_.at(*best_)))) {
                best_ = i;
            }
        }
    }
}

std::size_t Series::firstIndexFrom(XAxis along, double x, std::size_t from) const {
    const std::size_t count = values_.size();
    std::size_t low = std::min(from, count);
    if (low > 0 && (low == count || this->x(along, low) >= x)) {
        if (this->x(along, low - 1) < x) {
            return low;
        }
        low = 0;
    }
    // Searches with growing strides, because callers move along the axis in small steps.
    std::size_t stride = 1;
    std::size_t high = low;
    while (high < count && this->x(along, high) < x) {
        low = high;
        high += stride;
        stride *= 2;
    }
    high = std::min(high, count);
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (this->x(along, middle) < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

std::size_t Series::indexOfRow(std::size_t row, std::size_t from) const {
    if (sparseRows_.empty()) {
        return row > firstRow_ ? std::min(row - firstRow_, values_.size()) : 0;
    }
    const std::size_t begin = from < sparseRows_.size() && sparseRows_[from] < row ? from : 0;
    const auto found = std::lower_bound(sparseRows_.begin() + static_cast<std::ptrdiff_t>(begin),
                                        sparseRows_.end(), row);
    return static_cast<std::size_t>(found - sparseRows_.begin());
}

std::optional<std::size_t> Series::nearest(XAxis along, double x) const {
    if (values_.isEmpty()) {
        return std::nullopt;
    }
    const std::size_t after = std::min(firstIndexFrom(along, x), values_.size() - 1);
    if (after == 0) {
        return after;
    }
    const bool isBefore = x - this->x(along, after - 1) <= this->x(along, after) - x;
    return isBefore ? after - 1 : after;
}

std::optional<std::size_t> Series::best() const { return best_; }

SeriesStore::SeriesStore()
    : training_(std::make_shared<StepRows>()), evaluations_(std::make_shared<StepRows>()) {}

const std::shared_ptr<StepRows>& SeriesStore::rowsOf(Split split) const {
    return split == Split::train ? training_ : evaluations_;
}

const StepRows& SeriesStore::rows(Split split) const { return *rowsOf(split); }

void SeriesStore::clear() {
    series_.clear();
    training_ = std::make_shared<StepRows>();
    evaluations_ = std::make_shared<StepRows>();
    ++revision_;
}

SeriesHandle SeriesStore::find(std::string_view metric, Split split) const {
    const auto found = std::ranges::find_if(series_, [&](const auto& one) {
        return one->split() == split && one->metric().name == metric;
    });
    return found == series_.end() ? nullptr : *found;
}

Series& SeriesStore::seriesOf(const MetricInfo& metric, Split split) {
    for (const auto& one : series_) {
        if (one->split() == split && one->metric() == metric) {
            return *one;
        }
    }
    return *series_.emplace_back(std::make_shared<Series>(metric, split, rowsOf(split)));
}

void SeriesStore::truncateFromStep(Split split, std::int64_t step) {
    StepRows& rows = *rowsOf(split);
    const auto at = std::ranges::lower_bound(rows.steps, step) - rows.steps.begin();
    const auto row = static_cast<std::size_t>(at);
    for (const auto& one : series_) {
        if (one->split() == split) {
            one->truncateFromRow(row);
        }
    }
    rows.steps.resize(row);
    rows.epochs.resize(row);
    rows.seconds.resize(row);
}

void SeriesStore::append(Split split, const StepBatch& batch, std::span<const MetricInfo> metrics) {
    StepRows& rows = *rowsOf(split);
    if (batch.rows.size() == 0) {
        return;
    }
    if (!rows.steps.empty() && batch.rows.steps.front() <= rows.steps.back()) {
        truncateFromStep(split, batch.rows.steps.front());
    }
    const std::size_t first = rows.size();
    const double latest = rows.seconds.empty() ? 0 : rows.seconds.back();
    rows.steps.insert(rows.steps.end(), batch.rows.steps.begin(), batch.rows.steps.end());
    rows.epochs.insert(rows.epochs.end(), batch.rows.epochs.begin(), batch.rows.epochs.end());
    double reached = latest;
    for (const double seconds : batch.rows.seconds) {
        reached = std::max(reached, seconds);
        rows.seconds.push_back(reached);
    }
    for (const StepBatch::Column& column : batch.columns) {
        Series& series = seriesOf(metrics[column.metric], split);
        for (std::size_t i = 0; i < column.values.size(); ++i) {
            series.append(first + column.rows[i], column.values[i]);
        }
    }
    if (!batch.stepSeconds.empty()) {
        Series& series = seriesOf({std::string(stepTime), "s", true}, split);
        for (std::size_t i = 0; i < batch.stepSeconds.size(); ++i) {
            series.append(first + i, batch.stepSeconds[i]);
        }
    }
    ++revision_;
}

} // namespace weft::ui
