// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the sheet that prices a device of a design: the data sheet that it names, or its share of
// this machine's hardware, or an empty sheet.

#include "compile/host_share.h"
#include <weft/design.h>
#include <weft/devices.h>
#include <weft/diagnostics.h>

#include <string>
#include <vector>

namespace weft {

/// How the devices of a run are spread over ranks and hosts.
struct DeviceSpread {
    std::vector<std::string> devices; ///< names of all devices
    int ranks = 1;
    int hosts = 1;
};

/// Returns a share per device. A device with a data sheet has all cores of that sheet; a device
/// that is not present belongs to no host.
[[nodiscard]] std::vector<HostShare> hostSharesFor(const Design& design, const DeviceSpread& spread,
                                                   const MachineSheet& machine);
/// Returns a share per device, for devices that run on the machine, on these hosts.
[[nodiscard]] std::vector<HostShare> hostSharesOn(const Design& design,
                                                  const std::vector<std::string>& devices,
                                                  const std::vector<int>& hosts,
                                                  const MachineSheet& machine, int cores);

/// Returns a sheet per device with this share of the machine. `local` names are those of
/// compile/local_names.h.
[[nodiscard]] std::vector<DeviceSheet> sheetsFor(const Design& design,
                                                 const std::vector<std::string>& devices,
                                                 const std::vector<std::string>& local,
                                                 const MachineSheet& machine,
                                                 const std::vector<HostShare>& shares);
/// Returns a sheet per device, with the devices spread evenly over hosts.
[[nodiscard]] std::vector<DeviceSheet> sheetsFor(const Design& design, const DeviceSpread& spread,
                                                 const MachineSheet& machine,
                                                 const std::vector<HostShare>& shares);

/// Reports data sheets that a design names and that do not exist.
[[nodiscard]] std::vector<Diagnostic> checkSheets(const Design& design);
/// Reports the host that has more chips than the machine has, or other chips, and therefore cannot
/// open them.
[[nodiscard]] std::vector<Diagnostic> checkChips(const Design& design, const DeviceSpread& spread,
                                                 const MachineSheet& machine);

} // namespace weft
