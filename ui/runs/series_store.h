// SPDX-License-Identifier: Apache-2.0
#pragma once
// The metrics of a run by step: one append-only series per metric and split. A repeated step, as
// after a resume, replaces the later values. Filled on the GUI thread from batches. Views hold
// shared pointers, so a series of a closed run stays valid.

#include "runs/number_column.h"
#include <weft/runs.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft::ui {

enum class XAxis : std::uint8_t { step, epoch, time }; ///< quantity on the x axis of a plot

/// Rows shared by all series of one split.
struct StepRows {
    std::vector<std::int64_t> steps;
    std::vector<double> epochs;
    std::vector<double> seconds; ///< since the run began; never decreases

    [[nodiscard]] std::size_t size() const { return steps.size(); }
    [[nodiscard]] double at(XAxis along, std::size_t row) const;
};

class Series {
public:
    Series(MetricInfo metric, Split split, std::shared_ptr<const StepRows> rows);

    [[nodiscard]] const MetricInfo& metric() const { return metric_; }
    [[nodiscard]] Split split() const { return split_; }
    [[nodiscard]] const NumberColumn& values() const { return values_; }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] double x(XAxis along, std::size_t index) const;
    [[nodiscard]] std::int64_t step(std::size_t index) const;
    /// Returns the first index whose x is at least `x`; starts the search at `from`.
    [[nodiscard]] std::size_t firstIndexFrom(XAxis along, double x, std::size_t from = 0) const;
    /// Returns the first index at or after this row; starts the search at `from`.
    [[nodiscard]] std::size_t indexOfRow(std::size_t row, std::size_t from) const;
    /// Number of truncations, for example when a run is resumed from an earlier step.
    [[nodiscard]] std::uint64_t truncations() const { return truncations_; }
    [[nodiscard]] const StepRows& rows() const { return *rows_; }
    /// Returns the index nearest to x; std::nullopt if the series is empty.
    [[nodiscard]] std::optional<std::size_t> nearest(XAxis along, double x) const;
    /// Index of the best finite value; the first of equal ones.
    [[nodiscard]] std::optional<std::size_t> best() const;

    void append(std::size_t row, double value);
    void truncateFromRow(std::size_t row); ///< removes this row and all later ones

private:
    [[nodiscard]] std::size_t row(std::size_t index) const;

    MetricInfo metric_;
    Split split_;
    std::shared_ptr<const StepRows> rows_;
    NumberColumn values_;
    std::size_t firstRow_ = 0;              ///< row of the first value
    std::vector<std::uint32_t> sparseRows_; ///< empty while every row has a value
    std::optional<std::size_t> best_;       ///< index of the best value
    std::uint64_t truncations_ = 0;
};

/// A shared pointer to a series, which views may keep.
using SeriesHandle = std::shared_ptr<const Series>;

/// Steps of one split in columns, built off the GUI thread.
struct StepBatch {
    StepRows rows;
    struct Column {
        std::uint32_t metric = 0;        ///< index into the reader's metrics
        std::vector<std::uint32_t> rows; ///< rows of the batch
        std::vector<double> values;
    };
    std::vector<Column> columns;
    std::vector<double> stepSeconds; ///< duration of each step
};

class SeriesStore {
public:
    SeriesStore();
    SeriesStore(const SeriesStore&) = delete;
    SeriesStore& operator=(const SeriesStore&) = delete;

    void append(Split split, const StepBatch& batch, std::span<const MetricInfo> metrics);
    void clear(); ///< starts over; series that views still hold are unchanged

    /// Returns all series in the order of their first value.
    [[nodiscard]] std::vector<SeriesHandle> all() const { return {series_.begin(), series_.end()}; }
    [[nodiscard]] std::size_t size() const { return series_.size(); } ///< number of series
    /// Returns nullptr if the run has no such series.
    [[nodiscard]] SeriesHandle find(std::string_view metric, Split split) const;
    [[nodiscard]] const StepRows& rows(Split split) const;
    /// Increases with every change.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    static constexpr std::string_view stepTime = "step_time"; ///< name of the series of step times

private:
    [[nodiscard]] const std::shared_ptr<StepRows>& rowsOf(Split split) const;
    Series& seriesOf(const MetricInfo& metric, Split split);
    void truncateFromStep(Split split, std::int64_t step);

    std::shared_ptr<StepRows> training_; ///< shared with the series, which may outlive the store
    std::shared_ptr<StepRows> evaluations_;
    std::vector<std::shared_ptr<Series>> series_;
    std::uint64_t revision_ = 0;
};

} // namespace weft::ui
