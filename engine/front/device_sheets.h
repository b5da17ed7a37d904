// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sheet from which a device of a design is priced: the data sheet it names, its share of this
// machine's hardware, or nothing known.

#include <weft/design.h>
#include <weft/devices.h>
#include <weft/diagnostics.h>

#include <string>
#include <vector>

namespace weft {

/// "cpu:0" -> "cpu"
[[nodiscard]] std::string backendOf(const std::string& device);

/// By position in `devices`, which are those of the run.
[[nodiscard]] std::vector<DeviceSheet> sheetsFor(const Design& design,
                                                 const std::vector<std::string>& devices,
                                                 const MachineSheet& machine);

/// Data sheets that a design names and nobody has.
[[nodiscard]] std::vector<Diagnostic> checkSheets(const Design& design);

} // namespace weft
