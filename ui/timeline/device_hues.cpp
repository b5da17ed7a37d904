// SPDX-License-Identifier: Apache-2.0
#include "timeline/device_hues.h"

#include "document/device_slot.h"

#include <algorithm>

namespace weft::ui {

std::vector<int> huesOf(const Design& design, const SpanStore& spans) {
    std::vector<int> hues;
    for (const DeviceId device : spans.devices()) {
        hues.resize(std::max<std::size_t>(hues.size(), device.value + 1));
        const int slot = slotOf(design, spans.nameOf(device));
        hues[device.value] = slot >= 0 ? slot : static_cast<int>(device.value);
    }
    return hues;
}

} // namespace weft::ui
