// SPDX-License-Identifier: Apache-2.0
#pragma once
// What kernels call a library for, in words, so that a run can record which of the library's ways
// it took: a choice names the library, and only a kernel that was made knows the way.

#include "device/kernel.h"

#include <string>
#include <vector>

namespace weft {

/// Beside Kernel, where a library does the work.
class LibraryKernel {
public:
    virtual ~LibraryKernel() = default;
    /// Adds one for each call that a run of this kernel makes: "cuDNN 9.19.0, engine 28, 2=4 3=0",
    /// or "cuda" where our own kernel computes what the library does not.
    virtual void addCalls(std::vector<std::string>& calls) const = 0;
};

/// Empty for a kernel that calls no library.
[[nodiscard]] inline std::vector<std::string> libraryCallsOf(const Kernel& kernel) {
    std::vector<std::string> calls;
    if (const auto* const known = dynamic_cast<const LibraryKernel*>(&kernel)) {
        known->addCalls(calls);
    }
    return calls;
}

} // namespace weft
