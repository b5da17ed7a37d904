// SPDX-License-Identifier: Apache-2.0
#pragma once
// The threads of a GPU's blocks as fibers of one host thread, block after block. Barriers, warp
// operations and atomics have their true meaning, in any order of the threads; what no GPU would
// run, or would run otherwise each time, is refused: a barrier that ended threads miss, threads at
// different barriers, a lane outside its own mask, a deadlock, a launch over the limits.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

namespace simt {

struct Index {
    unsigned x, y, z;
};
struct Size {
    unsigned x = 1, y = 1, z = 1;
    Size(unsigned alongX = 1, unsigned alongY = 1, unsigned alongZ = 1)
        : x(alongX), y(alongY), z(alongZ) {}
};

/// Which thread this is.
struct Place {
    Index thread, block;
    Size blockSize, gridSize;
};
extern Place* here;

enum class Order : std::uint8_t { ascending, descending, random };
/// How blocks and the threads of a block take turns from now on. Warps are not kept together, as no
/// GPU promises that they are.
void schedule(Order order, unsigned seed = 1);

/// Runs the grid. Throws std::runtime_error where the kernel is refused.
void launch(Size grid, Size size, std::size_t sharedBytes, const std::function<void()>& thread);

/// One barrier of the source is told from another by its line.
void barrier(int line);
/// Each lane of the mask gives a value and gets the values of all 32.
const std::uint64_t* exchange(unsigned mask, std::uint64_t value);
/// Copies to shared memory that land at once, or when their thread waits for them, or any of both
/// in a random order; none from where `from` is nullptr: zeros.
void copyAsync(void* to, const void* from, std::size_t size);
void commitCopies();
/// Lands what this thread has committed; what it has not committed stays away.
void waitForCopies();
[[nodiscard]] int lane();
[[nodiscard]] void* dynamicShared();
[[nodiscard]] std::size_t dynamicSharedBytes();
/// Everything until the end is one atomic access.
void atomicBegins();
void atomicEnds();
template <class T>
std::uint64_t packed(T value) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}
/// Returns the value of lane `from`, or the lane's own value if `from` is outside.
template <class T>
T shuffled(unsigned mask, T value, int from, bool isInside) {
    const std::uint64_t* const all = exchange(mask, packed(value));
    if (isInside) {
        std::memcpy(&value, all + (from & 31), sizeof value);
    }
    return value;
}
template <class T, class Change>
T atomically(T* at, const Change& change) {
    atomicBegins();
    const T old = *at;
    *at = change(old);
    atomicEnds();
    return old;
}

} // namespace simt
