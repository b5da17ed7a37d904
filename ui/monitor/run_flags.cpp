// SPDX-License-Identifier: Apache-2.0
#include "monitor/run_flags.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

/// A drop is marked if the rate falls by at least this factor after two almost equal steps, so that
/// gradual schedules have no marks.
constexpr double leastDrop = 1.5;
constexpr double level = 0.02;
constexpr std::string_view rateName = "learning_rate";

QString tr(const char* text) { return QCoreApplication::translate("plot", text); }

QString rateText(double rate) { return QLocale().toString(rate, 'g', 3); }

std::optional<double> xOf(std::int64_t step, const RunHub& hub, XAxis along) {
    const StepRows& rows = hub.series().rows(Split::train);
    const auto at = std::ranges::lower_bound(rows.steps, step);
    if (at == rows.steps.end()) {
        return std::nullopt;
    }
    return rows.at(along, static_cast<std::size_t>(at - rows.steps.begin()));
}

} // namespace

bool RunFlags::follow(const RunHub& hub) {
    const std::size_t before = rateDrops_.size();
    const std::size_t files = std::exchange(files_, hub.checkpoints().size());
    const std::size_t attempts = std::exchange(attempts_, hub.attempts().size());
    const SeriesHandle rate = hub.series().find(rateName, Split::train);
    if (rate == nullptr) {
        return files != files_ || attempts != attempts_;
    }
    const bool isRewound = rate->truncations() != rewinds_ || rate->size() < ratesRead_;
    if (isRewound) {
        rewinds_ = rate->truncations();
        rateDrops_.clear();
        ratesRead_ = 0;
    }
    const std::span<const double> values = rate->values().numbers();
    for (std::size_t i = std::max<std::size_t>(ratesRead_, 1); i < values.size(); ++i) {
        const bool wasLevel =
            i < 2 || std::abs(values[i - 1] - values[i - 2]) <= level * std::abs(values[i - 1]);
        if (values[i] > 0 && wasLevel && values[i - 1] >= leastDrop * values[i]) {
            rateDrops_.push_back({i, values[i - 1], values[i]});
        }
    }
    ratesRead_ = values.size();
    return isRewound || rateDrops_.size() != before || files != files_ || attempts != attempts_;
}

std::vector<PlotFlag> RunFlags::flags(const RunHub& hub, XAxis along, bool withRates,
                                      bool withCheckpoints) const {
    std::vector<PlotFlag> flags;
    for (const Attempt& attempt : hub.attempts()) {
        const auto x = xOf(attempt.stepsBefore, hub, along);
        if (attempt.number > 1 && x) {
            flags.push_back({*x, tr("resumed"), QStringLiteral("actions/restore")});
        }
    }
    for (const RunFile& file : hub.checkpoints()) {
        if (const auto x = withCheckpoints ? xOf(file.step, hub, along) : std::nullopt) {
            flags.push_back({*x, {}, QStringLiteral("actions/save")});
        }
    }
    const SeriesHandle rate = hub.series().find(rateName, Split::train);
    for (const RateDrop& drop : rateDrops_) {
        if (withRates && rate != nullptr) {
            flags.push_back({rate->x(along, drop.index),
                             tr("rate %1 → %2").arg(rateText(drop.before), rateText(drop.after)),
                             QStringLiteral("actions/flag")});
        }
    }
    std::ranges::stable_sort(flags, {}, &PlotFlag::x);
    return flags;
}

} // namespace weft::ui
