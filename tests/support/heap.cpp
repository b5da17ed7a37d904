// SPDX-License-Identifier: Apache-2.0
#include "support/heap.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> inUse = 0;
std::atomic<std::size_t> highest = 0;
std::atomic<std::int64_t> times = 0;
thread_local std::int64_t timesHere = 0;

void* counted(void* memory) noexcept {
    if (memory == nullptr) {
        return nullptr;
    }
    ++times;
    ++timesHere;
    const std::size_t now = inUse += malloc_usable_size(memory);
    std::size_t before = highest;
    while (now > before && !highest.compare_exchange_weak(before, now)) {
    }
    return memory;
}

void* taken(void* memory) {
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return counted(memory);
}

void given(void* memory) noexcept {
    if (memory != nullptr) {
        inUse -= malloc_usable_size(memory);
        std::free(memory);
    }
}

} // namespace

void* operator new(std::size_t bytes) { return taken(std::malloc(bytes)); }
void* operator new[](std::size_t bytes) { return taken(std::malloc(bytes)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return counted(std::malloc(bytes));
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return counted(std::malloc(bytes));
}
void operator delete(void* memory) noexcept { given(memory); }
void operator delete[](void* memory) noexcept { given(memory); }
void operator delete(void* memory, std::size_t) noexcept { given(memory); }
void operator delete[](void* memory, std::size_t) noexcept { given(memory); }

namespace weft::test {

std::int64_t allocations() { return times; }
std::int64_t allocationsOfThisThread() { return timesHere; }

HeapPeak::HeapPeak() : start_(inUse) { highest = start_; }

std::size_t HeapPeak::bytes() const { return highest - start_; }

} // namespace weft::test
