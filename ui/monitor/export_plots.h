// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exports plots: PNG at twice the size, SVG, or CSV with every number.

#include "monitor/plot_drawing.h"

#include <QByteArray>
#include <QSize>
#include <QString>
#include <vector>

namespace weft::ui {

struct ExportedPlot {
    const PlotPicture* picture = nullptr; ///< what to draw
    QRect place;                          ///< its place in the combined picture
};

/// The suffix decides the format: png, svg or csv. Throws Error for another suffix or if the write
/// fails.
void exportPlots(const std::vector<ExportedPlot>& plots, const QSize& size, const Theme& theme,
                 const QString& file);

/// Returns one row per step: step, epoch, seconds, then one column per series; missing values are
/// empty.
[[nodiscard]] QByteArray csvOf(const std::vector<DrawnCurve>& curves);

} // namespace weft::ui
