// SPDX-License-Identifier: Apache-2.0
#include "timeline/memory_drawing.h"

#include "theme/blend.h"
#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/symbols.h"
#include "widgets/axis.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

/// In the order of BlockKind, from weights to buffers.
constexpr std::array<double, blockKinds> shades{1, 0.76, 0.56, 0.37, 0.18};
constexpr std::int64_t evenStep = 1000;
// Least height at which adjacent blocks are separated by a pixel.
constexpr int blockForGap = 3;

struct MapWords {
    Q_DECLARE_TR_FUNCTIONS(MapWords)
};

/// Maps bytes to vertical positions in a view of this height.
class Height {
public:
    Height(const MemoryPicture& picture, const QSize& size)
        : bottom_(size.height() - Look::sizes().space.m),
          perByte_((bottom_ - memoryRulerHeight) / std::max(1.0, picture.top)) {}
    [[nodiscard]] double toPixel(double bytes) const { return bottom_ - bytes * perByte_; }
    [[nodiscard]] double toBytes(double pixel) const { return (bottom_ - pixel) / perByte_; }

private:
    double bottom_;
    double perByte_;
};

class MapDrawing {
public:
    MapDrawing(QImage& image, const QSize& size, const MemoryPicture& picture, const Theme& theme)
        : image_(image),
          size_(size),
          picture_(picture),
          theme_(theme),
          ratio_(image.devicePixelRatio()),
          height_(picture, size) {}

    void draw() {
        image_.fill(theme_.surface.dock);
        drawBlocks();
        QPainter painter(&image_);
        drawScale(painter);
        drawRuler(painter);
        painter.setClipRect(
            QRect(memoryAxisWidth, 0, size_.width() - memoryAxisWidth, size_.height()));
        drawChosen(painter);
        drawUse(painter);
        drawLimit(painter);
        drawPeak(painter);
    }

private:
    /// Uses integer device pixels, since there may be thousands of blocks.
    void drawBlocks() {
        QImage raw(image_.bits(), image_.width(), image_.height(), image_.bytesPerLine(),
                   image_.format());
        QPainter painter(&raw);
        painter.setClipRect(QRect(pixels(memoryAxisWidth), 0, raw.width(), raw.height()));
        std::array<QColor, blockKinds> colours;
        for (std::size_t kind = 0; kind < blockKinds; ++kind) {
            colours.at(kind) = blockColour(static_cast<BlockKind>(kind), picture_.slot, theme_);
        }
        for (const MemoryBlock& block : picture_.map.blocks) {
            const QRectF place = blockBox(picture_, size_, block);
            const int left = pixels(place.left());
            const int top = pixels(place.top());
            int wide = std::max(1, pixels(place.right()) - left);
            int high = std::max(1, pixels(place.bottom()) - top);
            if (left + wide < 0 || left > raw.width()) {
                continue;
            }
            wide -= wide >= blockForGap ? 1 : 0;
            high -= high >= blockForGap ? 1 : 0;
            painter.fillRect(left, top, wide, high,
                             colours.at(static_cast<std::size_t>(block.kind)));
        }
    }

    void drawScale(QPainter& painter) {
        painter.setFont(Look::mono(Look::sizes().type.small));
        for (const Tick& tick : ticksOf({0, picture_.top}, false, 5)) {
            const int y = qRound(height_.toPixel(tick.value));
            painter.setPen(theme_.text.tertiary);
            painter.drawText(QRect(0, y - 10, memoryAxisWidth - Look::sizes().space.s, 20),
                             Qt::AlignRight | Qt::AlignVCenter, quantity::bytes(tick.value));
            painter.fillRect(memoryAxisWidth - Look::sizes().space.xs, y, Look::sizes().space.xs, 1,
                             theme_.line.normal);
        }
    }

    void drawRuler(QPainter& painter) {
        painter.setFont(Look::mono(Look::sizes().type.small));
        painter.setPen(theme_.text.tertiary);
        const TimeView& view = picture_.view;
        const double unit = picture_.isEven ? 1.0 / evenStep : 1e-9;
        const Range range{static_cast<double>(view.begin) * unit,
                          static_cast<double>(view.end()) * unit};
        const int most = std::clamp(view.width / 90, 2, 14);
        for (const Tick& tick :
             picture_.isEven ? ticksOf(range, false, most) : timeTicksOf(range, most)) {
            const int x = memoryAxisWidth +
                          qRound(view.toPixel(static_cast<std::int64_t>(tick.value / unit)));
            const QString text =
                picture_.isEven ? MapWords::tr("step %1").arg(tick.text) : tick.text;
            painter.drawText(QRect(x - 50, 0, 100, memoryRulerHeight), Qt::AlignCenter, text);
        }
    }

