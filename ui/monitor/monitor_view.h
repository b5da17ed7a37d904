// SPDX-License-Identifier: Apache-2.0
#pragma once
// The curves of a live or finished run: MonitorView(look, hub), where the owner opens the hub. One
// plot per metric with training and validation; all plots share the range of x and the crosshair.
// `overlay` adds other runs. New data never moves a range that the user has chosen.

#include "monitor/plot.h"
#include "monitor/plot_link.h"
#include "monitor/run_flags.h"
#include "runs/run_hub.h"

#include <QPointer>
#include <QWidget>
#include <memory>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QScrollArea;
class QSlider;
class QToolButton;

namespace weft::ui {

/// A run whose curves are drawn over those of others.
struct OverlaidRun {
    QString name;
    QPointer<const RunHub> hub = nullptr; ///< nullptr once the run is closed; then it has no curves
    int colour = 0;                       ///< index of the device palette, used here for runs
};

class MonitorView : public QWidget {
    Q_OBJECT

public:
    MonitorView(const Look& look, const RunHub& hub, QWidget* parent = nullptr);
    ~MonitorView() override;

    /// Shows these runs instead of the hub's run; an empty list shows the hub's run again.
    void overlay(std::vector<OverlaidRun> runs);
    [[nodiscard]] PlotLink& link() { return link_; }
    /// Plots in the order of display.
    [[nodiscard]] const std::vector<Plot*>& plots() const { return plots_; }
    /// Shows new data of an overlaid run; may be connected to its hub's `grown`.
    void refresh();
    /// The suffix decides the format: png, svg or csv; throws Error.
    void exportTo(const QString& file) const;

Q_SIGNALS:
    /// The user wants to export the plots; the owner asks for the file name.
    void exportWanted();
    /// The user has closed the overlay.
    void overlayUnwanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void grow(const RunGrowth& growth);
    void makePlots();
    void layOut();
    void applyLook();
    [[nodiscard]] std::vector<OverlaidRun> shown() const;
    [[nodiscard]] QWidget* makeHead();
    void connectHead();
    void showFlags();
    [[nodiscard]] QString legend() const;

    const Look& look_;
    const RunHub& hub_;
    PlotLink link_;
    std::vector<OverlaidRun> overlaid_;
    std::size_t seriesSeen_ = 0;
    RunFlags flags_;
    std::vector<Plot*> plots_;
    QLabel* heading_ = nullptr;
    QLabel* smoothingLabel_ = nullptr;
    QSlider* smoothing_ = nullptr;
    QComboBox* along_ = nullptr;
    QToolButton* logX_ = nullptr;
    QToolButton* logY_ = nullptr;
    QToolButton* following_ = nullptr;
    QToolButton* export_ = nullptr;
    QToolButton* alone_ = nullptr;
    QScrollArea* scroll_ = nullptr;
    QWidget* board_ = nullptr;
    QGridLayout* grid_ = nullptr;
    QLabel* empty_ = nullptr;
};

} // namespace weft::ui
