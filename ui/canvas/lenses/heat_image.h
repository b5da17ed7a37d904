// SPDX-License-Identifier: Apache-2.0
#pragma once
// An image of the whole view into which boxes of one colour and their text are written directly,
// without a painter, because a tick of a run changes all of them at once and a painter is several
// times slower. Glyphs are rendered once per colour and subpixel position, then copied. Uses device
// pixels; lives on the GUI thread.

#include "canvas/paint/glyph_text.h"

#include <QImage>
#include <QRect>
#include <optional>
#include <vector>

namespace weft::ui {

class HeatImage {
public:
    /// Begins a frame of this size; clears the image if the size has changed.
    void setSize(QSize size);
    [[nodiscard]] QImage& image() { return image_; }
    /// Limits all writes to this rectangle.
    void setClip(const QRect& clip) { clip_ = clip & image_.rect(); }
    [[nodiscard]] const QRect& clip() const { return clip_; }

    /// Copies a part of an image of the same size.
    void restore(const QRect& part, const QImage& below);
    /// Copies the four corner squares in which the rounded corners show what lies below.
    void restoreCorners(const QRect& box, int radius, const QImage& below);

    void fill(const QRect& box, QRgb colour);
    void paintBox(const QRect& box, int radius, const QColor& fill, const QColor& border,
                  int borderWidth);
    /// `at`: the baseline. `ground`: the background colour. Returns the width, or std::nullopt if
    /// the text needs a text layout: then nothing is written and the caller uses a painter.
    std::optional<double> paintText(QPointF at, const QString& text, TextRole role, double px,
                                    const QColor& colour, const QColor& ground, TextAlign align);

private:
    /// Coverage of a glyph; empty pixels are 0.
    struct RenderedGlyph {
        QImage pixels;
        QPoint from; ///< upper left corner, relative to the pen
    };
    struct CharacterGlyph {
        quint32 glyph = 0;
        double advance = 0;
        bool isPlain = false;
    };
    struct FontFace {
        QRawFont font;
        QHash<QChar, CharacterGlyph> characterGlyphs = {};
        std::vector<std::pair<QRgb, QRgb>> inks = {}; ///< pairs of text and background colour
        QHash<quint64, RenderedGlyph> renderedGlyphs = {};
    };
    FontFace& face(TextRole role, double px);
    static const CharacterGlyph& characterGlyph(FontFace& face, QChar sign, double px);
    static const RenderedGlyph& renderedGlyph(FontFace& face, quint32 glyph, int part,
                                              std::size_t ink);
    void copyGlyph(const RenderedGlyph& glyph, QPoint at);
    /// Returns a row of 32-bit pixels without padding.
    [[nodiscard]] QRgb* row(int y) {
        return pixels_ + static_cast<std::ptrdiff_t>(y) * image_.width();
    }

    QImage image_;
    QRgb* pixels_ = nullptr; ///< data of `image_`, which is not shared
    QRect clip_;
    GlyphText text_; ///< provides the fonts
    QHash<quint64, FontFace> faces_;
    struct CachedBox {
        QSize size;
        QRgb fill = 0;
        QRgb border = 0;
        int radius = 0;
        int borderWidth = 0;
        QImage image = {};
    };
    std::vector<CachedBox> cachedBoxes_;
};

} // namespace weft::ui
