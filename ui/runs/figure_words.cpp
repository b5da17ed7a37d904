// SPDX-License-Identifier: Apache-2.0
#include "runs/figure_words.h"

#include "theme/quantity.h"

#include <QCoreApplication>
#include <QStringList>

namespace weft::ui {

namespace {

struct FigureWords {
    Q_DECLARE_TR_FUNCTIONS(FigureWords)
};

QString countText(std::int64_t count) { return quantity::count(static_cast<double>(count)); }

} // namespace

QString stepTimeText(const RunFigures& figures) {
    return figures.steps > 0 ? quantity::time(figures.step) : quantity::none();
}

QString bestLossText(const RunFigures& figures) {
    return figures.best ? quantity::number(figures.best->loss) : quantity::none();
}

QString stepTimeWords(const RunFigures& figures) {
    return figures.steps > 0
               ? FigureWords::tr("Step %1: the median of %2 training steps, each from the fetch of "
                                 "its batch to its last result on all devices")
                     .arg(stepTimeText(figures), countText(figures.steps))
               : QString();
}

QString bestLossWords(const RunFigures& figures) {
    if (!figures.best) {
        return {};
    }
    if (figures.best->isEnergy) {
        const QString said =
            figures.best->split == Split::evaluate
                ? FigureWords::tr("Least energy %1: of the evaluations, after step %2")
                : FigureWords::tr("Least energy %1: of the training steps, at step %2, as nothing "
                                  "was evaluated");
        return said.arg(bestLossText(figures), countText(figures.best->step));
    }
    const QString said =
        figures.best->split == Split::evaluate
            ? FigureWords::tr("Best loss %1: the least of the evaluations, after step %2")
            : FigureWords::tr("Best loss %1: the least of the training steps, at step %2, as "
                              "nothing was evaluated");
    return said.arg(bestLossText(figures), countText(figures.best->step));
}

QString memoryWords(const RunFigures& figures, const std::vector<std::string>& devices) {
    QStringList given;
    for (const DeviceMemory& one : figures.memory) {
        const QString name = one.device.value < devices.size()
                                 ? QString::fromStdString(devices[one.device.value])
                                 : QString::number(one.device.value);
        given << FigureWords::tr("%1 on %2")
                     .arg(quantity::bytes(static_cast<double>(one.bytes.count)), name);
    }
    return given.isEmpty()
               ? QString()
               : FigureWords::tr("Memory allocated: %1").arg(given.join(QStringLiteral(", ")));
}

} // namespace weft::ui
