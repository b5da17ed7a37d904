// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a device of the design will hold over one training step, block by block, and beside it what
// the run takes, which holds more than one step. A click on a block selects its layer, the blocks
// of what is selected are ringed.

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
    /// What is said beside the legend: what the step holds and the run takes, and what would
    /// overflow, or nothing.
    [[nodiscard]] QString amounts() const;
    [[nodiscard]] QString warning() const;

protected:
    void refresh(unsigned causes) override;
    void showEvent(QShowEvent* event) override;

private:
    void makeHead(QLayout& column);
    void growOnceSeen();
    void fill();
    void showCurrent();
    void showAmounts(const CheckedDesign& known, const DevicePreview& device);
    void showSelection();
    void select(const QString& layer);
    void dress();

    QPointer<QDockWidget> dock_;
    QString wanted_;              ///< the device that is shown, by name
    QPointer<OpenDesign> fitted_; ///< whose step was shown whole at first
    QComboBox* devices_;
    KindLegend* legend_;
    QLabel* amounts_;
    QLabel* warning_;
    QToolButton* even_;
    QToolButton* fit_;
    QStackedWidget* pages_;
    EmptyState* empty_;
    MemoryPlot* plot_;
    std::shared_ptr<const MemoryMap> map_; ///< in the plot, which keeps its view
};

} // namespace weft::ui
