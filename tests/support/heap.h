// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts heap allocations of C++ code on all threads, and their peak. Executables that use this
// have a replaced operator new.

#include <cstddef>
#include <cstdint>

namespace weft::test {

/// How often memory was asked for since the start.
[[nodiscard]] std::int64_t allocations();

/// The same for the calling thread alone.
[[nodiscard]] std::int64_t allocationsOfThisThread();

/// How often all threads ask while it lives, without what oneDNN asks for inside of its calls. One
/// at a time.
class OwnAllocations {
public:
    OwnAllocations();
    ~OwnAllocations();
    OwnAllocations(const OwnAllocations&) = delete;
    OwnAllocations& operator=(const OwnAllocations&) = delete;
    [[nodiscard]] std::int64_t count() const;
};

/// One measurement at a time.
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
