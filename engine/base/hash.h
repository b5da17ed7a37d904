// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fast hashes of bytes (XXH3), equal on every machine: fingerprints, checksums of frames, keys of
// random draws, names of stored files. Not cryptographic.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
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

/// Hashes bytes that arrive in pieces.
class Hash128Stream {
public:
    Hash128Stream();
    ~Hash128Stream();
    Hash128Stream(Hash128Stream&&) noexcept;
    Hash128Stream& operator=(Hash128Stream&&) noexcept;

    void take(std::span<const std::byte> bytes); ///< adds bytes
    /// Returns the hash of all bytes taken so far.
    [[nodiscard]] Hash128 value() const; ///< hash of all bytes so far

private:
    struct State;
    std::unique_ptr<State> state_;
};

[[nodiscard]] std::string hexText(const Hash128& hash); ///< 32 lower-case hexadecimal digits

} // namespace weft
