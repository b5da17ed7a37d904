// SPDX-License-Identifier: Apache-2.0
#pragma once
// The numbers of a run by step: one series per metric and split, append-only. A step that comes
// again, as after a resume, takes the place of what followed it. Filled on the GUI thread from
// batches. Views keep handles: a series whose run was closed stays as it was until the last view
// has let go of it.

#include "session/number_column.h"
#include <weft/runs.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft::ui {

/// What stands along the bottom of a plot.
enum class Along : std::uint8_t { step, epoch, time };

/// The rows that all series of one split share.
struct StepRows {
    std::vector<std::int64_t> steps;
    std::vector<double> epochs;
    std::vector<double> seconds; ///< since the run began; never falls

    [[nodiscard]] std::size_t size() const { return steps.size(); }
    [[nodiscard]] double at(Along along, std::size_t row) const;
};

class Series {
public:
    Series(MetricInfo metric, Split split, std::shared_ptr<const StepRows> rows);

    [[nodiscard]] const MetricInfo& metric() const { return metric_; }
    [[nodiscard]] Split split() const { return split_; }
    [[nodiscard]] const NumberColumn& values() const { return values_; }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] double x(Along along, std::size_t index) const;
    [[nodiscard]] std::int64_t step(std::size_t index) const;
    /// The first whose x is at least so much; `from` is where to begin to look.
    [[nodiscard]] std::size_t firstFrom(Along along, double x, std::size_t from = 0) const;
    /// The first of that row or a later one; `from` is where to begin to look.
    [[nodiscard]] std::size_t indexOfRow(std::size_t row, std::size_t from) const;
    /// How often it went back, as when a run is resumed from before its end.
    [[nodiscard]] std::uint64_t rewinds() const { return rewinds_; }
    [[nodiscard]] const StepRows& rows() const { return *rows_; }
    /// The one nearest to x; nothing where the series is empty.
    [[nodiscard]] std::optional<std::size_t> nearest(Along along, double x) const;
    /// Index of the best finite value, the first of equals.
    [[nodiscard]] std::optional<std::size_t> best() const;

    void append(std::size_t row, double value);
    /// Forgets what belongs to this row and those after it.
    void truncateFromRow(std::size_t row);

private:
    [[nodiscard]] std::size_t row(std::size_t index) const;

    MetricInfo metric_;
    Split split_;
    std::shared_ptr<const StepRows> rows_;
    NumberColumn values_;
    std::size_t firstRow_ = 0;
    std::vector<std::uint32_t> sparseRows_; ///< empty while the rows follow each other
    std::optional<std::size_t> best_;
    std::uint64_t rewinds_ = 0;
};

/// How a view holds a series: it is there for as long as the view holds it.
using SeriesHandle = std::shared_ptr<const Series>;

/// Steps of one split as columns, put together off the GUI thread.
struct StepBatch {
    StepRows rows;
    struct Column {
        std::uint32_t metric = 0;        ///< position in the reader's metrics
        std::vector<std::uint32_t> rows; ///< of the batch
        std::vector<double> values;
    };
    std::vector<Column> columns;
    std::vector<double> stepSeconds; ///< how long each step took
};

class SeriesStore {
public:
    SeriesStore();
    SeriesStore(const SeriesStore&) = delete;
    SeriesStore& operator=(const SeriesStore&) = delete;

    void append(Split split, const StepBatch& batch, std::span<const MetricInfo> metrics);
    /// Begins anew; the series that views still hold are left as they are.
    void clear();

    /// In the order in which they were first seen.
    [[nodiscard]] std::vector<SeriesHandle> all() const { return {series_.begin(), series_.end()}; }
    /// How many there are.
    [[nodiscard]] std::size_t size() const { return series_.size(); }
    /// nullptr where the run has no such series.
    [[nodiscard]] SeriesHandle find(std::string_view metric, Split split) const;
    [[nodiscard]] const StepRows& rows(Split split) const;
    /// Grows with everything that changes.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    /// The name under which the time of each step is kept.
    static constexpr std::string_view stepTime = "step_time";

private:
    [[nodiscard]] const std::shared_ptr<StepRows>& rowsOf(Split split) const;
    Series& seriesOf(const MetricInfo& metric, Split split);
    void rewindTo(Split split, std::int64_t step);

    /// Shared with the series, which may outlive the store.
    std::shared_ptr<StepRows> training_;
    std::shared_ptr<StepRows> evaluations_;
    std::vector<std::shared_ptr<Series>> series_;
    std::uint64_t revision_ = 0;
};

} // namespace weft::ui
