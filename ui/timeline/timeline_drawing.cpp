// SPDX-License-Identifier: Apache-2.0
#include "timeline/timeline_drawing.h"

#include "theme/blend.h"
#include "theme/look.h"
#include "widgets/axis.h"
#include "widgets/chips.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <algorithm>
#include <cmath>
#include <cstring>

namespace weft::ui {

namespace {

constexpr double backwardShare = 0.78;
constexpr double waitingShare = 0.35;
// Least opacity of a pixel with any span, so that it is visible.
constexpr float leastShare = 0.3F;
constexpr int widthForText = 40;
constexpr int widthForGap = 4;
constexpr int predictedTop = 4;
constexpr int measuredTop = 14;
constexpr int criticalHeight = 22;

std::array<QRgb, spanClasses> coloursOf(int slot, const Theme& theme) {
    const QRgb surface = theme.surface.dock.rgb();
    const QRgb device = theme.ofDevice(slot).rgb();
    std::array<QRgb, spanClasses> colours{};
    colours[std::size_t(SpanClass::forward)] = device;
    colours[std::size_t(SpanClass::backward)] = blend(surface, device, backwardShare);
    colours[std::size_t(SpanClass::update)] = theme.trace.update.rgb();
    colours[std::size_t(SpanClass::communicate)] = theme.trace.collective.rgb();
    colours[std::size_t(SpanClass::wait)] = waitingColour(theme).rgb();
    colours[std::size_t(SpanClass::other)] = theme.trace.io.rgb();
    return colours;
}

/// Returns the class with the largest share of a pixel, and the total busy share.
std::pair<std::size_t, float> mostOf(const BusyTime& busy) {
    std::size_t most = 0;
    float sum = 0;
    for (std::size_t i = 0; i < spanClasses; ++i) {
        most = busy[i] > busy[most] ? i : most;
        sum += busy[i];
    }
    return {most, std::min(sum, 1.0F)};
}

/// Copies a row of pixels into several lines of the image, in device pixels.
void copyRow(QImage& image, const std::vector<QRgb>& row, int left, int top, int height) {
    const int width = std::min(static_cast<int>(row.size()), image.width() - left);
    for (int y = std::max(top, 0); y < std::min(top + height, image.height()) && width > 0; ++y) {
        std::memcpy(image.scanLine(y) + static_cast<std::ptrdiff_t>(left) * 4, row.data(),
                    static_cast<std::size_t>(width) * 4);
    }
}

/// State of one drawing: sizes in logical pixels, output in device pixels.
class Drawing {
public:
    Drawing(QImage& image, const QSize& size, const TimelinePicture& picture, const Theme& theme)
        : image_(image),
          size_(size),
          picture_(picture),
          theme_(theme),
          ratio_(image.devicePixelRatio()),
          view_(picture.view) {
        // Uses one column per device pixel.
        view_.width = qRound(picture.view.width * ratio_);
        view_.perPixel = picture.view.perPixel / ratio_;
    }

    void draw();

private:
    using Tracks = std::vector<const TrackSpans*>;
    [[nodiscard]] Tracks tracksOf(const SpanStore& store, const TimelineRow& row,
                                  bool isCommunication) const;
    void drawDevice(const TimelineRow& row);
    void drawPredicted(QPainter& painter, const TimelineRow& row);
    void drawCollectives(const TimelineRow& row);
    void drawLabels(QPainter& painter, const TimelineRow& row);
    void drawTrackLabels(QPainter& painter, const TrackSpans& track, const TimelineRow& row,
                         int top, int height, bool hasNames);
    void drawCritical(QPainter& painter, const TimelineRow& row);
    void drawRuler(QPainter& painter);
    void drawGutter(QPainter& painter, const TimelineRow& row);
    [[nodiscard]] int pixels(int logical) const { return qRound(logical * ratio_); }

