// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/memory_plot.h"

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
constexpr double leastPerPixel = 0.1;
constexpr int shortestDrag = 4;

double seconds(Nanoseconds time) { return static_cast<double>(time.count) * 1e-9; }

} // namespace

MemoryPlot::MemoryPlot(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&look_, &Look::changed, this, &MemoryPlot::redraw);
}

void MemoryPlot::show(MemoryMap map, int slot) {
    picture_ = memoryPictureOf(std::move(map), slot, picture_.isEven);
    hovered_.reset();
    QStringList told{tr("Memory over a step: peak %1")
                         .arg(quantity::bytes(static_cast<double>(picture_.map.peak.count)))};
    const auto held = picture_.map.heldAt(picture_.map.peakStep);
    for (std::size_t kind = 0; kind < blockKinds; ++kind) {
        told << QString::fromUtf8(nameOf(static_cast<BlockKind>(kind)).data()) + ' ' +
                    quantity::bytes(static_cast<double>(held.at(kind).count));
    }
    setAccessibleName(told.join(QStringLiteral(", ")));
    fit();
}

void MemoryPlot::setEven(bool isEven) {
    auto chosen = std::move(picture_.chosen);
    picture_ = memoryPictureOf(std::move(picture_.map), picture_.slot, isEven);
    picture_.chosen = std::move(chosen);
    fit();
}

void MemoryPlot::setChosen(std::set<std::uint32_t> blocks) {
    picture_.chosen = std::move(blocks);
    redraw();
}

int MemoryPlot::plotWidth() const {
    return std::max(1, width() - memoryGutter - Look::sizes().space.m);
}

void MemoryPlot::fit() {
    const std::int64_t end = picture_.begins.empty() ? 1 : picture_.begins.back();
    setView(0, static_cast<double>(std::max<std::int64_t>(end, 1)) / plotWidth(), true);
}

void MemoryPlot::setView(std::int64_t begin, double perPixel, bool isFitted) {
    const std::int64_t end = picture_.begins.empty() ? 1 : picture_.begins.back();
    const double most = static_cast<double>(std::max<std::int64_t>(end, 1)) / plotWidth();
    perPixel = std::clamp(perPixel, std::min(leastPerPixel, most), most);
    // Nothing lies beside the step.
    const auto latest = end - static_cast<std::int64_t>(perPixel * plotWidth());
    begin = std::clamp<std::int64_t>(begin, 0, std::max<std::int64_t>(latest, 0));
    picture_.view = {begin, perPixel, plotWidth()};
    isFitted_ = isFitted || perPixel == most;
    redraw();
}

void MemoryPlot::zoom(double pixel, double factor) {
    const TimeView& view = picture_.view;
    const double under = static_cast<double>(view.begin) + pixel * view.perPixel;
    const double perPixel = view.perPixel * factor;
    setView(static_cast<std::int64_t>(std::floor(under - pixel * perPixel)), perPixel, false);
}

void MemoryPlot::move(double pixels) {
    setView(picture_.view.toTime(pixels), picture_.view.perPixel, false);
}

void MemoryPlot::redraw() {
    drawn_.spoil();
    update();
}

void MemoryPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawn_.paint(painter, *this,
                 [this](QImage& image) { drawMemory(image, size(), picture_, look_.theme()); });
    painter.setBrush(Qt::NoBrush);
    if (hovered_) {
        painter.setPen(look_.theme().accent.ink);
        painter.setClipRect(rect().adjusted(memoryGutter, 0, 0, 0));
        painter.drawRect(placeOf(picture_, size(), picture_.map.blocks[*hovered_])
                             .toAlignedRect()
                             .adjusted(0, 0, -1, -1));
        painter.setClipping(false);
    }
    if (hasFocus()) {
        painter.setPen(look_.theme().accent.focus);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void MemoryPlot::resizeEvent(QResizeEvent*) {
    if (isFitted_) {
        fit();
    } else {
        setView(picture_.view.begin, picture_.view.perPixel, false);
    }
}

void MemoryPlot::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ShiftModifier) || turned.y() == 0) {
        move(-(turned.x() != 0 ? turned.x() : turned.y()));
    } else {
        zoom(event->position().x() - memoryGutter, std::pow(zoomPerClick, turned.y() / 120.0));
    }
    event->accept();
}

void MemoryPlot::mousePressEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (event->button() == Qt::MiddleButton ||
        (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier))) {
        movedFrom_ = at;
    } else if (event->button() == Qt::LeftButton) {
        pressed_ = at;
    }
}

void MemoryPlot::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (movedFrom_) {
        move(movedFrom_->x() - at.x());
        movedFrom_ = at;
        return;
    }
    const auto under = blockAt(picture_, size(), at);
    if (under != hovered_) {
        hovered_ = under;
        update();
    }
}

void MemoryPlot::mouseReleaseEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (pressed_ && (at - *pressed_).manhattanLength() < shortestDrag) {
        const auto hit = blockAt(picture_, size(), at);
        Q_EMIT clicked(hit ? QString::fromStdString(picture_.map.blocks[*hit].layer) : QString());
    }
    pressed_.reset();
    movedFrom_.reset();
}

void MemoryPlot::mouseDoubleClickEvent(QMouseEvent*) { fit(); }

void MemoryPlot::leaveEvent(QEvent*) {
    hovered_.reset();
    update();
}

void MemoryPlot::keyPressEvent(QKeyEvent* event) {
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
    default: QWidget::keyPressEvent(event);
    }
}

QString MemoryPlot::tipOf(const MemoryBlock& block) const {
    const MemoryMap& map = picture_.map;
    const QString kind = QString::fromUtf8(nameOf(block.kind).data());
    const QString bytes = quantity::bytes(static_cast<double>(block.bytes.count));
    QStringList lines{
        block.layer.empty() ? tr("The step's own") : QString::fromStdString(block.layer),
        tr("%1: %2").arg(kind, QString::fromStdString(block.name)),
        tr("%1 from %2 on").arg(bytes, quantity::bytes(static_cast<double>(block.offset)))};
    if (block.first == 0 && block.last + 1 >= map.steps.size()) {
        lines << tr("Lives the whole step");
    } else {
        const auto at = [&](std::uint32_t step, Nanoseconds time) {
            return QString::fromStdString(map.steps[step].name) + ", " +
                   quantity::predicted(quantity::time(seconds(time)));
        };
        lines << tr("From %1").arg(at(block.first, map.steps[block.first].begin))
              << tr("to %1").arg(at(block.last, map.steps[block.last].end));
    }
    return lines.join('\n');
}

bool MemoryPlot::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto hit = blockAt(picture_, size(), help->pos())) {
            QToolTip::showText(help->globalPos(), tipOf(picture_.map.blocks[*hit]), this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

} // namespace weft::ui
