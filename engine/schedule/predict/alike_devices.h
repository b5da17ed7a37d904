// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds devices that behave alike: equal parts of everything, equal rates, and exchanges with
// devices that are alike over equal links. Only one of them is scheduled, laid out and simulated.

#include "place/plan.h"
#include "schedule/predict/price.h"

#include <memory>
#include <span>
#include <vector>

namespace weft {

struct AlikeDevices {
    std::vector<DeviceId> representedBy; ///< by DeviceId: first of the devices that behave alike

    [[nodiscard]] DeviceId operator[](DeviceId device) const { return representedBy[device.value]; }
    /// Returns, in order, the devices that stand for themselves and others.
    [[nodiscard]] std::vector<DeviceId> representatives() const;
};

/// Returns the devices that are alike in all of these plans, which have the same devices.
[[nodiscard]] AlikeDevices alikeDevices(std::span<const std::shared_ptr<const Plan>> plans,
                                        const std::vector<DeviceSheet>& sheets, const Links& links);
/// Returns that every device stands only for itself.
[[nodiscard]] AlikeDevices allDistinct(std::size_t devices);

} // namespace weft
