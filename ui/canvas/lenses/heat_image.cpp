// SPDX-License-Identifier: Apache-2.0
#include "canvas/lenses/heat_image.h"

#include "widgets/shapes.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstring>

namespace weft::ui {

namespace {

/// Number of subpixel positions for which a glyph is cached.
constexpr int partsOfPixel = 4;

const QRgb* lineOf(const QImage& image, int y) {
    return reinterpret_cast<const QRgb*>(image.constScanLine(y));
}

void copy(QRgb* to, const QRgb* from, int count) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(QRgb));
}

/// Blends a premultiplied colour over an opaque one.
QRgb over(QRgb top, QRgb below) {
    constexpr int whole = 255;
    const int left = whole - qAlpha(top);
    const auto part = [left](int above, int under) { return above + (under * left + 127) / whole; };
    return qRgb(part(qRed(top), qRed(below)), part(qGreen(top), qGreen(below)),
                part(qBlue(top), qBlue(below)));
}

} // namespace

void HeatImage::setSize(QSize size) {
    if (image_.size() != size) {
        image_ = QImage(size, QImage::Format_RGB32);
        pixels_ = reinterpret_cast<QRgb*>(image_.bits());
    }
}

void HeatImage::restore(const QRect& part, const QImage& below) {
    const QRect box = part & clip_;
    for (int y = box.top(); y <= box.bottom(); ++y) {
        copy(row(y) + box.left(), lineOf(below, y) + box.left(), box.width());
    }
}

void HeatImage::restoreCorners(const QRect& box, int radius, const QImage& below) {
    const QSize corner(radius, radius);
    for (const int x : {box.left(), box.right() - radius + 1}) {
        for (const int y : {box.top(), box.bottom() - radius + 1}) {
            restore(QRect(QPoint(x, y), corner), below);
        }
    }
}

void HeatImage::fill(const QRect& box, QRgb colour) {
    const QRect part = box & clip_;
    if (part.isEmpty()) {
        return;
    }
    QRgb* first = row(part.top()) + part.left();
    std::fill_n(first, part.width(), colour);
    for (int y = part.top() + 1; y <= part.bottom(); ++y) {
        copy(row(y) + part.left(), first, part.width());
    }
}

void HeatImage::paintBox(const QRect& box, int radius, const QColor& fill, const QColor& border,
                         int borderWidth) {
    const QRect part = box & clip_;
    if (part.isEmpty()) {
        return;
    }
    const CachedBox wanted{box.size(), fill.rgb(), border.rgb(), radius, borderWidth};
    auto known = std::ranges::find_if(cachedBoxes_, [&](const CachedBox& one) {
        return one.size == wanted.size && one.fill == wanted.fill && one.border == wanted.border &&
               one.radius == wanted.radius && one.borderWidth == wanted.borderWidth;
    });
    if (known == cachedBoxes_.end()) {
        constexpr std::size_t most = 64; // greys, and sizes that differ by a pixel
        if (cachedBoxes_.size() > most) {
            cachedBoxes_.clear();
        }
        cachedBoxes_.push_back(wanted);
        known = std::prev(cachedBoxes_.end());
        known->image = QImage(box.size(), QImage::Format_ARGB32_Premultiplied);
        known->image.fill(Qt::transparent);
        QPainter painter(&known->image);
        drawBox(painter, known->image.rect(), radius, fill, border, borderWidth);
    }
    // Pixels at the rounded corners are blended; all others are copied.
    const int inner = std::max(part.left(), box.left() + radius);
    const int outer = std::max(inner, std::min(part.right(), box.right() - radius) + 1);
    for (int y = part.top(); y <= part.bottom(); ++y) {
        const QRgb* from = lineOf(known->image, y - box.top()) - box.left();
        QRgb* to = row(y);
        if (y >= box.top() + radius && y <= box.bottom() - radius) {
            copy(to + part.left(), from + part.left(), part.width());
            continue;
        }
        for (int x = part.left(); x < std::min(inner, part.right() + 1); ++x) {
            to[x] = over(from[x], to[x]);
        }
        if (inner < outer) {
            copy(to + inner, from + inner, outer - inner);
        }
        for (int x = outer; x <= part.right(); ++x) {
            to[x] = over(from[x], to[x]);
        }
    }
}

HeatImage::FontFace& HeatImage::face(TextRole role, double px) {
    const auto known = faces_.find(GlyphText::keyOf(role, px));
    if (known != faces_.end()) {
        return *known;
    }
    constexpr qsizetype most = 24; // glyph sizes; zooming adds one per step
    if (faces_.size() > most) {
        faces_.clear();
    }
    return *faces_.insert(GlyphText::keyOf(role, px), {.font = text_.font(role, px)});
}

