// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a value lies on its devices, as a picture: batch runs down, features run across, a colour is
// a device. Node, ruler, far view and thumbnail draw this one thing.

#include <weft/preview.h>
#include <weft/types.h>

#include <QRect>
#include <string_view>
#include <vector>

namespace weft::ui {

/// A stretch of one side that one device (or a row of them) holds, in shares of the whole.
struct Part {
    double begin = 0;
    double end = 1;
    bool operator==(const Part&) const = default;
};

struct ValueDrawing {
    enum class Kind : std::uint8_t {
        none,       ///< nothing is known yet
        single,     ///< one device holds all
        replicated, ///< every device holds all
        split,      ///< cut along rows, columns or both
        partial     ///< every device holds a share of a sum
    };
    enum class Join : std::uint8_t {
        bands, ///< a pixel between parts
        tiles  ///< pictures in pieces: a halo between parts
    };
    Kind kind = Kind::none;
    Join join = Join::bands;
    std::vector<Part> rows{{}};    ///< cuts of the batch, or of a picture's rows
    std::vector<Part> columns{{}}; ///< cuts of the features
    /// Palette slots: row by row where split, else all devices in order; -1: not looked at.
    std::vector<int> hues;

    [[nodiscard]] bool cutsRows() const { return rows.size() > 1; }
    [[nodiscard]] bool cutsColumns() const { return columns.size() > 1; }
    bool operator==(const ValueDrawing&) const = default;
};

/// From the placement as previews write it, a word per mesh axis ("S(0) R"), the value's shape, the
/// mesh's extents and the palette slot of each of its devices. `isWeight`: features of a weight are
/// its first dimension, and run across as those of a result do.
[[nodiscard]] ValueDrawing drawingOf(std::string_view placement, const Shape& shape,
                                     const std::vector<std::int64_t>& mesh,
                                     const std::vector<int>& hues, bool isWeight = false);

/// What a layer reads first, weighs with and makes.
struct LayerDrawing {
    ValueDrawing x, weight, y;
};
/// As it was placed; `hues`: the palette slot of each of its devices.
[[nodiscard]] LayerDrawing drawingOf(const LayerPreview& layer, const std::vector<int>& hues);

/// What the mesh's device number `device` holds of it: nothing along a dimension has length 0.
[[nodiscard]] Shape partOf(std::string_view placement, const Shape& shape,
                           const std::vector<std::int64_t>& mesh, std::size_t device);

/// Divides a long side into parts of whole pixels, `gap` apart; parts under two pixels join the
/// previous one. Returns begin, length and number of each part.
struct PixelPart {
    int begin = 0;
    int length = 0;
    int part = 0;
};
[[nodiscard]] std::vector<PixelPart> pixelsOf(const std::vector<Part>& parts, int begin, int length,
                                              int gap);

} // namespace weft::ui