    QImage& image_;
    QSize size_;
    const TimelinePicture& picture_;
    const Theme& theme_;
    double ratio_;
    TimeView view_;
};

Drawing::Tracks Drawing::tracksOf(const SpanStore& store, const TimelineRow& row,
                                  bool isCommunication) const {
    Tracks tracks;
    for (const TrackSpans& track : store.tracks()) {
        const bool isMine = row.kind == RowKind::collectives || track.device() == row.device;
        if (isMine && track.isCommunication() == isCommunication) {
            tracks.push_back(&track);
        }
    }
    return tracks;
}

void Drawing::drawDevice(const TimelineRow& row) {
    const Tracks tracks = tracksOf(*picture_.measured, row, false);
    const auto colours = coloursOf(row.slot, theme_);
    const QRgb surface = theme_.surface.dock.rgb();
    const QRgb exposed = theme_.trace.exposed.rgb();
    const QRgb pale = waitingColour(theme_).rgb();
    std::vector<BusyTime> communication;
    for (const TrackSpans* track : tracksOf(*picture_.measured, row, true)) {
        addBusyShares(*track, view_, communication);
    }
    std::vector<std::vector<BusyTime>> shares(tracks.size());
    std::vector<float> working(static_cast<std::size_t>(view_.width), 0.0F);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        addBusyShares(*tracks[i], view_, shares[i]);
        for (std::size_t x = 0; x < working.size(); ++x) {
            const BusyTime& busy = shares[i][x];
            const float work = busy[0] + busy[1] + busy[2] + busy[5];
            working[x] = std::max(working[x], std::min(work, 1.0F));
        }
    }
    const int height = pixels(Look::sizes().size.trackMeasured);
    const int top = pixels(row.top + measuredTop);
    std::vector<QRgb> line(static_cast<std::size_t>(view_.width), surface);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const SpanRange range = spansIn(*tracks[i], view_);
        for (std::size_t x = 0; x < line.size(); ++x) {
            const auto ofClass = [&](SpanClass kind) {
                return communication.empty() ? 0 : communication[x][std::size_t(kind)];
            };
            const float sending = ofClass(SpanClass::communicate);
            const float waiting = ofClass(SpanClass::wait);
            if (std::max(sending, waiting) > working[x] && working[x] < 0.5F) {
                const bool isWaiting = waiting > sending;
                line[x] = blend(surface, isWaiting ? pale : exposed,
                                std::clamp(std::max(sending, waiting), leastShare, 1.0F));
                continue;
            }
            const auto [kind, share] = mostOf(shares[i][x]);
            line[x] =
                share <= 0 ? surface : blend(surface, colours[kind], std::max(share, leastShare));
        }
        // Separates adjacent spans by a line if there is room.
        for (std::size_t k = range.first; range.size() < line.size() / 2 && k < range.last; ++k) {
            const TrackSpans::Span& span = tracks[i]->spans()[k];
            const double x = view_.toPixel(span.end) - 1;
            if (view_.toPixel(span.end) - view_.toPixel(span.begin) >= widthForGap * ratio_ &&
                x >= 0 && x < static_cast<double>(line.size())) {
                line[static_cast<std::size_t>(x)] = surface;
            }
        }
        const int from = top + height * static_cast<int>(i) / static_cast<int>(tracks.size());
        const int to = top + height * static_cast<int>(i + 1) / static_cast<int>(tracks.size());
        copyRow(image_, line, pixels(timelineNamesWidth), from, to - from);
    }
}

void Drawing::drawPredicted(QPainter& painter, const TimelineRow& row) {
    TimeView view = picture_.view;
    view.begin -= picture_.origin;
    const bool isBelow = row.kind == RowKind::collectives;
    const QColor colour = isBelow ? theme_.trace.collective : theme_.ofDevice(row.slot);
    painter.setBrush(Qt::NoBrush);
    for (const TrackSpans* track : tracksOf(*picture_.predicted, row, isBelow)) {
        const SpanRange range = spansIn(*track, view);
        int drawnTo = -1;
        for (std::size_t i = range.first; i < range.last; ++i) {
            const TrackSpans::Span& span = track->spans()[i];
            const int left = std::max(0, static_cast<int>(view.toPixel(span.begin)));
            const int right = std::min(view.width, static_cast<int>(view.toPixel(span.end)));
            if (right <= drawnTo) {
                continue; // outside the drawn range
            }
            const bool isChosen = picture_.chosenPredicted.contains(span.site);
            painter.setPen(isChosen ? theme_.accent.ink : colour);
            painter.drawRect(timelineNamesWidth + left, row.top + predictedTop,
                             std::max(right - left - 1, 1), Look::sizes().size.trackPredicted - 1);
            drawnTo = right;
        }
    }
}

void Drawing::drawCollectives(const TimelineRow& row) {
    std::vector<BusyTime> shares;
    for (const TrackSpans* track : tracksOf(*picture_.measured, row, true)) {
        addBusyShares(*track, view_, shares);
    }
    const QRgb surface = theme_.surface.dock.rgb();
    const QRgb colour = theme_.trace.collective.rgb();
    const QRgb pale = waitingColour(theme_).rgb();
    std::vector<QRgb> line(shares.size(), surface);
    for (std::size_t x = 0; x < shares.size(); ++x) {
        const float share = shares[x][std::size_t(SpanClass::communicate)];
        const float waiting = shares[x][std::size_t(SpanClass::wait)];
        if (share > 0) {
            line[x] = blend(surface, colour, std::clamp(share, leastShare, 1.0F));
        } else if (waiting > 0) {
            line[x] = blend(surface, pale, std::clamp(waiting, leastShare, 1.0F));
        }
    }
    copyRow(image_, line, pixels(timelineNamesWidth), pixels(row.top + measuredTop),
            pixels(row.height - measuredTop - 2));
}

