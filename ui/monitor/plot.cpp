// SPDX-License-Identifier: Apache-2.0
#include "monitor/plot.h"

#include "theme/look.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

// A wheel step is 120 units; each step zooms by a factor of 1.2.
constexpr double zoomPerClick = 1.0 / 1.2;
// A shorter drag counts as a click.
constexpr int shortestBand = 4;

} // namespace

Plot::Plot(const Look& look, PlotLink& link, QString title, QWidget* parent)
    : QWidget(parent), look_(look), link_(link) {
    picture_.title = std::move(title);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&look_, &Look::changed, this, [this] { setCurves(curves_, picture_.subtitle); });
    connect(&link_, &PlotLink::viewChanged, this, [this] {
        isYRangeChosen_ = isYRangeChosen_ && !link_.isFollowing();
        fitYRange();
        redraw();
    });
    connect(&link_, &PlotLink::smoothingChanged, this,
            [this] { setCurves(curves_, picture_.subtitle); });
    connect(&link_, &PlotLink::crosshairChanged, this, qOverload<>(&QWidget::update));
}

QSize Plot::sizeHint() const { return {400, 240}; }
QSize Plot::minimumSizeHint() const { return {200, 140}; }

void Plot::setCurves(std::vector<PlotCurve> curves, const QString& subtitle) {
    curves_ = std::move(curves);
    picture_.subtitle = subtitle;
    smoothCurves();
    picture_.curves.clear();
    const Theme& theme = look_.theme();
    for (const PlotCurve& curve : curves_) {
        const bool isEvaluation = curve.series->split() == Split::evaluate;
        DrawnCurve drawn;
        drawn.series = curve.series;
        drawn.name = curve.name;
        drawn.isDashed = isEvaluation || curve.isDashed;
        drawn.hasRings = isEvaluation;
        drawn.isBehind = curve.isBehind;
        drawn.isBestMarked =
            curve.isBestMarked && curve.runColour < 0 && (isEvaluation || curves_.size() == 1);
        drawn.colour = curve.runColour >= 0 ? theme.ofDevice(curve.runColour)
                       : curve.isBehind     ? theme.text.tertiary
                       : isEvaluation       ? theme.text.secondary
                                            : theme.accent.ink;
        if (const auto found = smoothed_.find(curve.series); found != smoothed_.end()) {
            drawn.smoothed = &found->second.values();
        }
        picture_.curves.push_back(drawn);
    }
    picture_.isPercent = !curves_.empty() && std::ranges::all_of(curves_, [](const auto& curve) {
        return curve.series->metric().name.find("accuracy") != std::string::npos;
    });
    picture_.isTime = !curves_.empty() && std::ranges::all_of(curves_, [](const auto& curve) {
        return curve.series->metric().unit == "s";
    });
    fitYRange();
    redraw();
    updateDescription();
}

void Plot::setFlags(std::vector<PlotFlag> flags) {
    picture_.flags = std::move(flags);
    redraw();
}

void Plot::setLogY(bool isLog) {
    if (picture_.isLogY == isLog) {
        return;
    }
    picture_.isLogY = isLog;
    isYRangeChosen_ = false;
    fitYRange();
    redraw();
}

void Plot::smoothCurves() {
    std::map<SeriesHandle, SmoothedValues> wanted;
    for (const PlotCurve& curve : curves_) {
        // Series of evaluation have few points and are not smoothed.
        if (!curve.isSmoothed || link_.smoothing() <= 0 ||
            curve.series->split() == Split::evaluate) {
            continue;
        }
        auto known = smoothed_.extract(curve.series);
        if (known.empty()) {
            wanted[curve.series].follow(*curve.series, link_.smoothing());
        } else {
            known.mapped().follow(*curve.series, link_.smoothing());
            wanted.insert(std::move(known));
        }
    }
    smoothed_ = std::move(wanted);
}

void Plot::grow() {
    smoothCurves();
    if (link_.isFollowing()) {
        fitYRange();
    }
    redraw();
}

void Plot::fitYRange() {
    picture_.along = link_.along();
    picture_.x = link_.x();
    picture_.isLogX = link_.isLog();
    if (isYRangeChosen_) {
        return;
    }
    Extremes all;
    for (const DrawnCurve& curve : picture_.curves) {
        all.add(extremesWithin(*curve.series, curve.series->values(), picture_.along, picture_.x));
        if (picture_.isLogY && all.least <= 0) {
            all.least = std::max(all.most * 1e-6, 1e-12);
        }
    }
    // A nearly constant series is drawn level rather than magnified.
    constexpr double level = 2e-3;
    const double middle = (all.least + all.most) / 2;
    const double tenth = std::abs(middle) / 10;
    if (!all.isEmpty() && all.most - all.least < level * std::abs(middle)) {
        all.least = middle - tenth;
        all.most = middle + tenth;
    }
    if (!all.isEmpty() && all.least == 0 && all.most == 0) {
        all.most = 1; // all values are zero, so the scale is arbitrary
    }
    picture_.y = roomyRange({all.least, all.most}, picture_.isLogY);
    if (picture_.isPercent && !picture_.isLogY && all.least >= 0 && all.most <= 1) {
        picture_.y.most = std::min(picture_.y.most, 1.02);
    }
}

