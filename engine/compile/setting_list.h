// SPDX-License-Identifier: Apache-2.0
#pragma once
// The table of settings with their choices: optimizers, schedules and sources, each declared where
// it is implemented.

#include "data/source_kind.h"
#include "optimizers/optimizer.h"
#include <weft/settings.h>

#include <vector>

namespace weft {

[[nodiscard]] std::vector<SettingInfo> settingsWith(const SourceList& sources,
                                                    const OptimizerList& optimizers);

} // namespace weft
