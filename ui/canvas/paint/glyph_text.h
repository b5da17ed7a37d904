// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws the canvas' text as cached glyph runs, laid out by glyph index and advance, which is about
// a hundred times faster than a text layout. Scripts that need shaping, and characters that the
// font lacks, use Qt's text layout. Belongs to one painter on the GUI thread.

#include <QColor>
#include <QFont>
#include <QGlyphRun>
#include <QHash>
#include <QPointF>
#include <QRawFont>
#include <QString>

class QPainter;

namespace weft::ui {

enum class TextRole : std::uint8_t { sans, sansMedium, sansSemibold, mono };
enum class TextAlign : std::uint8_t { left, right, centre };

class GlyphText {
public:
    /// `at`: the baseline in device pixels. `px`: the font size in device pixels. Returns the
    /// width.
    double draw(QPainter& painter, QPointF at, const QString& text, TextRole role, double px,
                const QColor& colour, TextAlign align = TextAlign::left);
    [[nodiscard]] double width(const QString& text, TextRole role, double px);
    /// Shortens the middle of a text that is wider than `room`.
    [[nodiscard]] QString elidedInMiddle(const QString& text, TextRole role, double px,
                                         double room);
    const QRawFont& font(TextRole role, double px);

    /// Returns the key of a font face; sizes are rounded to a quarter pixel.
    [[nodiscard]] static quint64 keyOf(TextRole role, double px);
    [[nodiscard]] static bool isPlain(QChar sign); ///< can be laid out by glyph and advance alone
    [[nodiscard]] static bool isNarrowSpace(QChar sign); ///< drawn as a gap: the fonts lack it
    [[nodiscard]] static double narrowSpaceOf(double px) { return px * 0.2; }

private:
    struct LaidOutText {
        QGlyphRun glyphs;       ///< relative to the start of the baseline
        double width = 0;       ///< device pixels
        bool isPlain = true;    ///< false: drawn by Qt's text layout
        double room = -1;       ///< width for which the text was last shortened
        QString shortened = {}; ///< the text shortened to `room`
    };
    LaidOutText& run(const QString& text, TextRole role, double px); ///< cached
    static QFont fontOf(TextRole role, double px);

    QHash<quint64, QRawFont> fonts_;                   ///< by `keyOf`
    QHash<quint64, QHash<QString, LaidOutText>> runs_; ///< by `keyOf` and text
    qsizetype cachedRuns_ = 0;                         ///< number of texts in `runs_`
};

} // namespace weft::ui
