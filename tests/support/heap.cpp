// SPDX-License-Identifier: Apache-2.0
#include "support/heap.h"

#include <dlfcn.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string_view>

namespace {

std::atomic<std::size_t> inUse = 0;
std::atomic<std::size_t> highest = 0;
std::atomic<std::int64_t> times = 0;
thread_local std::int64_t timesHere = 0;
std::atomic<bool> tellsApart = false;
std::atomic<std::int64_t> own = 0;

bool isLibrary(const void* caller) noexcept {
    Dl_info info{};
    return dladdr(caller, &info) != 0 && info.dli_fname != nullptr &&
           std::string_view(info.dli_fname).find("libdnnl") != std::string_view::npos;
}

void* counted(void* memory, const void* caller) noexcept {
    if (memory == nullptr) {
        return nullptr;
    }
    if (tellsApart && !isLibrary(caller)) {
        ++own;
    }
    ++times;
    ++timesHere;
    const std::size_t now = inUse += malloc_usable_size(memory);
    std::size_t before = highest;
    while (now > before && !highest.compare_exchange_weak(before, now)) {
    }
    return memory;
}

void* taken(void* memory, const void* caller) {
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return counted(memory, caller);
}

void given(void* memory) noexcept {
    if (memory != nullptr) {
        inUse -= malloc_usable_size(memory);
        std::free(memory);
    }
}

} // namespace

void* operator new(std::size_t bytes) {
    return taken(std::malloc(bytes), __builtin_return_address(0));
}
void* operator new[](std::size_t bytes) {
    return taken(std::malloc(bytes), __builtin_return_address(0));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return counted(std::malloc(bytes), __builtin_return_address(0));
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return counted(std::malloc(bytes), __builtin_return_address(0));
}
void operator delete(void* memory) noexcept { given(memory); }
void operator delete[](void* memory) noexcept { given(memory); }
void operator delete(void* memory, std::size_t) noexcept { given(memory); }
void operator delete[](void* memory, std::size_t) noexcept { given(memory); }

namespace weft::test {

std::int64_t allocations() { return times; }
std::int64_t allocationsOfThisThread() { return timesHere; }

OwnAllocations::OwnAllocations() {
    own = 0;
    tellsApart = true;
}
OwnAllocations::~OwnAllocations() { tellsApart = false; }
std::int64_t OwnAllocations::count() const { return own; }

HeapPeak::HeapPeak() : start_(inUse) { highest = start_; }

std::size_t HeapPeak::bytes() const { return highest - start_; }

} // namespace weft::test
