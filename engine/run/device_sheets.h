// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sheet from which a device of a design is priced: the data sheet it names, its share of this
// machine's hardware, or nothing known.

#include "run/host_share.h"
#include <weft/design.h>
#include <weft/devices.h>
#include <weft/diagnostics.h>

#include <string>
#include <vector>

namespace weft {

/// How the devices of a run are spread.
struct DeviceSpread {
    std::vector<std::string> devices;
    int ranks = 1;
    int hosts = 1;
};

/// By device. One of a data sheet's cores is whole, one that is not there is on no host.
[[nodiscard]] std::vector<HostShare> sharesFor(const Design& design, const DeviceSpread& spread,
                                               const MachineSheet& machine);
/// By device, of those that run on the machine, on these hosts.
[[nodiscard]] std::vector<HostShare> sharesOn(const Design& design,
                                              const std::vector<std::string>& devices,
                                              const std::vector<int>& hosts,
                                              const MachineSheet& machine, int cores);

/// By device, which has that share of the machine, where it has that name (run/local_names.h).
[[nodiscard]] std::vector<DeviceSheet> sheetsFor(const Design& design,
                                                 const std::vector<std::string>& devices,
                                                 const std::vector<std::string>& local,
                                                 const MachineSheet& machine,
                                                 const std::vector<HostShare>& shares);
/// On hosts as evenly as they go.
[[nodiscard]] std::vector<DeviceSheet> sheetsFor(const Design& design, const DeviceSpread& spread,
                                                 const MachineSheet& machine,
                                                 const std::vector<HostShare>& shares);

/// Data sheets that a design names and nobody has.
[[nodiscard]] std::vector<Diagnostic> checkSheets(const Design& design);
/// Says of the host that is given more chips than the machine has, or others, that it cannot open
/// them.
[[nodiscard]] std::vector<Diagnostic> checkChips(const Design& design, const DeviceSpread& spread,
                                                 const MachineSheet& machine);

} // namespace weft