void Drawing::drawTrackLabels(QPainter& painter, const TrackSpans& track, const TimelineRow& row,
                              int top, int height, bool hasNames) {
    const SpanRange range = spansIn(track, picture_.view);
    if (range.size() > 2 * static_cast<std::size_t>(picture_.view.width)) {
        return;
    }
    const QFontMetrics metrics(painter.font());
    for (std::size_t i = range.first; i < range.last; ++i) {
        const TrackSpans::Span& span = track.spans()[i];
        const int left = std::max(0, qRound(picture_.view.toPixel(span.begin)));
        const int right = std::min(picture_.view.width, qRound(picture_.view.toPixel(span.end)));
        const QRect box(timelineNamesWidth + left, top, right - left, height);
        if (picture_.chosenMeasured.contains(span.site)) {
            painter.setPen(theme_.accent.ink);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(-1, -2, 0, 1));
            painter.drawRect(box.adjusted(-2, -3, 1, 2));
        }
        if (!hasNames || box.width() < widthForText || height < metrics.ascent()) {
            continue;
        }
        const SpanSite& site = picture_.measured->sites()[span.site];
        const QString layer = site.layer.empty()
                                  ? QString::fromStdString(site.op)
                                  : QString::fromStdString(site.layer).section('/', -1);
        const bool isQuiet = span.kind == SpanClass::update || span.kind == SpanClass::other;
        painter.setPen(isQuiet ? theme_.text.secondary : theme_.digitOn(row.slot));
        painter.drawText(box.adjusted(6, 0, -4, 0), Qt::AlignVCenter,
                         metrics.elidedText(layer, Qt::ElideMiddle, box.width() - 10));
    }
}

void Drawing::drawLabels(QPainter& painter, const TimelineRow& row) {
    const bool isBelow = row.kind == RowKind::collectives;
    const Tracks tracks = tracksOf(*picture_.measured, row, isBelow);
    const int height = isBelow ? row.height - measuredTop - 2 : Look::sizes().size.trackMeasured;
    painter.setFont(Look::sans(Look::sizes().type.small));
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const int count = isBelow ? 1 : static_cast<int>(tracks.size());
        const int at = isBelow ? 0 : static_cast<int>(i);
        const int from = row.top + measuredTop + height * at / count;
        const int to = row.top + measuredTop + height * (at + 1) / count;
        if (!isBelow || !picture_.chosenMeasured.empty()) {
            // All devices report the same collectives, so labels are drawn once.
            drawTrackLabels(painter, *tracks[i], row, from, to - from, !isBelow || i == 0);
        }
    }
}

void Drawing::drawCritical(QPainter& painter, const TimelineRow& row) {
    const int middle = row.top + row.height / 2;
    for (const CriticalSpan& span : picture_.critical) {
        const int left = std::max(0, qRound(picture_.view.toPixel(span.begin.count)));
        const int right =
            std::min(picture_.view.width, qRound(picture_.view.toPixel(span.end.count)));
        const int thick = span.isExposed ? 6 : 2;
        if (right >= left) {
            painter.fillRect(QRect(timelineNamesWidth + left, middle - thick / 2,
                                   std::max(right - left, 1), thick),
                             theme_.accent.ink);
        }
    }
}

void Drawing::drawRuler(QPainter& painter) {
    const TimeView& view = picture_.view;
    const Range seconds{static_cast<double>(view.begin - picture_.origin) * 1e-9,
                        static_cast<double>(view.end() - picture_.origin) * 1e-9};
    painter.setFont(Look::mono(Look::sizes().type.small));
    for (const Tick& tick : timeTicksOf(seconds, std::clamp(view.width / 90, 2, 14))) {
        const auto at = picture_.origin + static_cast<std::int64_t>(tick.value * 1e9);
        const int x = timelineNamesWidth + qRound(view.toPixel(at));
        painter.setPen(theme_.text.tertiary);
        painter.drawText(QRect(x - 50, 0, 100, timelineRulerHeight), Qt::AlignCenter, tick.text);
    }
    if (picture_.predictedEnd > 0) {
        const int x =
            timelineNamesWidth + qRound(view.toPixel(picture_.origin + picture_.predictedEnd));
        for (int y = timelineRulerHeight; y < size_.height() && x >= timelineNamesWidth; y += 5) {
            painter.fillRect(QRect(x, y, 1, 3), theme_.text.secondary);
        }
    }
}

