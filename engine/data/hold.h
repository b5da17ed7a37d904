// SPDX-License-Identifier: Apache-2.0
#pragma once
// The first examples of a source, read once and held in memory: what a benchmark steps over.

#include "data/source.h"

#include <cstdint>

namespace weft {

/// So many, or as many as there are.
[[nodiscard]] SourcePointer holdFirst(const SourcePointer& source, std::int64_t examples);

} // namespace weft
