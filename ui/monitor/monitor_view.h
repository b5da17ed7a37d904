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
    [[nodiscard]] PlotLink& link() { return link_; } ///< shared by all plots
    /// Plots in the order of display.
    [[nodiscard]] const std::vector<Plot*>& plots() const { return plots_; }
    void refresh();                           ///< shows new data of an overlaid run
    void exportTo(const QString& file) const; ///< png, svg or csv by suffix; throws Error

Q_SIGNALS:
    void exportWanted();    ///< the owner asks for a file name
    void overlayUnwanted(); ///< the user has closed the overlay

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void grow(const RunGrowth& growth); ///< slot: the run has new data
    void makePlots();                   ///< one per metric
    void layOutPlots();                 ///< in columns that fit the width
    void applyLook();
    [[nodiscard]] std::vector<OverlaidRun> shown() const; ///< the overlaid runs, else the hub's run
    [[nodiscard]] QWidget* makeHeader();                  ///< controls above the plots
    void connectHeader();                                 ///< controls above the plots
    void showFlags();                                     ///< events of the run in the plots
    [[nodiscard]] QString runLegendHtml() const; ///< names of the overlaid runs in their colours

    const Look& look_;
    const RunHub& hub_;
    PlotLink link_;
    std::vector<OverlaidRun> overlaid_; ///< empty: the hub's run is shown
    std::size_t seriesSeen_ = 0;        ///< number of series for which plots exist
    RunFlags flags_;                    ///< events of the run
    std::vector<Plot*> plots_;
    QLabel* headingLabel_ = nullptr;
    QLabel* smoothingLabel_ = nullptr;
    QSlider* smoothingSlider_ = nullptr;
    QComboBox* xAxisChoice_ = nullptr; ///< steps, epochs or time
    QToolButton* logXButton_ = nullptr;
    QToolButton* logYButton_ = nullptr;
    QToolButton* followButton_ = nullptr;
    QToolButton* exportButton_ = nullptr;
    QToolButton* endOverlayButton_ = nullptr; ///< shows the hub's run alone
    QScrollArea* scrollArea_ = nullptr;
    QWidget* plotBoard_ = nullptr; ///< content of `scrollArea_`
    QGridLayout* plotGrid_ = nullptr;
    QLabel* emptyLabel_ = nullptr; ///< shown until there are data
};

} // namespace weft::ui
