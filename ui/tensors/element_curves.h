// SPDX-License-Identifier: Apache-2.0
#pragma once
// Energy over the iterations, a curve per element in view; the one that is followed is ink, a
// second dashed.

#include "monitor/plot.h"
#include "tensors/sparse_shown.h"

#include <memory>

namespace weft::ui {

class ElementCurves : public QWidget {
    Q_OBJECT

public:
    explicit ElementCurves(const Look& look, QWidget* parent = nullptr);

    /// Which elements are seen.
    struct Seen {
        int first = 0; ///< of those in view
        int count = 0;
        int chosen = 0;  ///< in view or not, as the second
        int second = -1; ///< -1: none
    };
    /// nullptr: nothing.
    void setShown(const SparseShown* shown, const std::vector<int>& hues, const Seen& seen);
    [[nodiscard]] const Plot& plot() const { return *plot_; }

private:
    PlotLink link_;
    Plot* plot_;
};

} // namespace weft::ui
