// SPDX-License-Identifier: Apache-2.0
#pragma once
// Panel with the predicted step and the last run's measurements: four figures with their ranges,
// one bar per device, and a note if they belong to another revision or only a part of the design. A
// button recalibrates this machine. A low dock shows one line with a button to the problems.

#include "workspace/panel.h"
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
        QString measured;       ///< empty: no measurement
        QString band = {};      ///< predicted range; empty: unknown
        bool isOutside = false; ///< the measurement lies outside the range
        bool isOlder = false;   ///< belongs to the design before the last edit
    };

    explicit PredictionPanel(WindowContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const std::vector<Figure>& figures() const { return figures_; }
    /// Note on what the figures describe, if that is not the current design.
    [[nodiscard]] const QString& note() const { return note_; }

protected:
    void refresh(unsigned causes) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] bool isOneLine() const;
    [[nodiscard]] bool isMeasured() const; ///< true if the shown run belongs to this design
    void updateFigures();
    void setMemoryToolTip();
    void applyTheme();
    void enlargeDock();
    void placeButtons();
    int paintFigures(QPainter& painter, int left) const;
    void paintNote(QPainter& painter, const QRect& room) const;
    void paintLine(QPainter& painter, int left) const;
    void paintDevices(QPainter& painter, const QRect& room) const;
    /// Draws the predicted (outlined) and measured (filled) bars; `longest` nanoseconds fill the
    /// width.
    void paintBars(QPainter& painter, const QRect& room, const DevicePreview& device,
                   double longest) const;
    void paintPredicted(QPainter& painter, const QRect& room, const DeviceStep& device,
                        double longest) const;

    std::shared_ptr<const CheckedDesign> checked_;
    std::vector<Figure> figures_;
    QString note_;
    std::vector<StepTotals> typicalTotals_; ///< totals of the typical step of the last run
    QToolButton* enlargeButton_;
    QToolButton* problemsButton_;
    RatesCorner* ratesCorner_;
};

} // namespace weft::ui
