// SPDX-License-Identifier: Apache-2.0
#pragma once
// Holds the first examples of a source in memory, for benchmarks.

#include "data/source.h"

#include <cstdint>

namespace weft {

/// Reads `examples` examples, or all if there are fewer.
[[nodiscard]] SourcePointer loadFirstExamples(const SourcePointer& source, std::int64_t examples);

} // namespace weft
