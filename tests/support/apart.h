// SPDX-License-Identifier: Apache-2.0
#pragma once
// Something run in a child process, which hands back what it came to as text: a broken invariant
// that ends the process is then an outcome like any other, and a property test can go on to shrink
// it.

#include <functional>
#include <string>

namespace weft::test {

struct Apart {
    std::string text;      ///< as far as it was told
    std::string complaint; ///< error output of the child
    bool hasEnded = false; ///< false: it was ended by a signal
};

/// `run` hands its outcome over piece by piece.
[[nodiscard]] Apart
runApart(const std::function<void(const std::function<void(std::string)>&)>& run);

} // namespace weft::test
