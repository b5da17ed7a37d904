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
    [[nodiscard]] QImage& image() { return image_; } ///< pixels of the whole view, without padding
    void setClip(const QRect& clip) { clip_ = clip & image_.rect(); } ///< limits all writes
    [[nodiscard]] const QRect& clip() const { return clip_; }

    void restore(const QRect& part, const QImage& below); ///< copies this part from `below`
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
        QPoint from; ///< upper left corner of `pixels`, relative to the pen
    };
    struct CharacterGlyph {
        quint32 glyph = 0;    ///< index in the font
        double advance = 0;   ///< device pixels
        bool isPlain = false; ///< drawn by glyph and advance alone, without a text layout
    };
    struct FontFace {
        QRawFont font;
        QHash<QChar, CharacterGlyph> characterGlyphs = {}; ///< by character
        std::vector<std::pair<QRgb, QRgb>> inks = {};      ///< pairs of text and background colour
        QHash<quint64, RenderedGlyph> renderedGlyphs = {}; ///< by glyph, subpixel position and ink
    };
    FontFace& face(TextRole role, double px); ///< cached; `px`: size in device pixels
    static const CharacterGlyph& characterGlyph(FontFace& face, QChar sign, double px);
    static const RenderedGlyph& renderedGlyph(FontFace& face, quint32 glyph, int part,
                                              std::size_t ink);
    void copyGlyph(const RenderedGlyph& glyph, QPoint at);
    /// Returns a row of 32-bit pixels without padding.
    [[nodiscard]] QRgb* row(int y) { ///< first pixel of a line
        return pixels_ + static_cast<std::ptrdiff_t>(y) * image_.width();
    }

    QImage image_;
    QRgb* pixels_ = nullptr;         ///< data of `image_`, which is not shared
    QRect clip_;                     ///< device pixels; writes outside are ignored
    GlyphText text_;                 ///< provides the fonts
    QHash<quint64, FontFace> faces_; ///< by GlyphText::keyOf
    struct CachedBox {
        QSize size;
        QRgb fill = 0;
        QRgb border = 0;
        int radius = 0; ///< radius of the corners
        int borderWidth = 0;
        QImage image = {}; ///< the box, drawn by QPainter
    };
    std::vector<CachedBox> cachedBoxes_; ///< boxes drawn before, by size and colours
};

} // namespace weft::ui
