// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fast hashes of bytes (XXH3), the same on every machine: fingerprints, checksums of frames, keys
// of random draws. Not a defence against forgery.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace weft {

struct Hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    auto operator<=>(const Hash128&) const = default;
};
/// 32 hexadecimal digits.
[[nodiscard]] std::string toString(const Hash128& hash);

[[nodiscard]] std::uint64_t hash64(std::span<const std::byte> bytes, std::uint64_t seed = 0);
[[nodiscard]] std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0);
[[nodiscard]] Hash128 hash128(std::span<const std::byte> bytes, std::uint64_t seed = 0);
[[nodiscard]] Hash128 hash128(std::string_view text, std::uint64_t seed = 0);

/// A hash of what is added piece by piece. Texts are added with their length, so that "ab" "c" is
/// not "a" "bc".
class Hasher {
public:
    explicit Hasher(std::uint64_t seed = 0);
    ~Hasher();
    Hasher(Hasher&&) noexcept;
    Hasher& operator=(Hasher&&) noexcept;

    Hasher& add(std::span<const std::byte> bytes);
    Hasher& add(std::string_view text);
    template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) Hasher& add(T value) {
        return add(std::as_bytes(std::span(&value, 1)));
    }
    /// Of everything added until now; adding may go on. The 64 bits are the low ones of the 128.
    [[nodiscard]] std::uint64_t digest64() const;
    [[nodiscard]] Hash128 digest128() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
