// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rates of devices and links, and plans of libraries, as they were measured on this machine before,
// in one file of the user's cache folder. A device's rates belong to a backend, a model and a
// number of cores, plans to a backend, a model and a version of the library, a link's rates to the
// host it was measured on; a file that is missing or spoilt holds none. Processes may keep
// something at the same time: each holds a lock on a file beside it meanwhile.

#include <weft/devices.h>

#include <filesystem>
#include <string>

namespace weft {

/// $XDG_CACHE_HOME/weft/rates.json, or in ~/.cache; empty where there is no home.
[[nodiscard]] std::filesystem::path keptRatesPath();

/// The sheet with the rates kept for such a device, or in proportion those for another number of
/// its cores, and with plans: its own, else others, which are of no use to it and can be told of.
/// As it was where there are none.
[[nodiscard]] DeviceSheet withKeptRates(DeviceSheet sheet,
                                        const std::filesystem::path& path = keptRatesPath());

/// Keeps the sheet's rates in place of those of such a device before. Error{file} when it cannot.
void keepRates(const DeviceSheet& sheet, const std::filesystem::path& path = keptRatesPath());

/// Keeps the sheet's plans beside those of such a device and library before, in place of what they
/// said of the same. Error{file} when it cannot.
void keepPlans(const DeviceSheet& sheet, const std::filesystem::path& path = keptRatesPath());

/// The machine with the links kept for its host.
[[nodiscard]] MachineSheet withKeptLinks(MachineSheet machine,
                                         const std::filesystem::path& path = keptRatesPath());

/// Keeps the link, by its name, as one of that host. Error{file} when it cannot.
void keepLink(const LinkSheet& link, const std::string& host,
              const std::filesystem::path& path = keptRatesPath());

} // namespace weft
