// SPDX-License-Identifier: Apache-2.0
#pragma once
// A picture of the whole view whose boxes of one colour, and the text on them, are written straight
// into its lines: a tick of a run changes all of them at once, and a painter takes several times as
// long. Letters are painted once per colour and place within a pixel, and copied from then on.
// Device pixels; the GUI thread.

#include "canvas/glyph_text.h"

#include <QImage>
#include <QRect>
#include <optional>
#include <vector>

namespace weft::ui {

class HeatSheet {
public:
    /// Begins a sheet of this size; a sheet of another size is cleared.
    void begin(QSize size);
    [[nodiscard]] QImage& image() { return image_; }
    /// Nothing is written beside it.
    void setClip(const QRect& clip) { clip_ = clip & image_.rect(); }
    [[nodiscard]] const QRect& clip() const { return clip_; }

    /// Takes a part from a picture of the same size.
    void restore(const QRect& part, const QImage& below);
    /// The four squares in which round corners let through what lies below.
    void restoreCorners(const QRect& box, int radius, const QImage& below);

    void fill(const QRect& box, QRgb colour);
    void box(const QRect& box, int radius, const QColor& fill, const QColor& border, int line);
    /// `at`: the baseline; the text lies on `ground`. Returns the width; nothing where a letter of
    /// it is more than a glyph of the font: then nothing is written, and a painter must.
    std::optional<double> text(QPointF at, const QString& text, TextRole role, double px,
                               const QColor& colour, const QColor& ground, TextAlign align);

private:
    /// What differs from the ground; empty pixels are 0.
    struct Stamp {
        QImage pixels;
        QPoint from; ///< of the upper left corner, seen from the pen
    };
    struct Letter {
        quint32 glyph = 0;
        double advance = 0;
        bool isPlain = false;
    };
    struct Face {
        QRawFont font;
        QHash<QChar, Letter> letters = {};
        std::vector<std::pair<QRgb, QRgb>> inks = {}; ///< colour and ground
        QHash<quint64, Stamp> stamps = {};
    };
    Face& face(TextRole role, double px);
    static const Letter& letter(Face& face, QChar sign, double px);
    static const Stamp& stamp(Face& face, quint32 glyph, int part, std::size_t ink);
    void put(const Stamp& stamp, QPoint at);
    /// Lines of 32-bit pixels, without padding.
    [[nodiscard]] QRgb* row(int y) {
        return pixels_ + static_cast<std::ptrdiff_t>(y) * image_.width();
    }

    QImage image_;
    QRgb* pixels_ = nullptr; ///< of the image, which nobody shares
    QRect clip_;
    GlyphText text_; ///< knows the fonts
    QHash<quint64, Face> faces_;
    struct Box {
        QSize size;
        QRgb fill = 0;
        QRgb border = 0;
        int radius = 0;
        int line = 0;
        QImage image = {};
    };
    std::vector<Box> boxes_;
};

} // namespace weft::ui
