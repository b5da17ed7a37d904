// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies large pieces of memory with several threads, since one thread does not reach the memory's
// bandwidth. Owned by whoever copies; one thread at a time calls it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace weft {

class CopyTeam {
public:
    /// `threads` includes the caller; 1 starts none.
    explicit CopyTeam(int threads);
    ~CopyTeam();
    CopyTeam(const CopyTeam&) = delete;
    CopyTeam& operator=(const CopyTeam&) = delete;

    /// As memcpy. The team takes part from 1 MiB on.
    void copy(void* to, const void* from, std::size_t bytes);

    /// A quarter of the cores of this machine, at most 4: copies run beside a step.
    [[nodiscard]] static int usualThreads();

private:
    void work(std::size_t part);
    void copyPart(std::size_t part) const;

    std::byte* to_ = nullptr;
    const std::byte* from_ = nullptr;
    std::size_t bytes_ = 0;
    bool isStopped_ = false;
    std::atomic<std::uint32_t> round_ = 0; ///< counts copies; the fields above change before it
    std::atomic<std::uint32_t> busy_ = 0;  ///< threads that have not finished the current copy
    std::vector<std::jthread> threads_;
};

} // namespace weft
