// SPDX-License-Identifier: Apache-2.0
#pragma once
// Describes a kernel's library calls, so that a run can record the algorithms it used: a choice
// names only the library, and only a made kernel knows the algorithm.

#include "device/kernel.h"

#include <string>
#include <vector>

namespace weft {

/// Additional base of a kernel whose work a library does.
class LibraryKernel {
public:
    virtual ~LibraryKernel() = default;
    /// Adds one text per library call of a run: "cuDNN 9.19.0, engine 28, 2=4 3=0", or "cuda" where
    /// Weft's own kernel computes instead.
    virtual void addCalls(std::vector<std::string>& calls) const = 0;
};

/// Returns nothing for a kernel that calls no library.
[[nodiscard]] inline std::vector<std::string> libraryCallsOf(const Kernel& kernel) {
    std::vector<std::string> calls;
    if (const auto* const known = dynamic_cast<const LibraryKernel*>(&kernel)) {
        known->addCalls(calls);
    }
    return calls;
}

} // namespace weft
