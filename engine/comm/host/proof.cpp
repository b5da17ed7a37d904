// SPDX-License-Identifier: Apache-2.0
#include "comm/host/proof.h"

#include <weft/error.h>

#include <sys/random.h>

#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace weft {

namespace {

struct SipState {
    std::uint64_t v0, v1, v2, v3;

    void round() {
        v0 += v1;
        v1 = std::rotl(v1, 13) ^ v0;
        v0 = std::rotl(v0, 32);
        v2 += v3;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 += v3;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 += v1;
        v1 = std::rotl(v1, 17) ^ v2;
        v2 = std::rotl(v2, 32);
    }
    void take(std::uint64_t word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }
    std::uint64_t finish(std::uint64_t mark, std::uint64_t& into) {
        into ^= mark;
        for (int k = 0; k < 4; ++k) {
            round();
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }
};

/// Little-endian, so that hosts of any byte order agree.
std::uint64_t wordAt(std::string_view text, std::size_t at) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 8 && at + k < text.size(); ++k) {
        word |= std::uint64_t{static_cast<unsigned char>(text[at + k])} << (8 * k);
    }
    return word;
}

} // namespace

Secret drawSecret() {
    Secret secret{};
    if (::getrandom(secret.data(), sizeof(secret), 0) != static_cast<ssize_t>(sizeof(secret))) {
        throw Error(ErrorCode::device, {},
                    std::string("the system cannot provide random numbers: ") +
                        std::strerror(errno),
                    "run on a system with getrandom");
    }
    return secret;
}

std::string textOf(const Secret& secret) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::uint64_t word : secret) {
        for (int shift = 60; shift >= 0; shift -= 4) {
            text += digits[(word >> static_cast<unsigned>(shift)) & 15U];
        }
    }
    return text;
}

Secret secretFrom(std::string_view text) {
    Secret secret{};
    bool isWhole = text.size() == 32;
    for (std::size_t k = 0; k < 2 && isWhole; ++k) {
        const char* begin = text.data() + 16 * k;
        const auto [end, error] = std::from_chars(begin, begin + 16, secret[k], 16);
        isWhole = error == std::errc{} && end == begin + 16;
    }
    if (!isWhole) {
        throw Error(ErrorCode::usage, {}, "the secret of the run is not 32 hexadecimal digits",
                    "leave the variables that begin with WEFT_ as the launcher set them");
    }
    return secret;
}

Secret keyedHash(const Secret& secret, std::string_view text) {
    SipState state{secret[0] ^ 0x736f6d6570736575U, secret[1] ^ 0x646f72616e646f6dU ^ 0xeeU,
                   secret[0] ^ 0x6c7967656e657261U, secret[1] ^ 0x7465646279746573U};
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        state.take(wordAt(text, at));
    }
    state.take(wordAt(text, at) | std::uint64_t{text.size() & 0xFFU} << 56U);
    const std::uint64_t first = state.finish(0xeeU, state.v2);
    const std::uint64_t second = state.finish(0xddU, state.v1);
    return {first, second};
}

std::string proofOf(const Secret& secret, std::string_view text) {
    return textOf(keyedHash(secret, text));
}

} // namespace weft
