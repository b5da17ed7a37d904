// SPDX-License-Identifier: Apache-2.0
#pragma once
// The curves of a run, live or ended: MonitorView(look, hub) with a RunHub that is opened
// elsewhere. A plot per metric, training and validation together; all plots share the stretch of x
// that is seen and the crosshair. `overlay` lays other runs over it. New data never moves a view
// that was chosen by hand.

#include "monitor/plot.h"
#include "monitor/plot_link.h"
#include "monitor/run_flags.h"
#include "session/run_hub.h"

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

/// A run whose curves lie over those of others.
struct OverlaidRun {
    QString name;
    QPointer<const RunHub> hub =
        nullptr;    ///< nullptr once the run was let go: it has no curves then
    int colour = 0; ///< slot of the device colours, which mean runs here
};

class MonitorView : public QWidget {
    Q_OBJECT

public:
    MonitorView(const Look& look, const RunHub& hub, QWidget* parent = nullptr);
    ~MonitorView() override;

    /// Instead of the hub's own run; none: that run again.
    void overlay(std::vector<OverlaidRun> runs);
    [[nodiscard]] PlotLink& link() { return link_; }
    /// In the order in which they are shown.
    [[nodiscard]] const std::vector<Plot*>& plots() const { return plots_; }
    /// What an overlaid run got since; its hub's `grown` may be connected to it.
    void refresh();
    /// Png, svg or csv by the ending; throws Error.
    void exportTo(const QString& file) const;

Q_SIGNALS:
    /// The view wants to be written to a file: whoever owns dialogs asks for its name.
    void exportWanted();
    /// Enough of the runs that are laid over each other.
    void overlayUnwanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void grow(const RunGrowth& growth);
    void makePlots();
    void layOut();
    void dress();
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
