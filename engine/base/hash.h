// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fast hashes of bytes (XXH3), the same on every machine: fingerprints, checksums of frames, keys
// of random draws. Not a defence against forgery.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace weft {

struct Hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    auto operator<=>(const Hash128&) const = default;
};

[[nodiscard]] std::uint64_t hash64(std::span<const std::byte> bytes, std::uint64_t seed = 0);
[[nodiscard]] std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0);
[[nodiscard]] Hash128 hash128(std::span<const std::byte> bytes, std::uint64_t seed = 0);

} // namespace weft
