// SPDX-License-Identifier: Apache-2.0
#pragma once
// How much memory C++ code asked for at its height. One measurement at a time, on one thread.

#include <cstddef>

namespace weft::test {

class HeapPeak {
public:
    /// Starts to count from here.
    HeapPeak();
    /// Most bytes in use at once since then.
    [[nodiscard]] std::size_t bytes() const;

private:
    std::size_t start_;
};

} // namespace weft::test
