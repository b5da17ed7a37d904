// SPDX-License-Identifier: Apache-2.0
#pragma once
// Energy per iteration, one curve per visible element; the selected one in ink, a second one
// dashed.

#include "monitor/plot.h"
#include "tensors/sparse_shown.h"

#include <memory>

namespace weft::ui {

class ElementCurves : public QWidget {
    Q_OBJECT

public:
    explicit ElementCurves(const Look& look, QWidget* parent = nullptr);

    /// The visible and selected elements.
    struct Seen {
        int first = 0; ///< first visible element
        int count = 0;
        int chosen = 0;  ///< selected element, visible or not; the same for `second`
        int second = -1; ///< -1: none
    };
    /// nullptr: shows nothing.
    void setShown(const SparseDisplay* shown, const std::vector<int>& hues, const Seen& seen);
    [[nodiscard]] const Plot& plot() const { return *plot_; }

private:
    PlotLink link_;
    Plot* plot_;
};

} // namespace weft::ui