void Drawing::drawGutter(QPainter& painter, const TimelineRow& row) {
    const Sizes& sizes = Look::sizes();
    const int middle = row.kind == RowKind::criticalPath
                           ? row.top + row.height / 2
                           : row.top + measuredTop + (row.height - measuredTop) / 2 - 2;
    int left = sizes.space.m;
    if (row.kind == RowKind::device) {
        const QRect chip(left, row.top + measuredTop + 3, sizes.size.icon, sizes.size.icon);
        painter.fillRect(chip, theme_.ofDevice(row.slot));
        painter.setFont(Look::mono(sizes.type.micro, sizes.type.semibold));
        painter.setPen(theme_.digitOn(row.slot));
        painter.drawText(chip, Qt::AlignCenter, digitOf(row.name));
        left += sizes.size.icon + sizes.space.s;
    }
    painter.setFont(Look::sans(sizes.type.small));
    painter.setPen(theme_.text.secondary);
    const QRect box(left, middle - 10, timelineNamesWidth - left - sizes.space.xs, 20);
    painter.drawText(
        box, Qt::AlignVCenter,
        QFontMetrics(painter.font()).elidedText(row.name, Qt::ElideMiddle, box.width()));
}

void Drawing::draw() {
    image_.fill(theme_.surface.dock);
    for (const TimelineRow& row : picture_.rows) {
        if (row.kind == RowKind::device) {
            drawDevice(row);
        } else if (row.kind == RowKind::collectives) {
            drawCollectives(row);
        }
    }
    QPainter painter(&image_);
    painter.setClipRect(
        QRect(timelineNamesWidth, 0, size_.width() - timelineNamesWidth, size_.height()));
    for (const TimelineRow& row : picture_.rows) {
        if (row.kind == RowKind::criticalPath) {
            drawCritical(painter, row);
            continue;
        }
        drawPredicted(painter, row);
        drawLabels(painter, row);
    }
    drawRuler(painter);
    painter.setClipping(false);
    for (const TimelineRow& row : picture_.rows) {
        drawGutter(painter, row);
    }
}

} // namespace

std::vector<TimelineRow> rowsOf(const SpanStore& measured, const SpanStore& predicted,
                                const std::vector<int>& paletteIndices) {
    const Sizes::Size& size = Look::sizes().size;
    const SpanStore& shown = measured.size() > 0 ? measured : predicted;
    std::vector<TimelineRow> rows;
    int top = timelineRulerHeight;
    for (const DeviceId device : shown.devices()) {
        const std::size_t index = device.value;
        rows.push_back(
            {RowKind::device, device, QString::fromStdString(shown.nameOf(device)),
             index < paletteIndices.size() ? paletteIndices[index] : static_cast<int>(index), top,
             size.track});
        top += size.track;
    }
    if (rows.empty()) {
        return rows;
    }
    rows.push_back({RowKind::collectives,
                    {},
                    QCoreApplication::translate("timeline", "collectives"),
                    0,
                    top,
                    size.trackCollectives});
    top += size.trackCollectives;
    rows.push_back({RowKind::criticalPath,
                    {},
                    QCoreApplication::translate("timeline", "critical path"),
                    0,
                    top,
                    criticalHeight});
    return rows;
}

int heightOf(const std::vector<TimelineRow>& rows) {
    return rows.empty() ? timelineRulerHeight : rows.back().top + rows.back().height;
}

QColor waitingColour(const Theme& theme) {
    return blend(theme.surface.dock, theme.trace.exposed, waitingShare);
}

void drawTimeline(QImage& image, const QSize& size, const TimelinePicture& picture,
                  const Theme& theme) {
    Drawing(image, size, picture, theme).draw();
}

std::optional<HitSpan> spanAt(const TimelinePicture& picture, QPointF at) {
    const double x = at.x() - timelineNamesWidth;
    for (const TimelineRow& row : picture.rows) {
        if (x < 0 || at.y() < row.top || at.y() >= row.top + row.height ||
            row.kind == RowKind::criticalPath) {
            continue;
        }
        const bool isPredicted = at.y() < row.top + measuredTop;
        const SpanStore& store = isPredicted ? *picture.predicted : *picture.measured;
        TimeView pixel = picture.view;
        pixel.begin = picture.view.toTime(x - 1) - (isPredicted ? picture.origin : 0);
        pixel.width = 3;
        std::optional<HitSpan> longest;
        for (const TrackSpans& track : store.tracks()) {
            const bool isMine = row.kind == RowKind::collectives
                                    ? track.isCommunication()
                                    : track.device() == row.device && !track.isCommunication();
            const SpanRange range = isMine ? spansIn(track, pixel) : SpanRange{};
            for (std::size_t i = range.first; i < range.last; ++i) {
                const TrackSpans::Span& span = track.spans()[i];
                if (!longest || span.end - span.begin > longest->end - longest->begin) {
                    longest = HitSpan{isPredicted,    span.site,     span.begin, span.end,
                                      track.device(), track.track(), span.step};
                }
            }
        }
        return longest;
    }
    return std::nullopt;
}

} // namespace weft::ui
