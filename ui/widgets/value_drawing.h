// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a value is distributed over devices, as a drawing: batch downwards, features to the right,
// colours are devices. Nodes, rulers, overviews and thumbnails draw this structure.

#include <weft/preview.h>
#include <weft/types.h>

#include <QRect>
#include <string_view>
#include <vector>

namespace weft::ui {

/// Part of one side that a device (or a row of devices) holds, in fractions of the whole.
struct Part {
    double begin = 0; ///< fraction of the side
    double end = 1;   ///< fraction of the side
    bool operator==(const Part&) const = default;
};

struct ValueDrawing {
    enum class Kind : std::uint8_t {
        none,       ///< not known yet
        single,     ///< one device holds everything
        replicated, ///< every device holds everything
        split,      ///< split along rows, columns or both
        partial     ///< every device holds a partial sum
    };
    enum class Join : std::uint8_t {
        bands, ///< separated by a pixel
        tiles  ///< parts of pictures: separated by a halo
    };
    Kind kind = Kind::none;
    Join join = Join::bands;
    std::vector<Part> rows{{}};    ///< splits of the batch, or of a picture's rows
    std::vector<Part> columns{{}}; ///< splits of the features
    /// Palette indices: row by row if split, else one per device in order; -1: grey.
    std::vector<int> hues; ///< palette indices: per part, or per device; -1: grey

    [[nodiscard]] bool cutsRows() const { return rows.size() > 1; }
    [[nodiscard]] bool cutsColumns() const { return columns.size() > 1; }
    bool operator==(const ValueDrawing&) const = default;
};

/// Creates the drawing from a placement ("S(0) R", one word per mesh axis), the value's shape, the
/// mesh and the palette index of each device. `isWeight`: the features are the first dimension,
/// which is drawn to the right like a result's features.
[[nodiscard]] ValueDrawing drawingOf(std::string_view placement, const Shape& shape,
                                     const std::vector<std::int64_t>& mesh,
                                     const std::vector<int>& hues, bool isWeight = false);

/// A layer's first input, weight and output.
struct LayerDrawing {
    ValueDrawing x, weight, y; ///< first input, weight and output
};
/// Creates the drawing of a placed layer; `hues`: palette index of each device.
[[nodiscard]] LayerDrawing drawingOf(const LayerPreview& layer, const std::vector<int>& hues);

/// Returns the shape of the part on the mesh's device number `device`; an empty part has length 0.
[[nodiscard]] Shape partOf(std::string_view placement, const Shape& shape,
                           const std::vector<std::int64_t>& mesh, std::size_t device);

/// Divides a long side into parts of whole pixels, `gap` apart; parts under two pixels join the
/// previous one. Returns begin, length and number of each part.
struct PixelPart {
    int begin = 0;  ///< in pixels
    int length = 0; ///< in pixels
    int part = 0;   ///< index in the given parts
};
[[nodiscard]] std::vector<PixelPart> pixelsOf(const std::vector<Part>& parts, int begin, int length,
                                              int gap);

} // namespace weft::ui
