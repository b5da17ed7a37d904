// SPDX-License-Identifier: Apache-2.0
#include "timeline/timeline_tracks.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include <weft/catalogue.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace weft::ui {

namespace {

// Nanoseconds per pixel at the smallest zoom: ten seconds.
constexpr double mostPerPixel = 1e10;
// Margin on both sides of a fitted step, as a fraction.
constexpr double room = 0.02;

} // namespace

TimelineTracks::TimelineTracks(const Look& look, const SpanStore& measured,
                               const SpanStore& predicted, QWidget* parent)
    : TimePlot(look, timelineNamesWidth, parent), opHelps_(opHelps()) {
    picture_.measured = &measured;
    picture_.predicted = &predicted;
    setAccessibleName(tr("Timeline of devices"));
}

void TimelineTracks::setPaletteIndices(std::vector<int> paletteIndices) {
    paletteIndices_ = std::move(paletteIndices);
    refresh();
}

QSize TimelineTracks::sizeHint() const {
    return {640, std::max(heightOf(picture_.rows) + Look::sizes().space.s, 160)};
}

void TimelineTracks::showStep(std::optional<std::int64_t> step) {
    if (step_ != step) {
        step_ = step;
        refresh();
    }
}

void TimelineTracks::refresh() {
    const int height = sizeHint().height();
    picture_.rows = rowsOf(*picture_.measured, *picture_.predicted, paletteIndices_);
    picture_.predictedEnd =
        picture_.predicted->steps().empty() ? 0 : picture_.predicted->steps().front().end;
    const StepWindow* window = step_ ? picture_.measured->window(*step_) : nullptr;
    const std::int64_t origin = window != nullptr ? window->begin : 0;
    if (origin != picture_.origin) {
        // A view inside one step is kept for the next step, relative to its start.
        picture_.view.begin += origin - picture_.origin;
        picture_.origin = origin;
    }
    picture_.critical =
        window != nullptr ? criticalPath(picture_.measured->ofStep(window->step))
        : picture_.predicted->steps().empty()
            ? std::vector<CriticalSpan>()
            : criticalPath(picture_.predicted->ofStep(picture_.predicted->steps().front().step));
    if (isFitted()) {
        fit();
    }
    if (sizeHint().height() != height) {
        updateGeometry();
    }
    redraw();
}

void TimelineTracks::fit() {
    const StepWindow* window = step_ ? picture_.measured->window(*step_) : nullptr;
    const std::int64_t measured = window != nullptr ? window->end - window->begin : 0;
    const auto length =
        static_cast<double>(std::max({measured, picture_.predictedEnd, std::int64_t{1000}}));
    setView(picture_.origin - static_cast<std::int64_t>(length * room),
            length * (1 + 3 * room) / plotWidth(), true);
}

TimeView TimelineTracks::limitedView(TimeView wanted) const {
    wanted.perPixel = std::clamp(wanted.perPixel, leastPerPixel, mostPerPixel);
    return wanted;
}

void TimelineTracks::showTimeRange(std::int64_t begin, std::int64_t end) {
    setView(begin, static_cast<double>(std::max<std::int64_t>(end - begin, 1)) / plotWidth(),
            false);
}

