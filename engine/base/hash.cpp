// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace weft {

std::string toString(const Hash128& hash) {
    return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

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
Hash128 hash128(std::string_view text, std::uint64_t seed) {
    return hash128(std::as_bytes(std::span(text)), seed);
}

struct Hasher::State {
    XXH3_state_t* xxh = XXH3_createState();
    State() {
        if (xxh == nullptr) {
            throw std::bad_alloc();
        }
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { XXH3_freeState(xxh); }
};

Hasher::Hasher(std::uint64_t seed) : state_(std::make_unique<State>()) {
    XXH3_128bits_reset_withSeed(state_->xxh, seed);
}
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

Hasher& Hasher::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
    return *this;
}

Hasher& Hasher::add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    return add(std::as_bytes(std::span(text)));
}

std::uint64_t Hasher::digest64() const { return digest128().low; }

Hash128 Hasher::digest128() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh);
    return {hash.low64, hash.high64};
}

} // namespace weft
