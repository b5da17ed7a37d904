// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a design says of its data and its training, held against the table of settings: their own
// codes for a row, those of attributes (E002 to E006) for what stands below `with`.

#include <weft/diagnostics.h>
#include <weft/settings.h>

#include <vector>

namespace weft {

[[nodiscard]] std::vector<Diagnostic> checkSettings(const Design& design,
                                                    const std::vector<SettingInfo>& settings);

} // namespace weft
