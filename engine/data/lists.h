// SPDX-License-Identifier: Apache-2.0
#pragma once
// The lists of source kinds: each `fill` is written by CMake from the list in its folder's
// CMakeLists.txt.

#include "data/source_kind.h"

namespace weft::sources {
void fill(SourceList& list);
} // namespace weft::sources

namespace weft::generators {
void fill(SourceList& list);
} // namespace weft::generators
