// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rates of devices as they were measured on this machine before, in one file of the user's cache
// folder. They belong to a backend, a model and a number of cores; a file that is missing or spoilt
// holds none.

#include <weft/devices.h>

#include <filesystem>

namespace weft {

/// $XDG_CACHE_HOME/weft/rates.json, or in ~/.cache; empty where there is no home.
[[nodiscard]] std::filesystem::path keptRatesPath();

/// The sheet with the rates kept for such a device, or in proportion those for another number of
/// its cores; as it was where there are none.
[[nodiscard]] DeviceSheet withKeptRates(DeviceSheet sheet,
                                        const std::filesystem::path& path = keptRatesPath());

/// Keeps the sheet's rates in place of those of such a device before. Error{file} when it cannot.
void keepRates(const DeviceSheet& sheet, const std::filesystem::path& path = keptRatesPath());

} // namespace weft
