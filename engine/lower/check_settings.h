// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks a design's data and training settings against the table of settings. Each row has its own
// error codes; values below `with` have those of attributes (E002 to E006).

#include <weft/diagnostics.h>
#include <weft/settings.h>

#include <vector>

namespace weft {

[[nodiscard]] std::vector<Diagnostic> checkSettings(const Design& design,
                                                    const std::vector<SettingInfo>& settings);

} // namespace weft
