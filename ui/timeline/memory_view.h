// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a device of the design will hold over one step, block by block: estimated when it is looked
// at. A click on a block selects its layer, the blocks of what is selected are ringed.

#include "session/design_estimate.h"
#include "session/panel.h"
#include "timeline/memory_plot.h"

#include <QPointer>

class QComboBox;
class QDockWidget;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace weft::ui {

class EmptyState;
class KindLegend;

class MemoryView : public Panel {
    Q_OBJECT

public:
    explicit MemoryView(Bench& bench, QWidget* parent = nullptr);
    void showDevice(const QString& name);
    [[nodiscard]] MemoryPlot& plot() { return *plot_; }
    [[nodiscard]] QComboBox& devices() { return *devices_; }
    /// What is said beside the legend: what would overflow, or nothing.
    [[nodiscard]] QString warning() const;

protected:
    void refresh(unsigned causes) override;
    void showEvent(QShowEvent* event) override;

private:
    void makeHead(QLayout& column);
    void seeWhetherSeen();
    void ask();
    void fill();
    void showCurrent();
    void showSelection();
    void select(const QString& layer);
    void dress();

    DesignEstimate estimate_;
    std::uint64_t askedRevision_ = 0;
    QPointer<QDockWidget> dock_;
    bool isSeen_ = false;
    QString wanted_;              ///< the device that is shown, by name
    QPointer<OpenDesign> fitted_; ///< whose step was shown whole at first
    QComboBox* devices_;
    KindLegend* legend_;
    QLabel* warning_;
    QToolButton* even_;
    QToolButton* fit_;
    QStackedWidget* pages_;
    EmptyState* empty_;
    MemoryPlot* plot_;
};

} // namespace weft::ui
