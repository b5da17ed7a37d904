// SPDX-License-Identifier: Apache-2.0
#include "support/sim/hidden_arena.h"

#include <weft/error.h>

#include <sys/mman.h>
#include <unistd.h>

namespace weft::sim {

namespace {

std::byte* mapped(int file, std::size_t size, int protection) {
    void* const at = mmap(nullptr, size, protection, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) {
        throw Error(ErrorCode::memory, {}, "the stand-in has no memory left",
                    "choose a smaller batch");
    }
    return static_cast<std::byte*>(at);
}

int newFile(Bytes size) {
    const int file = memfd_create("device", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, size.count) != 0) {
        throw Error(ErrorCode::memory, {}, "the stand-in has no memory", "free some of the host's");
    }
    return file;
}

} // namespace

HiddenArena::HiddenArena(Bytes size) : HiddenArena(size, newFile(size)) {}

HiddenArena::HiddenArena(Bytes size, int file) : size_(size), file_(file) {
    const auto bytes = static_cast<std::size_t>(size_.count);
    hidden_ = mapped(file_, bytes, PROT_NONE);
    delta_ = mapped(file_, bytes, PROT_READ | PROT_WRITE) - hidden_;
}

HiddenArena::~HiddenArena() {
    munmap(hidden_ + delta_, static_cast<std::size_t>(size_.count));
    munmap(hidden_, static_cast<std::size_t>(size_.count));
    close(file_);
}

} // namespace weft::sim
