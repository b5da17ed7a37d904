// SPDX-License-Identifier: Apache-2.0
#pragma once
// figures.json: what the logs of a run amount to, written beside them when an attempt has ended, so
// that a list of long runs need not read them. It holds for that attempt alone.

#include "base/json.h"
#include <weft/run_figures.h>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace weft {

[[nodiscard]] Json figuresJson(const RunFigures& figures);
/// Throws what JSON throws where it is not as it was written.
[[nodiscard]] RunFigures figuresFrom(const Json& read);

void writeFigures(const std::filesystem::path& run, std::uint32_t attempt,
                  const RunFigures& figures);
/// Nothing where there is no such file, where it is of another attempt, or not as it was written.
[[nodiscard]] std::optional<RunFigures> readFigures(const std::filesystem::path& run,
                                                    std::uint32_t attempt);

} // namespace weft