void Plot::redraw() {
    cachedPicture_.invalidate();
    update();
}

void Plot::updateDescription() {
    QStringList names;
    for (const PlotCurve& curve : curves_) {
        names << curve.name;
    }
    setAccessibleName(tr("Plot of %1: %2").arg(picture_.title, names.join(QStringLiteral(", "))));
}

Axis Plot::xAxis() const {
    return {picture_.x, double(curveArea(size()).width()), picture_.isLogX};
}
Axis Plot::yAxis() const {
    return {picture_.y, double(curveArea(size()).height()), picture_.isLogY};
}

void Plot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    cachedPicture_.paint(painter, *this, [this](QImage& image) {
        drawPixels(image, size(), picture_, look_.theme());
    });
    if (bandStart_ && (pointer_ - *bandStart_).manhattanLength() >= shortestBand) {
        const QRect area = curveArea(size());
        const bool isBox = std::abs(pointer_.y() - bandStart_->y()) > area.height() / 4;
        const QRect band = (isBox ? QRect(*bandStart_, pointer_)
                                  : QRect(QPoint(bandStart_->x(), area.top()),
                                          QPoint(pointer_.x(), area.bottom())))
                               .normalized() &
                           area;
        painter.setPen(look_.theme().accent.ink);
        painter.drawRect(band.adjusted(0, 0, -1, -1));
    } else if (const auto crosshair = link_.crosshair(); crosshair && !picture_.curves.empty()) {
        drawCrosshair(painter, size(), picture_, *crosshair, look_.theme());
    }
    if (hasFocus()) {
        painter.setPen(look_.theme().accent.focus);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void Plot::wheelEvent(QWheelEvent* event) {
    const QRect area = curveArea(size());
    const double clicks = event->angleDelta().y() / 120.0;
    const double factor = std::pow(zoomPerClick, clicks);
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        picture_.y = yAxis().zoomed(area.bottom() - event->position().y(), factor);
        isYRangeChosen_ = true;
        link_.setFollowing(false);
        redraw();
    } else {
        link_.show(xAxis().zoomed(event->position().x() - area.left(), factor));
    }
    event->accept();
}

void Plot::mousePressEvent(QMouseEvent* event) {
    const bool isMove =
        event->button() == Qt::MiddleButton ||
        (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    pointer_ = event->position().toPoint();
    if (isMove) {
        panStart_ = pointer_;
    } else if (event->button() == Qt::LeftButton) {
        bandStart_ = pointer_;
    }
}

void Plot::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position().toPoint();
    if (panStart_) {
        const QPoint by = *panStart_ - pointer_;
        panStart_ = pointer_;
        picture_.y = yAxis().moved(-by.y());
        isYRangeChosen_ = true;
        link_.show(xAxis().moved(by.x()));
        return;
    }
    if (bandStart_) {
        update();
        return;
    }
    const QRect area = curveArea(size());
    if (area.contains(pointer_)) {
        link_.setCrosshair(xAxis().toValue(pointer_.x() - area.left()));
    } else {
        link_.setCrosshair(std::nullopt);
    }
}

void Plot::mouseReleaseEvent(QMouseEvent* event) {
    panStart_.reset();
    if (bandStart_) {
        zoomToBand(*bandStart_, event->position().toPoint());
        bandStart_.reset();
        update();
    }
}

void Plot::zoomToBand(QPoint from, QPoint to) {
    const QRect area = curveArea(size());
    if (std::abs(to.x() - from.x()) < shortestBand) {
        return;
    }
    const Axis x = xAxis();
    const double a = std::clamp(from.x() - area.left(), 0, area.width());
    const double b = std::clamp(to.x() - area.left(), 0, area.width());
    if (std::abs(to.y() - from.y()) > area.height() / 4) {
        const Axis y = yAxis();
        const double c = std::clamp(area.bottom() + 1 - from.y(), 0, area.height());
        const double d = std::clamp(area.bottom() + 1 - to.y(), 0, area.height());
        picture_.y = {y.toValue(std::min(c, d)), y.toValue(std::max(c, d))};
        isYRangeChosen_ = true;
    }
    link_.show({x.toValue(std::min(a, b)), x.toValue(std::max(a, b))});
}

void Plot::mouseDoubleClickEvent(QMouseEvent*) {
    bandStart_.reset();
    isYRangeChosen_ = false;
    link_.follow();
    fitYRange();
    redraw();
}

void Plot::leaveEvent(QEvent*) { link_.setCrosshair(std::nullopt); }

void Plot::keyPressEvent(QKeyEvent* event) {
    const double width = curveArea(size()).width();
    switch (event->key()) {
    case Qt::Key_F: mouseDoubleClickEvent(nullptr); break;
    case Qt::Key_L: setLogY(!isLogY()); break;
    case Qt::Key_Left: link_.show(xAxis().moved(-width / 10)); break;
    case Qt::Key_Right: link_.show(xAxis().moved(width / 10)); break;
    case Qt::Key_W:
    case Qt::Key_Plus: link_.show(xAxis().zoomed(width / 2, zoomPerClick)); break;
    case Qt::Key_S:
    case Qt::Key_Minus: link_.show(xAxis().zoomed(width / 2, 1 / zoomPerClick)); break;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace weft::ui
