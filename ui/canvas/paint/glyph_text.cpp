// SPDX-License-Identifier: Apache-2.0
#include "canvas/paint/glyph_text.h"

#include "theme/look.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

constexpr QChar narrowSpace(0x202F);
constexpr QChar thinSpace(0x2009);

} // namespace

quint64 GlyphText::keyOf(TextRole role, double px) {
    return (static_cast<quint64>(role) << 32U) | static_cast<quint64>(std::lround(px * 4));
}

bool GlyphText::isPlain(QChar sign) {
    return sign.direction() != QChar::DirR && sign.direction() != QChar::DirAL &&
           !sign.isSurrogate() && sign.category() != QChar::Mark_NonSpacing;
}

bool GlyphText::isNarrowSpace(QChar sign) { return sign == narrowSpace || sign == thinSpace; }

QFont GlyphText::fontOf(TextRole role, double px) {
    const Sizes::Type& type = tokens().sizes.type;
    QFont font = role == TextRole::mono           ? Look::mono(type.small)
                 : role == TextRole::sansMedium   ? Look::sans(type.small, type.medium)
                 : role == TextRole::sansSemibold ? Look::sans(type.small, type.semibold)
                                                  : Look::sans(type.small);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(px))));
    return font;
}

const QRawFont& GlyphText::font(TextRole role, double px) {
    QRawFont& font = fonts_[keyOf(role, px)];
    if (!font.isValid()) {
        font = QRawFont::fromFont(fontOf(role, px));
        font.setPixelSize(px);
    }
    return font;
}

GlyphText::LaidOutText& GlyphText::run(const QString& text, TextRole role, double px) {
    QHash<QString, LaidOutText>& runs = runs_[keyOf(role, px)];
    const auto found = runs.find(text);
    if (found != runs.end()) {
        return *found;
    }
    constexpr qsizetype most = 30000;
    if (++cachedRuns_ > most) {
        cachedRuns_ = 0;
        runs_.clear();
        return run(text, role, px);
    }
    LaidOutText made;
    const QRawFont& raw = font(role, px);
    QString drawn = text;
    drawn.replace(narrowSpace, QLatin1Char(' ')).replace(thinSpace, QLatin1Char(' '));
    QList<quint32> indexes = raw.glyphIndexesForString(drawn);
    made.isPlain =
        indexes.size() == text.size() && !indexes.contains(0) && std::ranges::all_of(text, isPlain);
    if (made.isPlain) {
        const QList<QPointF> advances = raw.advancesForGlyphIndexes(indexes);
        QList<QPointF> positions;
        positions.reserve(advances.size());
        for (qsizetype i = 0; i < advances.size(); ++i) {
            positions << QPointF(made.width, 0);
            made.width += isNarrowSpace(text[i]) ? narrowSpaceOf(px) : advances[i].x();
        }
        made.glyphs.setRawFont(raw);
        made.glyphs.setGlyphIndexes(indexes);
        made.glyphs.setPositions(positions);
    } else {
        made.width = QFontMetricsF(fontOf(role, px)).horizontalAdvance(text);
    }
    return *runs.insert(text, made);
}

double GlyphText::draw(QPainter& painter, QPointF at, const QString& text, TextRole role, double px,
                       const QColor& colour, TextAlign align) {
    if (text.isEmpty()) {
        return 0;
    }
    const LaidOutText& one = run(text, role, px);
    if (align != TextAlign::left) {
        at.rx() -= align == TextAlign::right ? one.width : one.width / 2;
    }
    at.setX(std::round(at.x()));
    at.setY(std::round(at.y()));
    painter.setPen(colour);
    if (one.isPlain) {
        painter.drawGlyphRun(at, one.glyphs);
    } else {
        painter.setFont(fontOf(role, px));
        painter.drawText(at, text);
    }
    return one.width;
}

double GlyphText::width(const QString& text, TextRole role, double px) {
    return run(text, role, px).width;
}

QString GlyphText::elidedInMiddle(const QString& text, TextRole role, double px, double room) {
    const LaidOutText& whole = run(text, role, px);
    if (whole.width <= room) {
        return text;
    }
    if (whole.room == room) {
        return whole.shortened;
    }
    qsizetype least = 0;
    qsizetype most = text.size() - 1;
    const auto shortened = [&text](qsizetype kept) {
        return text.left((kept + 1) / 2) + QChar(0x2026) + text.right(kept / 2);
    };
    while (least < most) {
        const qsizetype kept = (least + most + 1) / 2;
        if (width(shortened(kept), role, px) <= room) {
            least = kept;
        } else {
            most = kept - 1;
        }
    }
    // Measuring inserts other runs into the cache, which may move this one, so looks it up again.
    LaidOutText& kept = run(text, role, px);
    kept.room = room;
    kept.shortened = least > 0 ? shortened(least) : QString();
    return kept.shortened;
}

} // namespace weft::ui
