// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plots as files: PNG at twice the size, SVG of lines, CSV of every number.

#include "monitor/plot_drawing.h"

#include <QByteArray>
#include <QSize>
#include <QString>
#include <vector>

namespace weft::ui {

struct ExportedPlot {
    const PlotPicture* picture = nullptr;
    QRect place; ///< in a picture of all of them
};

/// Format by the ending: png, svg, csv. Throws Error where it is another or cannot be written.
void exportPlots(const std::vector<ExportedPlot>& plots, const QSize& size, const Theme& theme,
                 const QString& file);

/// A line per step: step, epoch, seconds, then a column per series; empty where it has no number.
[[nodiscard]] QByteArray csvOf(const std::vector<DrawnCurve>& curves);

} // namespace weft::ui
