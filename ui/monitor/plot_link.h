// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the plots of one monitor share: what stands along the bottom, which stretch of it is seen,
// where the crosshair is, how much curves are smoothed. New data moves the view only while it
// follows. Lives on the GUI thread.

#include "session/series_store.h"
#include "widgets/axis.h"

#include <QObject>
#include <optional>

namespace weft::ui {

class PlotLink : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] Along along() const { return along_; }
    [[nodiscard]] bool isLog() const { return isLog_; }
    [[nodiscard]] bool isFollowing() const { return isFollowing_; }
    [[nodiscard]] const Range& x() const { return x_; }
    [[nodiscard]] double smoothing() const { return smoothing_; }
    [[nodiscard]] const std::optional<double>& crosshair() const { return crosshair_; }

    /// All that there is to be seen by now.
    void setData(const Range& data);
    void setAlong(Along along);
    void setLog(bool isLog);
    void setSmoothing(double weight);
    /// Ends following.
    void show(Range x);
    /// All of it, now and as it grows.
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

    Along along_ = Along::step;
    bool isLog_ = false;
    bool isFollowing_ = true;
    Range data_;
    Range x_;
    double smoothing_ = 0.6;
    std::optional<double> crosshair_;
};

} // namespace weft::ui
