// SPDX-License-Identifier: Apache-2.0
#pragma once
// One plot of a monitor. Wheel zooms x at the pointer (Ctrl: y), a drag zooms to a range, Shift or
// the middle button pans, double click or F shows all data and follows new data. The curves are
// cached as a picture; the crosshair is drawn on top.

#include "monitor/plot_drawing.h"
#include "monitor/plot_link.h"
#include "monitor/smoothing.h"
#include "widgets/pixel_picture.h"

#include <QWidget>
#include <map>
#include <optional>
#include <vector>

namespace weft::ui {

class Look;

/// A curve to show.
struct PlotCurve {
    SeriesHandle series = nullptr;
    QString name = {};
    int runColour = -1;        ///< index of the device palette, used for runs; -1: ink
    bool isSmoothed = false;   ///< a smoothed curve is drawn over the values
    bool isBestMarked = false; ///< the best value has a mark
    bool isDashed = false;     ///< drawn dashed; curves of evaluation always are
    bool isBehind = false;     ///< drawn in grey behind other curves
};

class Plot : public QWidget {
    Q_OBJECT

public:
    Plot(const Look& look, PlotLink& link, QString title, QWidget* parent = nullptr);

    void setCurves(std::vector<PlotCurve> curves, const QString& subtitle);
    void setFlags(std::vector<PlotFlag> flags); ///< events along x
    [[nodiscard]] const QString& title() const { return picture_.title; }
    [[nodiscard]] const PlotPicture& picture() const { return picture_; }
    [[nodiscard]] const std::vector<PlotCurve>& curves() const { return curves_; }

    [[nodiscard]] bool isLogY() const { return picture_.isLogY; }
    void setLogY(bool isLog);
    void grow(); ///< new data has arrived

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] Axis xAxis() const;
    [[nodiscard]] Axis yAxis() const;
    void smoothCurves();                     ///< updates `smoothed_`
    void fitYRange();                        ///< unless chosen by the user
    void redraw();                           ///< discards the cached picture and repaints
    void updateDescription();                ///< for screen readers
    void zoomToBand(QPoint from, QPoint to); ///< the dragged range; a click if it is short

    const Look& look_;
    PlotLink& link_; ///< state shared with other plots
    std::vector<PlotCurve> curves_;
    std::map<SeriesHandle, SmoothedValues> smoothed_; ///< by series
    PlotPicture picture_;                             ///< what is drawn
    bool isYRangeChosen_ = false;                     ///< by the user: new data does not change it
    PixelPicture cachedPicture_;                      ///< curves and axes, without crosshair
    std::optional<QPoint> bandStart_;                 ///< start of a drag that zooms
    std::optional<QPoint> panStart_;                  ///< last position of a drag that pans
    QPoint pointer_;                                  ///< its last position
};

} // namespace weft::ui