void TimelineTracks::goToSelectedSpan(bool isNext) {
    const std::int64_t middle = picture_.view.toTime(picture_.view.width / 2.0);
    std::optional<std::int64_t> nearest;
    for (const TrackSpans& track : picture_.measured->tracks()) {
        for (const TrackSpans::Span& span : track.spans()) {
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

void TimelineTracks::setChosen(std::set<std::uint32_t> measured,
                               std::set<std::uint32_t> predicted) {
    picture_.chosenMeasured = std::move(measured);
    picture_.chosenPredicted = std::move(predicted);
    redraw();
}

void TimelineTracks::drawPicture(QImage& image) {
    drawTimeline(image, size(), picture_, look().theme());
}

/// Draws the measured time range.
void TimelineTracks::drawPointerOverlay(QPainter& painter) {
    if (!pressPosition() || std::abs(pointer().x() - pressPosition()->x()) < shortestDrag) {
        return;
    }
    const Theme& theme = look().theme();
    const int left = std::max(timelineNamesWidth, std::min(pointer().x(), pressPosition()->x()));
    const int right = std::max(pointer().x(), pressPosition()->x());
    painter.setPen(theme.accent.ink);
    painter.drawRect(left, timelineRulerHeight, right - left - 1,
                     height() - timelineRulerHeight - 1);
    const QString text = quantity::time((right - left) * picture_.view.perPixel * 1e-9);
    painter.setFont(Look::mono(Look::sizes().type.small, Look::sizes().type.medium));
    const int wide = QFontMetrics(painter.font()).horizontalAdvance(text) + 12;
    const QRect box((left + right - wide) / 2, 2, wide, timelineRulerHeight - 4);
    painter.fillRect(box, theme.accent.ink);
    painter.setPen(theme.text.onInk);
    painter.drawText(box, Qt::AlignCenter, text);
}

void TimelineTracks::pointerMoved(QPoint) {
    if (pressPosition()) {
        update();
    }
}

QString TimelineTracks::layerAt(QPoint at) const {
    const auto hit = spanAt(picture_, at);
    const SpanStore& store = hit && hit->isPredicted ? *picture_.predicted : *picture_.measured;
    return hit ? QString::fromStdString(store.sites()[hit->site].layer) : QString();
}

void TimelineTracks::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto hit = spanAt(picture_, event->position())) {
        const std::int64_t shift = hit->isPredicted ? picture_.origin : 0;
        const std::int64_t edge = (hit->end - hit->begin) / 4 + 1;
        showTimeRange(hit->begin + shift - edge, hit->end + shift + edge);
    } else {
        fit();
    }
}

void TimelineTracks::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Period: goToSelectedSpan(true); break;
    case Qt::Key_Comma: goToSelectedSpan(false); break;
    default: TimePlot::keyPressEvent(event);
    }
}

QString TimelineTracks::toolTipAt(QPoint at) const {
    const auto hit = spanAt(picture_, at);
    return hit ? toolTipText(*hit) : QString();
}

QString TimelineTracks::toolTipText(const HitSpan& hit) const {
    const SpanStore& store = hit.isPredicted ? *picture_.predicted : *picture_.measured;
    const SpanSite& site = store.sites()[hit.site];
    const QString length = quantity::time(static_cast<double>(hit.end - hit.begin) * 1e-9);
    const std::int64_t begin = hit.begin - (hit.isPredicted ? 0 : picture_.origin);
    const QString op = QString::fromStdString(site.op);
    QStringList lines =
        site.kind == SpanKind::repeat ? QStringList{op, tr("captured graph")}
        : site.kind == SpanKind::feed
            ? QStringList{tr("the next batch"), tr("copied while this step runs")}
            : QStringList{QString::fromStdString(site.layer),
                          tr("%1, %2").arg(op, QString::fromUtf8(passOf(site).data()))};
    lines << tr("%1 from %2, stream %3")
                 .arg(hit.isPredicted ? quantity::predicted(length) : length,
                      quantity::time(static_cast<double>(begin) * 1e-9))
                 .arg(hit.track);
    if (site.rounds > 1) {
        const Nanoseconds each = timePerRound(site.rounds, {hit.end - hit.begin});
        lines << tr("%1 iterations, %2 each").arg(site.rounds).arg(quantity::time(each));
    }
    const QString bytes = quantity::bytes(static_cast<double>(site.bytes.count));
    if (site.kind == SpanKind::wait) {
        lines << tr("waits for the other devices");
    } else if (site.kind == SpanKind::communicate) {
        lines << tr("%1 sent by this device").arg(bytes);
    } else if (site.bytes.count > 0) {
        lines << bytes;
    }
    if (const auto help = opHelps_.find(site.op); help != opHelps_.end() && !help->second.empty()) {
        lines << QString::fromStdString(help->second);
    }
    return lines.join('\n');
}

} // namespace weft::ui
