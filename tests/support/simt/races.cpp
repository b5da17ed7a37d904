// SPDX-License-Identifier: Apache-2.0
#include "simt/races.h"

#include "simt/threads.h"

#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>

// __shared__ variables lie between. NOLINTNEXTLINE: the linker's names
extern "C" char __data_start, _end;

namespace simt {

namespace {

struct Access {
    std::uint32_t launch = 0, block = 0, thread = 0, barriers = 0, syncs = 0;
    bool isAtomic = false;
};
/// Two bytes, or a number of one: who wrote them last, and who read them since.
struct Cell {
    Access write, read;
    bool hasManyReaders = false; ///< `read` is the last of them
};

std::unordered_map<std::uintptr_t, Cell> shadow;
std::map<std::uintptr_t, std::uintptr_t> owned; ///< end by begin
Access now;
bool isInKernel = false;
int atomicDepth = 0;
std::string trouble;

std::uintptr_t numberOf(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

bool isShared(std::uintptr_t at) {
    const std::uintptr_t dynamic = numberOf(dynamicShared());
    return (at >= numberOf(&__data_start) && at < numberOf(&_end)) ||
           (at >= dynamic && at < dynamic + dynamicSharedBytes());
}
bool isOwned(std::uintptr_t at) {
    const auto next = owned.upper_bound(at);
    return next != owned.begin() && at < std::prev(next)->second;
}
/// Between what was handed out: what a kernel has no reason to touch.
bool isBetweenOwned(std::uintptr_t at) {
    return !owned.empty() && at >= owned.begin()->first && at < owned.rbegin()->second;
}
bool isOnStack(std::uintptr_t at) {
    constexpr std::uintptr_t reach = 1 << 17;
    char here = 0;
    const std::uintptr_t own = numberOf(&here);
    return at + reach > own && at < own + reach;
}
bool isOrdered(const Access& before) {
    if (before.launch != now.launch) {
        return true;
    }
    if (before.block != now.block) {
        return false;
    }
    return before.thread == now.thread || before.barriers != now.barriers ||
           (before.thread / 32 == now.thread / 32 && before.syncs != now.syncs);
}
bool isRace(const Access& before) {
    return before.launch == now.launch && !isOrdered(before) && !(before.isAtomic && now.isAtomic);
}
/// Others have read it since any barrier or warp operation that this thread knows of.
bool isReadByOthers(const Cell& cell) {
    const Access& read = cell.read;
    return isRace(read) || (cell.hasManyReaders && read.launch == now.launch &&
                            read.block == now.block && read.barriers == now.barriers &&
                            read.syncs == now.syncs && !(read.isAtomic && now.isAtomic));
}

void say(const std::string& what, bool shared, const Access& other) {
    if (trouble.empty()) {
        trouble = what + (shared ? ", shared" : ", global") + " memory: thread " +
                  std::to_string(now.thread) + " of block " + std::to_string(now.block) +
                  ", after thread " + std::to_string(other.thread) + " of block " +
                  std::to_string(other.block);
    }
}

void touchCell(std::uintptr_t at, bool shared, bool isWrite) {
    Cell& cell = shadow[at];
    const bool isWritten = cell.write.launch == now.launch && cell.write.block == now.block;
    if (shared && !isWrite && !isWritten) {
        say("read of what this block never wrote", shared, cell.write);
    }
    if (shared && cell.write.block != now.block) {
        cell = {}; // each block has shared memory of its own
    }
    if (isRace(cell.write)) {
        say(isWrite ? "write after write" : "read after write", shared, cell.write);
    }
    if (isWrite) {
        if (isReadByOthers(cell)) {
            say("write after read", shared, cell.read);
        }
        cell.write = now;
        return;
    }
    const bool isAgain = cell.read.launch == now.launch && cell.read.block == now.block &&
                         cell.read.barriers == now.barriers;
    cell.hasManyReaders = isAgain && (cell.hasManyReaders || cell.read.thread != now.thread);
    cell.read = now;
}

void touch(const void* address, std::size_t size, bool isWrite) {
    if (!isInKernel || address == &here) {
        return;
    }
    const std::uintptr_t first = numberOf(address);
    const bool shared = isShared(first);
    if (!shared && !isOwned(first)) {
        if (!isOnStack(first) && (isWrite || isBetweenOwned(first))) {
            say(isWrite ? "write outside all operands" : "read outside all operands", false, now);
        }
        return;
    }
    now.isAtomic = atomicDepth > 0;
    const std::uintptr_t step = size < 2 ? 1 : 2;
    for (std::uintptr_t at = first / step * step; at < first + size; at += step) {
        touchCell(at, shared, isWrite);
    }
}

} // namespace

void raceBlockBegins(unsigned number) { now.block = number; }
void raceThreadIs(unsigned thread, unsigned barriers, unsigned syncs) {
    now.thread = thread;
    now.barriers = barriers;
    now.syncs = syncs;
}
void raceLaunch(bool begins) {
    isInKernel = begins;
    if (begins) {
        ++now.launch;
        shadow.clear();
        trouble.clear();
    } else if (!trouble.empty()) {
        throw std::runtime_error(trouble);
    }
}
void raceCopy(const void* to, const void* from, std::size_t size) {
    if (from != nullptr) {
        touch(from, size, false);
    }
    touch(to, size, true);
}
void atomicBegins() { ++atomicDepth; }
void atomicEnds() { --atomicDepth; }
void ownMemory(const void* first, std::size_t size) {
    owned[numberOf(first)] = numberOf(first) + size;
}
void disownMemory() { owned.clear(); }

} // namespace simt

// Called by code compiled with -fsanitize=thread.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the compiler's names
extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_read1(void* at) { simt::touch(at, 1, false); }
void __tsan_read2(void* at) { simt::touch(at, 2, false); }
void __tsan_read4(void* at) { simt::touch(at, 4, false); }
void __tsan_read8(void* at) { simt::touch(at, 8, false); }
void __tsan_read16(void* at) { simt::touch(at, 16, false); }
void __tsan_write1(void* at) { simt::touch(at, 1, true); }
void __tsan_write2(void* at) { simt::touch(at, 2, true); }
void __tsan_write4(void* at) { simt::touch(at, 4, true); }
void __tsan_write8(void* at) { simt::touch(at, 8, true); }
void __tsan_write16(void* at) { simt::touch(at, 16, true); }
void __tsan_unaligned_read2(void* at) { simt::touch(at, 2, false); }
void __tsan_unaligned_read4(void* at) { simt::touch(at, 4, false); }
void __tsan_unaligned_read8(void* at) { simt::touch(at, 8, false); }
void __tsan_unaligned_read16(void* at) { simt::touch(at, 16, false); }
void __tsan_unaligned_write2(void* at) { simt::touch(at, 2, true); }
void __tsan_unaligned_write4(void* at) { simt::touch(at, 4, true); }
void __tsan_unaligned_write8(void* at) { simt::touch(at, 8, true); }
void __tsan_unaligned_write16(void* at) { simt::touch(at, 16, true); }
void __tsan_read_range(void* at, unsigned long size) { simt::touch(at, size, false); }
void __tsan_write_range(void* at, unsigned long size) { simt::touch(at, size, true); }
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
