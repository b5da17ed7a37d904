// SPDX-License-Identifier: Apache-2.0
#pragma once
// State shared by the plots of one monitor: quantity and range of x, crosshair and smoothing. New
// data moves the range only while it follows. Lives on the GUI thread.

#include "runs/series_store.h"
#include "widgets/axis.h"

#include <QObject>
#include <optional>

namespace weft::ui {

class PlotLink : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] XAxis along() const { return along_; } ///< quantity of the x axis
    [[nodiscard]] bool isLog() const { return isLog_; }  ///< x axis
    [[nodiscard]] bool isFollowing() const { return isFollowing_; }
    [[nodiscard]] const Range& x() const { return x_; }           ///< visible range
    [[nodiscard]] double smoothing() const { return smoothing_; } ///< weight, from 0 to below 1
    [[nodiscard]] const std::optional<double>& crosshair() const { return crosshair_; }

    void setDataRange(const Range& data);       ///< range of all data along x
    void setAlong(XAxis along);                 ///< quantity of the x axis
    void setLog(bool isLog);                    ///< x axis
    void setSmoothing(double weight);           ///< 0 (none) to below 1
    void show(Range x);                         ///< shows this range and stops following
    void follow();                              ///< shows all data, including future data
    void setFollowing(bool isFollowing);        ///< false: new data does not move the range
    void setCrosshair(std::optional<double> x); ///< none: hidden

Q_SIGNALS:
    void viewChanged(); ///< range, quantity or scale of x
    void crosshairChanged();
    void followingChanged(bool isFollowing);
    void smoothingChanged();

private:
    void showAll(); ///< the range of all data

    XAxis along_ = XAxis::step;
    bool isLog_ = false;
    bool isFollowing_ = true;         ///< new data extends `x_`
    Range dataRange_;                 ///< range of all data along x
    Range x_;                         ///< visible range
    double smoothing_ = 0.6;          ///< weight of the mean so far
    std::optional<double> crosshair_; ///< x; none: hidden
};

} // namespace weft::ui
