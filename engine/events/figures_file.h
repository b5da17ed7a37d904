// SPDX-License-Identifier: Apache-2.0
#pragma once
// figures.json: the summary of a run's logs, written when an attempt ends, so that lists of long
// runs need not read the logs. It is valid for that attempt only.

#include "base/text/json.h"
#include <weft/run_figures.h>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace weft {

[[nodiscard]] Json figuresJson(const RunFigures& figures);
/// Throws JSON's exceptions if the content is not valid.
[[nodiscard]] RunFigures figuresFrom(const Json& read); ///< throws JSON's exceptions

void writeFigures(const std::filesystem::path& run, std::uint32_t attempt,
                  const RunFigures& figures);
/// Returns nothing if the file is missing, invalid or of another attempt.
[[nodiscard]] std::optional<RunFigures> readFigures(const std::filesystem::path& run,
                                                    std::uint32_t attempt);

} // namespace weft
