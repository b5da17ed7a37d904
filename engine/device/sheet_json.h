// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts sheets to and from JSON, for the cache of measured rates, `weft devices --json` and a
// run's folder.

#include "base/text/json.h"
#include <weft/devices.h>

#include <string>
#include <string_view>

namespace weft {

[[nodiscard]] Json asJson(const DeviceSheet& sheet);
[[nodiscard]] Json asJson(const LinkSheet& link);
/// Host, devices, links.
[[nodiscard]] Json asJson(const MachineSheet& machine);

/// Measured plans; a text without plans gives none.
[[nodiscard]] Json asJson(const MeasuredPlans& plans);
[[nodiscard]] MeasuredPlans plansFrom(const Json& from);

/// Reads measured rates into a sheet; missing optional rates stay unknown. Throws Json::exception
/// if a required rate is missing or not a number.
void readRates(const Json& from, DeviceSheet& sheet);
void readRates(const Json& from, LinkSheet& link);

/// Parses a machine; throws Error{format} naming the file if the text is invalid.
[[nodiscard]] MachineSheet readMachine(std::string_view text, const std::string& file);

} // namespace weft