    void drawChosen(QPainter& painter) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme_.accent.ink);
        for (const std::uint32_t number : picture_.chosen) {
            const QRect place =
                blockBox(picture_, size_, picture_.map.blocks[number]).toAlignedRect();
            painter.drawRect(place.adjusted(0, 0, -1, -1));
            if (place.width() > 4 && place.height() > 4) {
                painter.drawRect(place.adjusted(1, 1, -2, -2));
            }
        }
    }

    /// Draws the memory in use as a step line.
    void drawUse(QPainter& painter) {
        int before = qRound(height_.toPixel(0));
        for (std::size_t k = 0; k < picture_.inUse.size(); ++k) {
            const int left = edge(picture_.begins[k]);
            const int right = edge(picture_.begins[k + 1]);
            const int y = qRound(height_.toPixel(static_cast<double>(picture_.inUse[k])));
            painter.fillRect(left, y, std::max(1, right - left), 1, theme_.accent.ink);
            painter.fillRect(left, std::min(before, y), 1, std::abs(before - y) + 1,
                             theme_.accent.ink);
            before = y;
        }
    }

    void drawLimit(QPainter& painter) {
        const int given = qRound(height_.toPixel(static_cast<double>(picture_.map.size.count)));
        for (int x = memoryAxisWidth; x < size_.width(); x += 5) {
            painter.fillRect(x, given, 2, 1, theme_.text.secondary);
        }
        const auto available = static_cast<double>(picture_.map.available.count);
        if (available <= 0 || available > picture_.top) {
            return;
        }
        const int y = qRound(height_.toPixel(available));
        painter.fillRect(memoryAxisWidth, y, size_.width() - memoryAxisWidth, 1, theme_.accent.ink);
        label(painter, QPoint(size_.width() - Look::sizes().space.m, y),
              MapWords::tr("%1 available").arg(quantity::bytes(available)), Qt::AlignRight);
        if (const MemoryBlock* first = picture_.map.overflow()) {
            const QPointF at = blockBox(picture_, size_, *first).topLeft();
            const int icon = Look::sizes().size.icon;
            painter.drawPixmap(
                QRect(at.toPoint() + QPoint(2, 2), QSize(icon, icon)),
                symbol(QStringLiteral("states/error"), icon, theme_.semantic.error, ratio_));
        }
    }

    void drawPeak(QPainter& painter) {
        const MemoryMap& map = picture_.map;
        if (map.peakStep + 1 >= picture_.begins.size()) {
            return;
        }
        const int x = edge((picture_.begins[map.peakStep] + picture_.begins[map.peakStep + 1]) / 2);
        const int y = qRound(height_.toPixel(static_cast<double>(map.peak.count)));
        for (int at = y; at < size_.height(); at += 5) {
            painter.fillRect(x, at, 1, 3, theme_.accent.ink);
        }
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(theme_.accent.ink);
        painter.setBrush(theme_.surface.dock);
        painter.drawEllipse(QPointF(x + 0.5, y + 0.5), 3, 3);
        painter.setRenderHint(QPainter::Antialiasing, false);
        label(painter, {x + Look::sizes().space.m, y},
              MapWords::tr("peak %1 at %2")
                  .arg(quantity::bytes(static_cast<double>(map.peak.count)),
                       QString::fromStdString(map.steps[map.peakStep].name)),
              Qt::AlignLeft);
    }

    /// Draws a label on a background above a line, moved so that it is fully visible.
    void label(QPainter& painter, QPoint at, const QString& text, Qt::Alignment side) {
        painter.setFont(Look::mono(Look::sizes().type.small));
        const int wide = QFontMetrics(painter.font()).horizontalAdvance(text) + 12;
        constexpr int high = 18;
        QRect box(side == Qt::AlignRight ? at.x() - wide : at.x(), at.y() - high - 4, wide, high);
        box.moveRight(std::min(box.right(), size_.width() - Look::sizes().space.xs));
        box.moveLeft(std::max(box.left(), memoryAxisWidth));
        box.moveTop(std::max(box.top(), memoryRulerHeight));
        painter.fillRect(box, theme_.surface.overlay);
        painter.setPen(theme_.text.primary);
        painter.drawText(box, Qt::AlignCenter, text);
    }

    [[nodiscard]] int pixels(double logical) const {
        return static_cast<int>(std::lround(std::clamp(logical, -1e5, 1e5) * ratio_));
    }
    [[nodiscard]] int edge(std::int64_t position) const {
        return memoryAxisWidth +
               qRound(std::clamp(picture_.view.toPixel(position), -10.0, size_.width() + 10.0));
    }

    QImage& image_;
    QSize size_;
    const MemoryPicture& picture_;
    const Theme& theme_;
    double ratio_;
    Height height_;
};

} // namespace

