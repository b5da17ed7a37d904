// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a step is predicted to take, before anything runs, and what the last run of the design took:
// four figures and a bar per device, outlined and filled, and how sure that is; a note where that
// is not of the whole design as it stands. This machine can be measured again from here. In a low
// dock one line, with a way to the problems beside it.

#include "session/panel.h"
#include <weft/timeline.h>

class QToolButton;

namespace weft::ui {

class RatesCorner;

class PredictionPanel : public Panel {
    Q_OBJECT

public:
    struct Figure {
        QString title;
        QString predicted;
        QString measured;       ///< empty: nothing was
        QString band = {};      ///< between what it may lie; empty: not known
        bool isOutside = false; ///< the measured one is not within it
        bool isOlder = false;   ///< of the design before the last edit
    };

    explicit PredictionPanel(Bench& bench, QWidget* parent = nullptr);
    [[nodiscard]] const std::vector<Figure>& figures() const { return figures_; }
    /// Note on what the figures describe, if that is not the current design.
    [[nodiscard]] const QString& note() const { return note_; }

protected:
    void refresh(unsigned causes) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] bool isLine() const;
    /// The run that is looked at is one of this design's.
    [[nodiscard]] bool isMeasured() const;
    void fill();
    void tellMemory();
    void dress();
    void open();
    void placeButtons();
    int paintFigures(QPainter& painter, int left) const;
    void paintNote(QPainter& painter, const QRect& room) const;
    void paintLine(QPainter& painter, int left) const;
    void paintDevices(QPainter& painter, const QRect& room) const;
    /// Outlined and filled; `longest` nanoseconds have the whole room.
    void paintBars(QPainter& painter, const QRect& room, const DevicePreview& device,
                   double longest) const;
    void paintPredicted(QPainter& painter, const QRect& room, const DeviceStep& device,
                        double longest) const;

    std::shared_ptr<const CheckedDesign> known_;
    std::vector<Figure> figures_;
    QString note_;
    std::vector<StepTotals> totals_; ///< of the last run's last step
    QToolButton* open_;
    QToolButton* problems_;
    RatesCorner* rates_;
};

} // namespace weft::ui
