// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opens optional shared libraries at run time, so that one program serves all machines.

#include <string>

namespace weft {

/// Searches the loader's paths and then the CUDA installations of this machine. Returns nullptr if
/// the library is not found.
[[nodiscard]] void* openLibrary(const std::string& file); ///< dlopen; nullptr: not found

} // namespace weft
