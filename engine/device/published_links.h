// SPDX-License-Identifier: Apache-2.0
#pragma once
// Link rates from published data sheets: the one-way rate, reduced to what copies achieve.

#include <weft/devices.h>

namespace weft {

/// Link of sixteen PCI Express lanes, "PCIe 4".
[[nodiscard]] LinkSheet pcieLink(int generation);
/// All NVLinks of a module together, "NVLink 4".
[[nodiscard]] LinkSheet nvLink(int generation);

} // namespace weft
