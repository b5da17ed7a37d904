// SPDX-License-Identifier: Apache-2.0
#pragma once
// Libraries that a machine may have, opened where the program runs, so that one program serves all
// machines.

#include <string>

namespace weft {

/// Looked for where the loader looks, then beside the toolkits of CUDA that this machine may have;
/// nullptr: there is none of that name.
[[nodiscard]] void* openLibrary(const std::string& file);

} // namespace weft
