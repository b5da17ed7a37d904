// SPDX-License-Identifier: Apache-2.0
#pragma once
// The secret of a run, and how a process proves to know it without revealing it: a keyed hash
// (SipHash-2-4 of 128 bits) of a random text that the other side has just drawn. It keeps strangers
// out of the host channel; it encrypts nothing.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

using Secret = std::array<std::uint64_t, 2>; ///< 128-bit key of a run

/// Draws from the system's source of randomness.
[[nodiscard]] Secret drawSecret();
[[nodiscard]] std::string textOf(const Secret& secret); ///< 32 hexadecimal digits
/// Throws Error{usage} for anything but 32 hexadecimal digits.
[[nodiscard]] Secret secretFrom(std::string_view text);

/// J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", 2012; the variant of 128
/// bits.
[[nodiscard]] Secret keyedHash(const Secret& secret, std::string_view text);
/// Returns the keyed hash as text.
[[nodiscard]] std::string proofOf(const Secret& secret, std::string_view text); ///< as hexadecimals

} // namespace weft