MemoryPicture memoryPictureOf(MemoryMap map, int slot, bool isEven) {
    MemoryPicture made{.map = std::move(map), .slot = slot, .isEven = isEven};
    const std::size_t steps = made.map.steps.size();
    std::int64_t at = 0;
    for (std::size_t k = 0; k < steps; ++k) {
        // Steps of several streams need not begin in program order.
        at = isEven ? static_cast<std::int64_t>(k) * evenStep
                    : std::max(at, made.map.steps[k].begin.count);
        made.begins.push_back(at);
    }
    std::int64_t end = at + (isEven ? evenStep : 1);
    for (const MemoryStep& step : made.map.steps) {
        end = isEven ? end : std::max(end, step.end.count);
    }
    made.begins.push_back(end);
    std::vector<std::int64_t> change(steps + 1, 0);
    for (const MemoryBlock& block : made.map.blocks) {
        change[std::min<std::size_t>(block.first, steps)] += block.bytes.count;
        change[std::min<std::size_t>(block.last + std::size_t{1}, steps)] -= block.bytes.count;
    }
    std::int64_t held = 0;
    for (std::size_t k = 0; k < steps; ++k) {
        held += change[k];
        made.inUse.push_back(held);
    }
    // The limit is shown only if the peak comes near it.
    constexpr double room = 1.12;
    constexpr double near = 1.5;
    const auto size = static_cast<double>(std::max<std::int64_t>(1, made.map.size.count));
    const auto available = static_cast<double>(made.map.available.count);
    made.top = room * (available > 0 && available < near * size ? std::max(size, available) : size);
    return made;
}

double correspondingMoment(const MemoryPicture& from, const MemoryPicture& to, double moment) {
    const std::size_t steps = from.map.steps.size();
    const std::size_t others = to.map.steps.size();
    if (steps == 0 || others == 0) {
        return moment;
    }
    const auto later = std::ranges::upper_bound(
        from.begins, moment, {}, [](std::int64_t begin) { return static_cast<double>(begin); });
    const auto at = std::min(steps - 1, static_cast<std::size_t>(std::max<std::ptrdiff_t>(
                                            later - from.begins.begin() - 1, 0)));
    // Names may repeat: takes the step at the most similar relative position.
    const auto wanted = static_cast<std::ptrdiff_t>(at * others / steps);
    std::optional<std::size_t> found;
    for (std::size_t k = 0; k < others; ++k) {
        const auto away = [&](std::size_t one) {
            return std::abs(static_cast<std::ptrdiff_t>(one) - wanted);
        };
        if (to.map.steps[k].name == from.map.steps[at].name && (!found || away(k) < away(*found))) {
            found = k;
        }
    }
    const auto part = [](double value, std::int64_t begin, std::int64_t end) {
        return end > begin ? (value - static_cast<double>(begin)) / static_cast<double>(end - begin)
                           : 0;
    };
    if (!found) {
        return part(moment, 0, from.begins.back()) * static_cast<double>(to.begins.back());
    }
    const double into = std::clamp(part(moment, from.begins[at], from.begins[at + 1]), 0.0, 1.0);
    return static_cast<double>(to.begins[*found]) +
           into * static_cast<double>(to.begins[*found + 1] - to.begins[*found]);
}

QColor blockColour(BlockKind kind, int slot, const Theme& theme) {
    return blend(theme.surface.dock, theme.ofDevice(slot),
                 shades.at(static_cast<std::size_t>(kind)));
}

void drawMemory(QImage& image, const QSize& size, const MemoryPicture& picture,
                const Theme& theme) {
    MapDrawing(image, size, picture, theme).draw();
}

QRectF blockBox(const MemoryPicture& picture, const QSize& size, const MemoryBlock& block) {
    const Height height(picture, size);
    const std::size_t last = picture.begins.size() - 1;
    const double left =
        picture.view.toPixel(picture.begins[std::min<std::size_t>(block.first, last)]);
    const double right = picture.view.toPixel(
        picture.begins[std::min<std::size_t>(block.last + std::size_t{1}, last)]);
    const double top = height.toPixel(static_cast<double>(block.offset + block.bytes.count));
    const double bottom = height.toPixel(static_cast<double>(block.offset));
    return {memoryAxisWidth + left, top, right - left, bottom - top};
}

std::optional<std::uint32_t> blockAt(const MemoryPicture& picture, const QSize& size, QPointF at) {
    if (at.x() < memoryAxisWidth || picture.begins.size() < 2) {
        return std::nullopt;
    }
    // If blocks are thinner than a pixel, takes the nearest one.
    constexpr double reach = 1.5;
    std::optional<std::uint32_t> nearest;
    double least = reach;
    for (std::size_t k = 0; k < picture.map.blocks.size(); ++k) {
        const QRectF place = blockBox(picture, size, picture.map.blocks[k]);
        const double across = std::max({place.left() - at.x(), at.x() - place.right(), 0.0});
        const double down = std::max({place.top() - at.y(), at.y() - place.bottom(), 0.0});
        const double away = std::max(across, down);
        if (away < least) {
            least = away;
            nearest = static_cast<std::uint32_t>(k);
        }
    }
    return nearest;
}

} // namespace weft::ui
