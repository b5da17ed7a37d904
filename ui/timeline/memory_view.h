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
    explicit MemoryView(WindowContext& context, QWidget* parent = nullptr);
    void showDevice(const QString& name); ///< a device name such as "cuda:0"
    [[nodiscard]] MemoryPlot& plot() { return *plot_; }
    [[nodiscard]] QComboBox& devices() { return *deviceChoice_; }
    /// Returns the text beside the legend: memory of the step and of the run, and any overflow.
    [[nodiscard]] QString amounts() const; ///< text: memory of the step and of the run
    [[nodiscard]] QString warning() const; ///< text; empty: none

protected:
    void refresh(unsigned causes) override;
    void showEvent(QShowEvent* event) override;

private:
    void makeHeader(QLayout& column);
    void growOnceSeen(); ///< enlarges a dock that is too low for the map
    void fill();         ///< the choice of devices
    void showCurrent();  ///< the chosen device
    void showAmounts(const CheckedDesign& known, const DevicePreview& device);
    void showSelection();              ///< rings blocks of selected layers
    void select(const QString& layer); ///< by full name
    void applyLook();

    QPointer<QDockWidget> dock_;
    QString shownDevice_;               ///< name of the shown device
    QPointer<OpenDesign> fittedDesign_; ///< design for which the step was already shown whole
    QComboBox* deviceChoice_;
    KindLegend* legend_;
    QLabel* amountsLabel_;
    QLabel* warningLabel_;
    QToolButton* evenButton_; ///< draws steps with equal length
    QToolButton* fitButton_;
    QStackedWidget* pages_; ///< map or empty state
    EmptyState* empty_;
    MemoryPlot* plot_;
    std::shared_ptr<const MemoryMap> map_; ///< map in the plot, kept to preserve its view
};

} // namespace weft::ui
