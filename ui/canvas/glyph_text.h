// SPDX-License-Identifier: Apache-2.0
#pragma once
// Text of the canvas as runs of glyphs: laid out by index and advance when first seen, which costs
// a hundredth of what a text layout does. Scripts that need more than that, and signs that a font
// lacks, are left to Qt's own layout. One painter's; the GUI thread.

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
    /// `at`: the baseline, in device pixels; `px`: the size in device pixels. Returns the width.
    double draw(QPainter& painter, QPointF at, const QString& text, TextRole role, double px,
                const QColor& colour, TextAlign align = TextAlign::left);
    [[nodiscard]] double width(const QString& text, TextRole role, double px);
    /// With the middle left out where it is wider than `room`.
    [[nodiscard]] QString elided(const QString& text, TextRole role, double px, double room);
    const QRawFont& font(TextRole role, double px);

    /// Key of a font face; sizes are rounded to a quarter pixel.
    [[nodiscard]] static quint64 keyOf(TextRole role, double px);
    /// Laid out by index and advance alone.
    [[nodiscard]] static bool isPlain(QChar sign);
    /// Neither font has them: they are gaps.
    [[nodiscard]] static bool isNarrowSpace(QChar sign);
    [[nodiscard]] static double narrowSpaceOf(double px) { return px * 0.2; }

private:
    struct Run {
        QGlyphRun glyphs;
        double width = 0;
        bool isPlain = true; ///< false: Qt lays it out
        double room = -1;    ///< that it was shortened for last
        QString shortened = {};
    };
    Run& run(const QString& text, TextRole role, double px);
    static QFont fontOf(TextRole role, double px);

    QHash<quint64, QRawFont> fonts_;
    QHash<quint64, QHash<QString, Run>> runs_;
    qsizetype kept_ = 0;
};

} // namespace weft::ui
