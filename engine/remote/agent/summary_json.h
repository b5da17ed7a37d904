// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts a run's summary for a connection and back; read without trust.

#include "base/text/json.h"
#include <weft/runs.h>

namespace weft {

/// Includes the figures, which are read from the run's logs if necessary.
[[nodiscard]] Json summaryJson(const RunSummary& summary);
/// Fields that cannot be read count as absent. The folder is that of the local mirror.
[[nodiscard]] RunSummary summaryFrom(const Json& said, std::string_view host);

} // namespace weft
