// SPDX-License-Identifier: Apache-2.0
#include "timeline/device_hues.h"

#include "document/device_slot.h"

#include <algorithm>

namespace weft::ui {

std::vector<int> paletteIndicesOf(const Design& design, const SpanStore& spans) {
    std::vector<int> paletteIndices;
    for (const DeviceId device : spans.devices()) {
        paletteIndices.resize(std::max<std::size_t>(paletteIndices.size(), device.value + 1));
        const int slot = paletteIndexOf(design, spans.nameOf(device));
        paletteIndices[device.value] = slot >= 0 ? slot : static_cast<int>(device.value);
    }
    return paletteIndices;
}

} // namespace weft::ui
