// SPDX-License-Identifier: Apache-2.0
#pragma once
// What was found when this build was configured; written by CMake from built_with.cpp.in.

#include <string>

namespace weft {

/// Versions; empty: not built with it.
struct BuiltWith {
    std::string mpi;
    std::string cuda;
    std::string oneDnn;
};

[[nodiscard]] BuiltWith builtWith();

} // namespace weft
