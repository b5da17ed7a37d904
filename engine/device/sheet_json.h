// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sheets as JSON, the same wherever they are written: the cache of measured rates, `weft devices
// --json`, a run's folder.

#include "base/json.h"
#include <weft/devices.h>

#include <string>
#include <string_view>

namespace weft {

[[nodiscard]] Json asJson(const DeviceSheet& sheet);
[[nodiscard]] Json asJson(const LinkSheet& link);
/// Host, devices, links.
[[nodiscard]] Json asJson(const MachineSheet& machine);

/// Plans that were measured; none of a text without them.
[[nodiscard]] Json asJson(const MeasuredPlans& plans);
[[nodiscard]] MeasuredPlans plansIn(const Json& from);

/// What was measured of a device, into its sheet: what is not there is not known. Throws
/// Json::exception where a rate is missing or no number.
void readRates(const Json& from, DeviceSheet& sheet);
void readRates(const Json& from, LinkSheet& link);

/// The machine that was written; Error{format} naming the file where it is none.
[[nodiscard]] MachineSheet readMachine(std::string_view text, const std::string& file);

} // namespace weft
