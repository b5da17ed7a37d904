// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_lanes.h"

#include "theme/look.h"
#include "theme/quantity.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

constexpr double zoomPerClick = 1.0 / 1.25;
// A pixel is never less than a tenth of a nanosecond, nor more than ten seconds.
constexpr double leastPerPixel = 0.1;
constexpr double mostPerPixel = 1e10;
constexpr int shortestDrag = 4;
// Room left and right of a step that is fitted.
constexpr double room = 0.02;

} // namespace

TimelineLanes::TimelineLanes(const Look& look, const SpanStore& measured,
                             const SpanStore& predicted, QWidget* parent)
    : QWidget(parent), look_(look) {
    picture_.measured = &measured;
    picture_.predicted = &predicted;
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline of devices"));
    connect(&look_, &Look::changed, this, &TimelineLanes::redraw);
}

void TimelineLanes::setHues(std::vector<int> hues) {
    hues_ = std::move(hues);
    refresh();
}

QSize TimelineLanes::sizeHint() const {
    return {640, std::max(heightOf(picture_.rows) + Look::sizes().space.s, 160)};
}

int TimelineLanes::laneWidth() const {
    return std::max(1, width() - timelineGutter - Look::sizes().space.m);
}

void TimelineLanes::showStep(std::optional<std::int64_t> step) {
    if (step_ != step) {
        step_ = step;
        refresh();
    }
}

void TimelineLanes::refresh() {
    const int height = sizeHint().height();
    picture_.rows = rowsOf(*picture_.measured, *picture_.predicted, hues_);
    picture_.predictedEnd =
        picture_.predicted->steps().empty() ? 0 : picture_.predicted->steps().front().end;
    const StepWindow* window = step_ ? picture_.measured->window(*step_) : nullptr;
    const std::int64_t origin = window != nullptr ? window->begin : 0;
    if (origin != picture_.origin) {
        // A view that was zoomed into one step is kept for the next, relative to its begin.
        picture_.view.begin += origin - picture_.origin;
        picture_.origin = origin;
    }
    picture_.critical =
        window != nullptr ? criticalPath(picture_.measured->ofStep(window->step))
        : picture_.predicted->steps().empty()
            ? std::vector<CriticalSpan>()
            : criticalPath(picture_.predicted->ofStep(picture_.predicted->steps().front().step));
    if (isFitted_) {
        fit();
    }
    if (sizeHint().height() != height) {
        updateGeometry();
    }
    redraw();
}

void TimelineLanes::fit() {
    const StepWindow* window = step_ ? picture_.measured->window(*step_) : nullptr;
    const std::int64_t measured = window != nullptr ? window->end - window->begin : 0;
    const auto length =
        static_cast<double>(std::max({measured, picture_.predictedEnd, std::int64_t{1000}}));
    setView(picture_.origin - static_cast<std::int64_t>(length * room),
            length * (1 + 3 * room) / laneWidth(), true);
}

void TimelineLanes::setView(std::int64_t begin, double perPixel, bool isFitted) {
    picture_.view = {begin, std::clamp(perPixel, leastPerPixel, mostPerPixel), laneWidth()};
    isFitted_ = isFitted;
    redraw();
    if (!isFitted) {
        emit viewChosen();
    }
}

void TimelineLanes::zoom(double pixel, double factor) {
    const TimeView& view = picture_.view;
    const double perPixel = std::clamp(view.perPixel * factor, leastPerPixel, mostPerPixel);
    const double under = static_cast<double>(view.begin) + pixel * view.perPixel;
    setView(static_cast<std::int64_t>(std::floor(under - pixel * perPixel)), perPixel, false);
}

void TimelineLanes::move(double pixels) {
    setView(picture_.view.toTime(pixels), picture_.view.perPixel, false);
}

void TimelineLanes::showStretch(std::int64_t begin, std::int64_t end) {
    setView(begin, static_cast<double>(std::max<std::int64_t>(end - begin, 1)) / laneWidth(),
            false);
}

void TimelineLanes::goToChosen(bool isNext) {
    const std::int64_t middle = picture_.view.toTime(picture_.view.width / 2.0);
    std::optional<std::int64_t> nearest;
    for (const LaneSpans& lane : picture_.measured->lanes()) {
        for (const LaneSpans::Span& span : lane.spans()) {
            const std::int64_t at = (span.begin + span.end) / 2;
            const bool isThere = picture_.chosenMeasured.contains(span.site) &&
                                 (isNext ? at > middle + 1 : at < middle - 1);
            if (isThere && (!nearest || (isNext ? at < *nearest : at > *nearest))) {
                nearest = at;
            }
        }
    }
    if (nearest) {
        move(picture_.view.toPixel(*nearest) - picture_.view.width / 2.0);
    }
}

void TimelineLanes::setChosen(std::set<std::uint32_t> measured, std::set<std::uint32_t> predicted) {
    picture_.chosenMeasured = std::move(measured);
    picture_.chosenPredicted = std::move(predicted);
    redraw();
}

void TimelineLanes::redraw() {
    drawn_.spoil();
    update();
}

