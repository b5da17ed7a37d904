// SPDX-License-Identifier: Apache-2.0
#pragma once
// The cache of measured rates and library plans: one file in the user's cache folder. Rates belong
// to a backend, model and number of cores, plans to a backend, model and library version, link
// rates to a host. A missing or damaged file counts as empty. Writers lock a file beside it.

#include <weft/devices.h>

#include <filesystem>
#include <string>

namespace weft {

/// $XDG_CACHE_HOME/weft/rates.json, else in ~/.cache; empty without a home folder.
[[nodiscard]] std::filesystem::path keptRatesPath(); ///< file of the cache; empty: no home folder

/// Returns the sheet with its measured rates, or scaled rates of another number of cores, and with
/// its plans, else plans of another version or model, which are only reported. Returns the sheet
/// unchanged if nothing is stored.
[[nodiscard]] DeviceSheet withKeptRates(DeviceSheet sheet,
                                        const std::filesystem::path& path = keptRatesPath());

/// Replaces the stored rates of such a device. Throws Error{file} on failure.
void keepRates(const DeviceSheet& sheet, const std::filesystem::path& path = keptRatesPath());

/// Merges the plans into those stored for such a device and library. Throws Error{file} on failure.
void keepPlans(const DeviceSheet& sheet, const std::filesystem::path& path = keptRatesPath());

/// Returns the machine with the link rates stored for its host.
[[nodiscard]] MachineSheet withKeptLinks(MachineSheet machine,
                                         const std::filesystem::path& path = keptRatesPath());

/// Stores the link by name for the host. Throws Error{file} on failure.
void keepLink(const LinkSheet& link, const std::string& host,
              const std::filesystem::path& path = keptRatesPath());

} // namespace weft
