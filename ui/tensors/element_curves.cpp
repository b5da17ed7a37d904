// SPDX-License-Identifier: Apache-2.0
#include "tensors/element_curves.h"

#include "theme/look.h"
#include "theme/style.h"

#include <QVBoxLayout>

namespace weft::ui {

namespace {

SeriesHandle seriesOf(const std::vector<double>& course, int element,
                      const std::shared_ptr<const StepRows>& rounds) {
    auto series = std::make_shared<Series>(
        MetricInfo{.name = QString::number(element).toStdString(), .lessIsBetter = true},
        Split::train, rounds);
    for (std::size_t round = 0; round < course.size(); ++round) {
        series->append(round, course[round]);
    }
    return series;
}

} // namespace

ElementCurves::ElementCurves(const Look& look, QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    plot_ = new Plot(look, link_, tr("Energy"));
    plot_->setLogY(true);
    plot_->setToolTip(
        paragraphs(tr("The energy that the iterations of a step minimise, per batch element: half "
                      "the squared residual plus the cost of the code. The selected one is drawn "
                      "in ink, a second one (Ctrl and click) dashed. L: logarithmic or linear.")));
    column->addWidget(plot_);
}

void ElementCurves::setShown(const SparseDisplay* shown, const std::vector<int>& hues,
                             const Seen& seen) {
    if (shown == nullptr || shown->energies.empty() || shown->energies.front().empty()) {
        plot_->setCurves(
            {}, tr("the energies of a step's iterations are recorded with an observed step"));
        return;
    }
    const std::size_t rounds = shown->energies.front().size();
    const auto rows = std::make_shared<StepRows>();
    for (std::size_t round = 0; round < rounds; ++round) {
        rows->steps.push_back(static_cast<std::int64_t>(round) + 1);
        rows->epochs.push_back(0);
        rows->seconds.push_back(0);
    }
    std::vector<PlotCurve> curves;
    const auto isFollowed = [&](int element) {
        return element == seen.chosen || element == seen.second;
    };
    const auto show = [&](int element, int hue) {
        const auto at = static_cast<std::size_t>(element);
        if (at < shown->energies.size()) {
            curves.push_back({.series = seriesOf(shown->energies[at], element, rows),
                              .name = tr("element %1").arg(element),
                              .runColour = hue,
                              .isDashed = element == seen.second,
                              .isBehind = !isFollowed(element)});
        }
    };
    for (int element = seen.first; element < seen.first + seen.count; ++element) {
        const auto at = static_cast<std::size_t>(element);
        if (!isFollowed(element)) {
            show(element, at < hues.size() ? hues[at] : -1);
        }
    }
    QString words = tr("%1 iterations · ink: element %2").arg(rounds).arg(seen.chosen);
    if (seen.second >= 0) {
        show(seen.second, -1);
        words += tr(" · dashed: element %1").arg(seen.second);
    }
    show(seen.chosen, -1); // drawn above the others
    link_.setDataRange({1, static_cast<double>(std::max<std::size_t>(rounds, 2))});
    plot_->setCurves(std::move(curves), words);
}

} // namespace weft::ui
