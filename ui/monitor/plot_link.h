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

    [[nodiscard]] XAxis along() const { return along_; }
    [[nodiscard]] bool isLog() const { return isLog_; }
    [[nodiscard]] bool isFollowing() const { return isFollowing_; }
    [[nodiscard]] const Range& x() const { return x_; }
    [[nodiscard]] double smoothing() const { return smoothing_; }
    [[nodiscard]] const std::optional<double>& crosshair() const { return crosshair_; }

    /// Sets the range of all data.
    void setData(const Range& data);
    void setAlong(XAxis along);
    void setLog(bool isLog);
    void setSmoothing(double weight);
    /// Shows this range and stops following.
    void show(Range x);
    /// Shows all data, including future data.
    void follow();
    void setFollowing(bool isFollowing);
    void setCrosshair(std::optional<double> x);

Q_SIGNALS:
    void viewChanged();
    void crosshairChanged();
    void followingChanged(bool isFollowing);
    void smoothingChanged();

private:
    void showAll();

    XAxis along_ = XAxis::step;
    bool isLog_ = false;
    bool isFollowing_ = true;
    Range data_;
    Range x_;
    double smoothing_ = 0.6;
    std::optional<double> crosshair_;
};

} // namespace weft::ui
