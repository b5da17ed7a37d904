// SPDX-License-Identifier: Apache-2.0
#include "timeline/memory_plot.h"

#include "theme/look.h"
#include "theme/quantity.h"

#include <QPainter>
#include <algorithm>

namespace weft::ui {

MemoryPlot::MemoryPlot(const Look& look, QWidget* parent)
    : TimePlot(look, memoryAxisWidth, parent) {}

void MemoryPlot::show(MemoryMap map, int slot) {
    take(memoryPictureOf(std::move(map), slot, picture_.isEven));
    hoveredBlock_.reset();
    QStringList texts{tr("Memory over a step: peak %1")
                          .arg(quantity::bytes(static_cast<double>(picture_.map.peak.count)))};
    const auto held = picture_.map.heldAt(picture_.map.peakStep);
    for (std::size_t kind = 0; kind < blockKinds; ++kind) {
        texts << QString::fromUtf8(nameOf(static_cast<BlockKind>(kind)).data()) + ' ' +
                     quantity::bytes(static_cast<double>(held.at(kind).count));
    }
    setAccessibleName(texts.join(QStringLiteral(", ")));
}

void MemoryPlot::setEven(bool isEven) {
    MemoryPicture picture = memoryPictureOf(picture_.map, picture_.slot, isEven);
    picture.chosen = picture_.chosen;
    take(std::move(picture));
}

void MemoryPlot::take(MemoryPicture picture) {
    const auto begin = static_cast<double>(picture_.view.begin);
    const double first = correspondingMoment(picture_, picture, begin);
    const double last = correspondingMoment(picture_, picture,
                                            begin + picture_.view.perPixel * picture_.view.width);
    picture.view = picture_.view;
    picture_ = std::move(picture);
    if (isFitted()) {
        fit();
    } else {
        const double perPixel = last > first ? (last - first) / plotWidth() : view().perPixel;
        setView(static_cast<std::int64_t>(first), perPixel, false);
    }
}

void MemoryPlot::setChosen(std::set<std::uint32_t> blocks) {
    picture_.chosen = std::move(blocks);
    redraw();
}

double MemoryPlot::mostPerPixel() const {
    const std::int64_t end = picture_.begins.empty() ? 1 : picture_.begins.back();
    return static_cast<double>(std::max<std::int64_t>(end, 1)) / plotWidth();
}

void MemoryPlot::fit() { setView(0, mostPerPixel(), true); }

void MemoryPlot::setView(std::int64_t begin, double perPixel, bool isFitted) {
    TimePlot::setView(begin, perPixel, isFitted || perPixel >= mostPerPixel());
}

TimeView MemoryPlot::limitedView(TimeView wanted) const {
    const double most = mostPerPixel();
    wanted.perPixel = std::clamp(wanted.perPixel, std::min(leastPerPixel, most), most);
    // Limits the view to the step.
    const std::int64_t end = picture_.begins.empty() ? 1 : picture_.begins.back();
    const auto latest = end - static_cast<std::int64_t>(wanted.perPixel * wanted.width);
    wanted.begin = std::clamp<std::int64_t>(wanted.begin, 0, std::max<std::int64_t>(latest, 0));
    return wanted;
}

void MemoryPlot::drawPicture(QImage& image) { drawMemory(image, size(), picture_, look().theme()); }

void MemoryPlot::drawPointerOverlay(QPainter& painter) {
    if (!hoveredBlock_) {
        return;
    }
    painter.setPen(look().theme().accent.ink);
    painter.setClipRect(rect().adjusted(memoryAxisWidth, 0, 0, 0));
    painter.drawRect(blockBox(picture_, size(), picture_.map.blocks[*hoveredBlock_])
                         .toAlignedRect()
                         .adjusted(0, 0, -1, -1));
    painter.setClipping(false);
}

void MemoryPlot::pointerMoved(QPoint at) {
    const auto under = blockAt(picture_, size(), at);
    if (under != hoveredBlock_) {
        hoveredBlock_ = under;
        update();
    }
}

QString MemoryPlot::layerAt(QPoint at) const {
    const auto hit = blockAt(picture_, size(), at);
    return hit ? QString::fromStdString(picture_.map.blocks[*hit].layer) : QString();
}

void MemoryPlot::leaveEvent(QEvent*) {
    hoveredBlock_.reset();
    update();
}

QString MemoryPlot::toolTipAt(QPoint at) const {
    const auto hit = blockAt(picture_, size(), at);
    return hit ? toolTipText(picture_.map.blocks[*hit]) : QString();
}

QString MemoryPlot::toolTipText(const MemoryBlock& block) const {
    const MemoryMap& map = picture_.map;
    const QString kind = QString::fromUtf8(nameOf(block.kind).data());
    const QString bytes = quantity::bytes(static_cast<double>(block.bytes.count));
    QStringList lines{
        block.layer.empty() ? tr("No layer") : QString::fromStdString(block.layer),
        tr("%1: %2").arg(kind, QString::fromStdString(block.name)),
        tr("%1 at offset %2").arg(bytes, quantity::bytes(static_cast<double>(block.offset)))};
    if (block.first == 0 && block.last + 1 >= map.steps.size()) {
        lines << tr("Live during the whole step");
    } else {
        const auto at = [&](std::uint32_t step, Nanoseconds time) {
            return QString::fromStdString(map.steps[step].name) + ", " +
                   quantity::predicted(quantity::time(time));
        };
        lines << tr("From %1").arg(at(block.first, map.steps[block.first].begin))
              << tr("to %1").arg(at(block.last, map.steps[block.last].end));
    }
    return lines.join('\n');
}

} // namespace weft::ui
