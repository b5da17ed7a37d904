// SPDX-License-Identifier: Apache-2.0
#include "document/checked_design.h"

#include <algorithm>

namespace weft::ui {

const DevicePreview* findDevice(const Preview* preview, std::string_view name) {
    if (preview == nullptr) {
        return nullptr;
    }
    const auto found = std::ranges::find(preview->devices, name, &DevicePreview::name);
    return found == preview->devices.end() ? nullptr : &*found;
}

} // namespace weft::ui
