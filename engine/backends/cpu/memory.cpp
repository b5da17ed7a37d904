// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/memory.h"

#include "base/process/host_memory.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <string_view>

namespace weft::cpu {

namespace {

constexpr std::int64_t hugePage = std::int64_t{2} << 20;
constexpr std::int64_t smallPage = 4096;

[[noreturn]] void throwNoMemory(Bytes wanted, std::string_view why) {
    throw Error(ErrorCode::memory, {},
                fmt::format("{} of host memory are not available: {}", toString(wanted), why),
                "use a smaller batch, or free memory");
}

class MappedArena final : public Arena {
public:
    explicit MappedArena(Bytes size) : size_(size) {
        // Extra space to align to huge pages.
        mapped_ = std::max(size.count, std::int64_t{1});
        mapped_ = (mapped_ + smallPage - 1) / smallPage * smallPage;
        const bool large = mapped_ >= hugePage;
        mapped_ += large ? hugePage : 0;
        void* start = mmap(nullptr, static_cast<std::size_t>(mapped_), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (start == MAP_FAILED) {
            throwNoMemory(size, "the system refused to map the memory");
        }
        start_ = static_cast<std::byte*>(start);
        first_ = start_;
        if (large) {
            const auto rest = reinterpret_cast<std::uintptr_t>(start_) % hugePage;
            first_ += rest == 0 ? 0 : hugePage - static_cast<std::int64_t>(rest);
            // A hint only: without huge pages, small ones are used.
            static_cast<void>(madvise(first_, static_cast<std::size_t>(size.count), MADV_HUGEPAGE));
        }
        touch();
    }
    ~MappedArena() override { munmap(start_, static_cast<std::size_t>(mapped_)); }
    MappedArena(const MappedArena&) = delete;
    MappedArena& operator=(const MappedArena&) = delete;

    [[nodiscard]] void* address() const override { return first_; }
    [[nodiscard]] Bytes size() const override { return size_; }

private:
    void touch() {
        for (std::int64_t offset = 0; offset < size_.count; offset += smallPage) {
            *static_cast<volatile std::byte*>(first_ + offset) = std::byte{0};
        }
    }

    Bytes size_;
    std::int64_t mapped_ = 0;
    std::byte* start_ = nullptr;
    std::byte* first_ = nullptr;
};

} // namespace

std::unique_ptr<Arena> mapArena(Bytes size) {
    const Bytes available = freeHostMemory();
    if (available.count > 0 && size > available) {
        throwNoMemory(size, fmt::format("{} are free", toString(available)));
    }
    return std::make_unique<MappedArena>(size);
}

} // namespace weft::cpu
