// SPDX-License-Identifier: Apache-2.0
#pragma once
// Panel with the predicted memory of one device during a training step, block by block, and the
// memory of the whole run, which includes more than one step. A click on a block selects its layer;
// blocks of selected layers are ringed.

#include "timeline/memory_plot.h"
#include "workspace/panel.h"

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
    /// Returns the text beside the legend: memory of the step and of the run, and any overflow.
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
    void applyLook();

    QPointer<QDockWidget> dock_;
    QString wanted_;              ///< name of the shown device
    QPointer<OpenDesign> fitted_; ///< design for which the step was already shown whole
    QComboBox* devices_;
    KindLegend* legend_;
    QLabel* amounts_;
    QLabel* warning_;
    QToolButton* even_;
    QToolButton* fit_;
    QStackedWidget* pages_;
    EmptyState* empty_;
    MemoryPlot* plot_;
    std::shared_ptr<const MemoryMap> map_; ///< map in the plot, kept to preserve its view
};

} // namespace weft::ui
