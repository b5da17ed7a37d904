// SPDX-License-Identifier: Apache-2.0
#include "document/device_slot.h"

#include <charconv>

namespace weft::ui {

namespace {

int numberIn(const std::string& text) {
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

int paletteIndexOf(const Design& design, const std::string& device) {
    for (std::size_t i = 0; i < design.devices.size(); ++i) {
        if (design.devices[i].name == device) {
            return static_cast<int>(design.devices[i].colour >= 0 ? design.devices[i].colour
                                                                  : static_cast<std::int64_t>(i));
        }
    }
    // A device that is not declared gets its index from the number in its name.
    const std::size_t colon = device.rfind(':');
    return colon == std::string::npos ? 0 : numberIn(device.substr(colon + 1));
}

} // namespace weft::ui
