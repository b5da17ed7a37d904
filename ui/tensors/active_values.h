// SPDX-License-Identifier: Apache-2.0
#pragma once
// Histogram of the non-zero codes of an observed step, over all elements.

#include "tensors/sparse_shown.h"

#include <QWidget>

class QLabel;

namespace weft::ui {

class HistogramPlot;
class Look;

class ActiveValues : public QWidget {
    Q_OBJECT

public:
    explicit ActiveValues(const Look& look, QWidget* parent = nullptr);

    void setShown(const SparseDisplay* shown); ///< nullptr: shows nothing
    [[nodiscard]] const HistogramPlot& plot() const { return *plot_; }

private:
    QLabel* facts_;
    HistogramPlot* plot_;
};

} // namespace weft::ui
