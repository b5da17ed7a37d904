// SPDX-License-Identifier: Apache-2.0
#pragma once
// The secret of a run, and how one proves to know it without saying it: a keyed sum (SipHash-2-4 of
// 128 bits) of what the other side has just drawn. It keeps strangers out of the host channel; it
// hides nothing.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

using Secret = std::array<std::uint64_t, 2>;

/// From the system's source of randomness.
[[nodiscard]] Secret drawSecret();
/// 32 hexadecimal digits.
[[nodiscard]] std::string textOf(const Secret& secret);
/// Error{usage} for anything but 32 hexadecimal digits.
[[nodiscard]] Secret secretFrom(std::string_view text);

/// J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", 2012; the variant of 128
/// bits.
[[nodiscard]] Secret keyedSum(const Secret& secret, std::string_view text);
/// The keyed sum as text.
[[nodiscard]] std::string proofOf(const Secret& secret, std::string_view text);

} // namespace weft