void TimelineLanes::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawn_.paint(painter, *this,
                 [this](QImage& image) { drawTimeline(image, size(), picture_, look_.theme()); });
    drawMeasure(painter);
    if (hasFocus()) {
        painter.setPen(look_.theme().accent.focus);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void TimelineLanes::drawMeasure(QPainter& painter) {
    if (!measureFrom_ || std::abs(pointer_.x() - measureFrom_->x()) < shortestDrag) {
        return;
    }
    const Theme& theme = look_.theme();
    const int left = std::max(timelineGutter, std::min(pointer_.x(), measureFrom_->x()));
    const int right = std::max(pointer_.x(), measureFrom_->x());
    painter.setPen(theme.accent.ink);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(left, timelineRuler, right - left - 1, height() - timelineRuler - 1);
    const QString text = quantity::time((right - left) * picture_.view.perPixel * 1e-9);
    painter.setFont(Look::mono(Look::sizes().type.small, Look::sizes().type.medium));
    const int wide = QFontMetrics(painter.font()).horizontalAdvance(text) + 12;
    const QRect box((left + right - wide) / 2, 2, wide, timelineRuler - 4);
    painter.fillRect(box, theme.accent.ink);
    painter.setPen(theme.text.onInk);
    painter.drawText(box, Qt::AlignCenter, text);
}

void TimelineLanes::resizeEvent(QResizeEvent*) {
    if (isFitted_) {
        fit();
        return;
    }
    picture_.view.width = laneWidth();
    redraw();
}

void TimelineLanes::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ShiftModifier) || turned.y() == 0) {
        move(-(turned.x() != 0 ? turned.x() : turned.y()));
    } else {
        zoom(event->position().x() - timelineGutter, std::pow(zoomPerClick, turned.y() / 120.0));
    }
    event->accept();
}

void TimelineLanes::mousePressEvent(QMouseEvent* event) {
    pointer_ = event->position().toPoint();
    if (event->button() == Qt::MiddleButton ||
        (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier))) {
        movedFrom_ = pointer_;
    } else if (event->button() == Qt::LeftButton) {
        measureFrom_ = pointer_;
    }
}

void TimelineLanes::mouseMoveEvent(QMouseEvent* event) {
    const QPoint from = pointer_;
    pointer_ = event->position().toPoint();
    if (movedFrom_) {
        move(from.x() - pointer_.x());
    } else if (measureFrom_) {
        update();
    }
}

void TimelineLanes::mouseReleaseEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (measureFrom_ && (at - *measureFrom_).manhattanLength() < shortestDrag) {
        const auto hit = spanAt(picture_, at);
        const SpanStore& store = hit && hit->isPredicted ? *picture_.predicted : *picture_.measured;
        emit clicked(hit ? QString::fromStdString(store.sites()[hit->site].layer) : QString());
    }
    measureFrom_.reset();
    movedFrom_.reset();
    update();
}

void TimelineLanes::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto hit = spanAt(picture_, event->position())) {
        const std::int64_t shift = hit->isPredicted ? picture_.origin : 0;
        const std::int64_t edge = (hit->end - hit->begin) / 4 + 1;
        showStretch(hit->begin + shift - edge, hit->end + shift + edge);
    } else {
        fit();
    }
}

void TimelineLanes::keyPressEvent(QKeyEvent* event) {
    const double middle = picture_.view.width / 2.0;
    const double part = picture_.view.width / 8.0;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus: zoom(middle, zoomPerClick); break;
    case Qt::Key_S:
    case Qt::Key_Minus: zoom(middle, 1 / zoomPerClick); break;
    case Qt::Key_A:
    case Qt::Key_Left: move(-part); break;
    case Qt::Key_D:
    case Qt::Key_Right: move(part); break;
    case Qt::Key_F: fit(); break;
    case Qt::Key_Period: goToChosen(true); break;
    case Qt::Key_Comma: goToChosen(false); break;
    default: QWidget::keyPressEvent(event);
    }
}

QString TimelineLanes::tipOf(const HitSpan& hit) const {
    const SpanStore& store = hit.isPredicted ? *picture_.predicted : *picture_.measured;
    const SpanSite& site = store.sites()[hit.site];
    const QString length = quantity::time(static_cast<double>(hit.end - hit.begin) * 1e-9);
    const std::int64_t begin = hit.begin - (hit.isPredicted ? 0 : picture_.origin);
    QStringList lines{QString::fromStdString(site.layer),
                      tr("%1, %2").arg(QString::fromStdString(site.op),
                                       QString::fromUtf8(weft::nameOf(site.pass).data())),
                      tr("%1 from %2 on, lane %3")
                          .arg(hit.isPredicted ? quantity::predicted(length) : length,
                               quantity::time(static_cast<double>(begin) * 1e-9))
                          .arg(hit.lane)};
    if (site.bytes.count > 0) {
        lines << quantity::bytes(static_cast<double>(site.bytes.count));
    }
    return lines.join('\n');
}

bool TimelineLanes::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto hit = spanAt(picture_, help->pos());
        if (hit) {
            QToolTip::showText(help->globalPos(), tipOf(*hit), this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

} // namespace weft::ui
