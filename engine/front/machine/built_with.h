// SPDX-License-Identifier: Apache-2.0
#pragma once
// The libraries that were found when this build was configured. CMake generates the source from
// built_with.cpp.in.

#include <string>

namespace weft {

/// Versions of the libraries; empty: built without it.
struct BuiltWith {
    std::string mpi; ///< version; empty: built without MPI
    std::string cuda;
    std::string oneDnn;
};

[[nodiscard]] BuiltWith builtWith();

} // namespace weft
