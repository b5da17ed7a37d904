// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run's summary as it goes over a line, and back: read without trust.

#include "base/json.h"
#include <weft/runs.h>

namespace weft {

/// With the figures, read from the run's logs where only they tell them.
[[nodiscard]] Json summaryJson(const RunSummary& summary);
/// What can't be read counts as absent. The folder is that of the copy here.
[[nodiscard]] RunSummary summaryFrom(const Json& said, std::string_view host);

} // namespace weft
