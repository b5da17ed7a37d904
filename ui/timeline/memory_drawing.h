// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws a device's memory during one step: time to the right, address upwards, each block for its
// lifetime in the shade of its kind, with the memory in use, the peak and the limit. Needs no
// widget.

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

inline constexpr int memoryAxisWidth = 72;   ///< logical pixels left of the map
inline constexpr int memoryRulerHeight = 24; ///< logical pixels

struct MemoryPicture {
    MemoryMap map; ///< blocks of the device
    int slot = 0;  ///< index of the device palette
    /// Begin of each step and end of the last: in nanoseconds, or in thousandths of a step if all
    /// steps are drawn with equal length.
    std::vector<std::int64_t> begins;
    bool isEven = false;             ///< steps are drawn with equal length
    std::vector<std::int64_t> inUse; ///< bytes in use in each step
    double top = 1;                  ///< bytes at the upper edge
    TimeView view;                   ///< visible range
    std::set<std::uint32_t> chosen;  ///< blocks of the selected layers
};

/// Creates the picture of a device from its memory map.
[[nodiscard]] MemoryPicture memoryPictureOf(MemoryMap map, int slot, bool isEven);
/// Maps a moment to another picture of the same step, for example after a new prediction: to the op
/// of the same name, else to the same fraction of the whole.
[[nodiscard]] double correspondingMoment(const MemoryPicture& from, const MemoryPicture& to,
                                         double moment);
/// Returns the device's colour in the shade of this kind.
[[nodiscard]] QColor blockColour(BlockKind kind, int slot, const Theme& theme);

void drawMemory(QImage& image, const QSize& size, const MemoryPicture& picture, const Theme& theme);

/// Returns a block's box in logical pixels for a view of this size.
[[nodiscard]] QRectF blockBox(const MemoryPicture& picture, const QSize& size,
                              const MemoryBlock& block);
[[nodiscard]] std::optional<std::uint32_t> blockAt(const MemoryPicture& picture, const QSize& size,
                                                   QPointF at);

} // namespace weft::ui
