// SPDX-License-Identifier: Apache-2.0
#pragma once
// A device's memory over one step as a picture: to the right the step, upwards the bytes, each
// block where it lies for as long as it lives, in the shade of its kind. Over it the line of what
// is in use, its peak, and the limit. Needs no widget.

#include "theme/theme.h"
#include "timeline/track_pixels.h"
#include <weft/memory_map.h>

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <optional>
#include <set>
#include <vector>

namespace weft::ui {

inline constexpr int memoryGutter = 72;
inline constexpr int memoryRuler = 24;

struct MemoryPicture {
    MemoryMap map;
    int slot = 0; ///< of the device colours
    /// Where each step begins, and the last ends: nanoseconds, or thousandths of a step where all
    /// are drawn as long as one another.
    std::vector<std::int64_t> begins;
    bool isEven = false;
    std::vector<std::int64_t> inUse; ///< bytes, by step
    double top = 1;                  ///< bytes at the upper edge
    TimeView view;
    std::set<std::uint32_t> chosen; ///< blocks of what is selected
};

/// Memory picture of a device, computed from the map alone.
[[nodiscard]] MemoryPicture memoryPictureOf(MemoryMap map, int slot, bool isEven);
/// Where a moment of a step lies in another picture of it, predicted anew or drawn otherwise: in
/// the op of that name, else as far into the whole.
[[nodiscard]] double sameMoment(const MemoryPicture& from, const MemoryPicture& to, double moment);
/// The kind's share of the device's colour.
[[nodiscard]] QColor shadeOf(BlockKind kind, int slot, const Theme& theme);

void drawMemory(QImage& image, const QSize& size, const MemoryPicture& picture, const Theme& theme);

/// A block's place, in logical pixels of a view of this size.
[[nodiscard]] QRectF placeOf(const MemoryPicture& picture, const QSize& size,
                             const MemoryBlock& block);
[[nodiscard]] std::optional<std::uint32_t> blockAt(const MemoryPicture& picture, const QSize& size,
                                                   QPointF at);

} // namespace weft::ui