const HeatImage::CharacterGlyph& HeatImage::characterGlyph(FontFace& face, QChar sign, double px) {
    const auto known = face.characterGlyphs.find(sign);
    if (known != face.characterGlyphs.end()) {
        return *known;
    }
    CharacterGlyph made;
    made.isPlain = GlyphText::isPlain(sign);
    const bool isGap = GlyphText::isNarrowSpace(sign);
    const QList<quint32> glyphs =
        face.font.glyphIndexesForString(isGap ? QStringLiteral(" ") : QString(sign));
    made.isPlain = made.isPlain && glyphs.size() == 1 && glyphs[0] != 0;
    if (made.isPlain) {
        made.glyph = glyphs[0];
        made.advance =
            isGap ? GlyphText::narrowSpaceOf(px) : face.font.advancesForGlyphIndexes(glyphs)[0].x();
    }
    return *face.characterGlyphs.insert(sign, made);
}

const HeatImage::RenderedGlyph& HeatImage::renderedGlyph(FontFace& face, quint32 glyph, int part,
                                                         std::size_t ink) {
    const quint64 key = (quint64{glyph} << 16U) | (static_cast<quint64>(part) << 8U) | ink;
    const auto known = face.renderedGlyphs.find(key);
    if (known != face.renderedGlyphs.end()) {
        return *known;
    }
    const auto [colour, ground] = face.inks[ink];
    const QRect bounds = face.font.boundingRect(glyph).toAlignedRect().adjusted(-1, -1, 2, 1);
    RenderedGlyph made{QImage(bounds.size(), QImage::Format_RGB32), bounds.topLeft()};
    made.pixels.fill(ground);
    {
        QPainter painter(&made.pixels);
        painter.setPen(QColor::fromRgb(colour));
        QGlyphRun run;
        run.setRawFont(face.font);
        run.setGlyphIndexes({glyph});
        run.setPositions({QPointF(0, 0)});
        const double aside = static_cast<double>(part) / partsOfPixel;
        painter.drawGlyphRun(QPointF(aside - bounds.left(), -bounds.top()), run);
    }
    for (int y = 0; y < made.pixels.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(made.pixels.scanLine(y));
        std::replace_if(
            line, line + made.pixels.width(),
            [ground = ground](QRgb pixel) { return ((pixel ^ ground) & RGB_MASK) == 0; }, QRgb{0});
    }
    return *face.renderedGlyphs.insert(key, made);
}

void HeatImage::copyGlyph(const RenderedGlyph& glyph, QPoint at) {
    const QRect box(at + glyph.from, glyph.pixels.size());
    const QRect part = box & clip_;
    for (int y = part.top(); y <= part.bottom(); ++y) {
        const QRgb* from = lineOf(glyph.pixels, y - box.top()) + part.left() - box.left();
        QRgb* to = row(y) + part.left();
        for (int x = 0; x < part.width(); ++x) {
            to[x] = from[x] != 0 ? from[x] : to[x];
        }
    }
}

std::optional<double> HeatImage::paintText(QPointF at, const QString& text, TextRole role,
                                           double px, const QColor& colour, const QColor& ground,
                                           TextAlign align) {
    FontFace& face = this->face(role, px);
    double width = 0;
    for (const QChar sign : text) {
        const CharacterGlyph& one = characterGlyph(face, sign, px);
        if (!one.isPlain) {
            return std::nullopt;
        }
        width += one.advance;
    }
    const std::pair<QRgb, QRgb> wanted(colour.rgb(), ground.rgb());
    auto ink = static_cast<std::size_t>(std::ranges::find(face.inks, wanted) - face.inks.begin());
    if (ink == face.inks.size()) {
        constexpr std::size_t most = 64; // greys of both themes
        if (face.inks.size() > most) {
            face.inks.clear();
            face.renderedGlyphs.clear();
            ink = 0;
        }
        face.inks.push_back(wanted);
    }
    double pen = std::round(at.x() - (align == TextAlign::left    ? 0
                                      : align == TextAlign::right ? width
                                                                  : width / 2));
    const int base = static_cast<int>(std::lround(at.y()));
    for (const QChar sign : text) {
        const CharacterGlyph& one = characterGlyph(face, sign, px);
        const double whole = std::floor(pen);
        const int part = static_cast<int>((pen - whole) * partsOfPixel);
        copyGlyph(renderedGlyph(face, one.glyph, part, ink), {static_cast<int>(whole), base});
        pen += one.advance;
    }
    return width;
}

} // namespace weft::ui
