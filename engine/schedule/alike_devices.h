// SPDX-License-Identifier: Apache-2.0
#pragma once
// Devices that do alike: equal parts of everything, at equal rates, meeting such as are alike over
// equal links. One of them is scheduled, laid out and simulated for all.

#include "place/plan.h"
#include "schedule/price.h"

#include <memory>
#include <span>
#include <vector>

namespace weft {

struct AlikeDevices {
    std::vector<DeviceId> shownBy; ///< by DeviceId: the first of those that do as it does

    [[nodiscard]] DeviceId operator[](DeviceId device) const { return shownBy[device.value]; }
    /// Those that stand for others or themselves, in order.
    [[nodiscard]] std::vector<DeviceId> shown() const;
};

/// In all of these plans, of the same devices.
[[nodiscard]] AlikeDevices alikeDevices(std::span<const std::shared_ptr<const Plan>> plans,
                                        const std::vector<DeviceSheet>& sheets, const Links& links);
/// Each by itself.
[[nodiscard]] AlikeDevices noneAlike(std::size_t devices);

} // namespace weft
