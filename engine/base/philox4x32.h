// SPDX-License-Identifier: Apache-2.0
#pragma once
// One block of Philox4x32-10: four words from a counter and a key. Also included by CUDA sources.

#include <array>
#include <cstdint>

namespace weft {

struct PhiloxConstants {
    static constexpr std::uint32_t multiplierA = 0xD2511F53;
    static constexpr std::uint32_t multiplierB = 0xCD9E8D57;
    static constexpr std::uint32_t weylA = 0x9E3779B9; ///< added to key[0] after each round
    static constexpr std::uint32_t weylB = 0xBB67AE85; ///< added to key[1] after each round
    static constexpr int rounds = 10;
};

[[nodiscard]] constexpr std::array<std::uint32_t, 4>
philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
    using P = PhiloxConstants;
    for (int round = 0; round < P::rounds; ++round) {
        const std::uint64_t a = std::uint64_t{P::multiplierA} * counter[0];
        const std::uint64_t b = std::uint64_t{P::multiplierB} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32U) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32U) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(a)};
        key[0] += P::weylA;
        key[1] += P::weylB;
    }
    return counter;
}

} // namespace weft
