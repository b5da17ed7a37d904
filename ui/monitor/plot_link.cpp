// SPDX-License-Identifier: Apache-2.0
#include "monitor/plot_link.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

void PlotLink::setDataRange(const Range& data) {
    if (data == dataRange_) {
        return;
    }
    dataRange_ = data;
    if (isFollowing_) {
        showAll();
    }
}

void PlotLink::showAll() {
    Range all = dataRange_;
    if (!(all.length() > 0)) {
        all.most = all.least + 1;
    }
    if (isLog_ && all.least <= 0) {
        all.least = std::min(1.0, all.most * 1e-3);
    }
    if (all == x_) {
        return;
    }
    x_ = all;
    emit viewChanged();
}

void PlotLink::setAlong(XAxis along) {
    if (along_ == along) {
        return;
    }
    along_ = along;
    crosshair_.reset();
    dataRange_ = {};
    follow();
    emit viewChanged();
}

void PlotLink::setLog(bool isLog) {
    if (isLog_ == isLog) {
        return;
    }
    isLog_ = isLog;
    if (isLog_ && x_.least <= 0) {
        x_.least = std::min(1.0, x_.most * 1e-3);
    }
    if (isFollowing_) {
        showAll();
    }
    emit viewChanged();
}

void PlotLink::setSmoothing(double weight) {
    if (weight != smoothing_) {
        smoothing_ = weight;
        emit smoothingChanged();
    }
}

void PlotLink::show(Range x) {
    const double size = std::max(std::abs(x.least), std::abs(x.most));
    if (!(x.length() > size * 1e-12) || !std::isfinite(x.length())) {
        return;
    }
    x_ = x;
    setFollowing(false);
    emit viewChanged();
}

void PlotLink::follow() { setFollowing(true); }

void PlotLink::setFollowing(bool isFollowing) {
    if (isFollowing_ != isFollowing) {
        isFollowing_ = isFollowing;
        emit followingChanged(isFollowing);
    }
    if (isFollowing_) {
        showAll();
    }
}

void PlotLink::setCrosshair(std::optional<double> x) {
    if (crosshair_ != x) {
        crosshair_ = x;
        emit crosshairChanged();
    }
}

} // namespace weft::ui
