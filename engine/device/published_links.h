// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links of devices by what is published of them: the rate one way that their data sheets state,
// less what copies do not reach of it.

#include <weft/devices.h>

namespace weft {

/// Sixteen streams of PCI Express, "PCIe 4".
[[nodiscard]] LinkSheet pcieLink(int generation);
/// All links of a module together, "NVLink 4".
[[nodiscard]] LinkSheet nvLink(int generation);

} // namespace weft
