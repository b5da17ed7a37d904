// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace weft {

std::uint64_t hash64(std::span<const std::byte> bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}
std::uint64_t hash64(std::string_view text, std::uint64_t seed) {
    return hash64(std::as_bytes(std::span(text)), seed);
}
Hash128 hash128(std::span<const std::byte> bytes, std::uint64_t seed) {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
    return {hash.low64, hash.high64};
}

struct Hash128Stream::State {
    XXH3_state_t* of = XXH3_createState();

    State() {
        if (of == nullptr) {
            throw std::bad_alloc();
        }
        XXH3_128bits_reset(of);
    }
    ~State() { XXH3_freeState(of); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
};

Hash128Stream::Hash128Stream() : state_(std::make_unique<State>()) {}
Hash128Stream::~Hash128Stream() = default;
Hash128Stream::Hash128Stream(Hash128Stream&&) noexcept = default;
Hash128Stream& Hash128Stream::operator=(Hash128Stream&&) noexcept = default;

void Hash128Stream::take(std::span<const std::byte> bytes) {
    XXH3_128bits_update(state_->of, bytes.data(), bytes.size());
}
Hash128 Hash128Stream::value() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_->of);
    return {hash.low64, hash.high64};
}

std::string hexText(const Hash128& hash) {
    return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

} // namespace weft
