// SPDX-License-Identifier: Apache-2.0
#include "base/philox.h"

#include "base/hash.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weft {

namespace {

using P = PhiloxConstants;

/// Blocks per pass of the bulk fill: enough for compilers to vectorise the loop instead of
/// unrolling it.
constexpr std::size_t together = 64;

using Words = std::array<std::uint32_t, together>;

/// Computes blocks first, first + 1, ...: word w of block i is out[w][i]. This structure of arrays
/// vectorises.
void makeBlocks(std::uint64_t first, std::array<std::uint32_t, 2> stream,
                std::array<std::uint32_t, 2> key, std::array<Words, 4>& out) {
    for (std::size_t i = 0; i < together; ++i) {
        out[0][i] = static_cast<std::uint32_t>(first + i);
        out[1][i] = static_cast<std::uint32_t>((first + i) >> 32U);
        out[2][i] = stream[0];
        out[3][i] = stream[1];
    }
    std::uint32_t keyA = key[0];
    std::uint32_t keyB = key[1];
    for (int round = 0; round < P::rounds; ++round) {
        for (std::size_t i = 0; i < together; ++i) {
            const std::uint64_t a = std::uint64_t{P::multiplierA} * out[0][i];
            const std::uint64_t b = std::uint64_t{P::multiplierB} * out[2][i];
            out[0][i] = static_cast<std::uint32_t>(b >> 32U) ^ out[1][i] ^ keyA;
            out[1][i] = static_cast<std::uint32_t>(b);
            out[2][i] = static_cast<std::uint32_t>(a >> 32U) ^ out[3][i] ^ keyB;
            out[3][i] = static_cast<std::uint32_t>(a);
        }
        keyA += P::weylA;
        keyB += P::weylB;
    }
}

std::uint64_t upperHalf(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t lowA = a & 0xffffffffU;
    const std::uint64_t highA = a >> 32U;
    const std::uint64_t lowB = b & 0xffffffffU;
    const std::uint64_t highB = b >> 32U;
    const std::uint64_t middle = highA * lowB + ((lowA * lowB) >> 32U);
    return highA * highB + (middle >> 32U) + ((lowA * highB + (middle & 0xffffffffU)) >> 32U);
}

float uniformFrom(std::uint32_t bits) { return static_cast<float>(bits >> 8U) * 0x1p-24F; }

/// z0 = sqrt(-2 ln u) cos(2 pi v), z1 = sqrt(-2 ln u) sin(2 pi v), u in (0, 1], v in [0, 1)
std::array<float, 2> normalsFrom(std::uint32_t first, std::uint32_t second) {
    const double u = (static_cast<double>(first) + 1.0) * 0x1p-32;
    const double v = static_cast<double>(second) * 0x1p-32;
    const double radius = std::sqrt(-2.0 * std::log(u));
    const double angle = 2.0 * std::numbers::pi * v;
    return {static_cast<float>(radius * std::cos(angle)),
            static_cast<float>(radius * std::sin(angle))};
}

} // namespace

Philox::Philox(const Draw& draw) {
    struct {
        std::uint64_t seed;
        std::uint64_t step;
        std::uint32_t layer;
        std::uint32_t instance;
    } const who{draw.seed, static_cast<std::uint64_t>(draw.step), draw.origin.layer.value,
                draw.origin.instance};
    const Hash128 hash = hash128(std::as_bytes(std::span(&who, 1)), hash64(draw.role));
    key_ = {static_cast<std::uint32_t>(hash.low), static_cast<std::uint32_t>(hash.low >> 32U)};
    stream_ = {static_cast<std::uint32_t>(hash.high), static_cast<std::uint32_t>(hash.high >> 32U)};
}

std::array<std::uint32_t, 4> Philox::block(std::uint64_t index) const {
    return philox4x32({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32U),
                       stream_[0], stream_[1]},
                      key_);
}

std::uint32_t Philox::bits(std::uint64_t element) const { return block(element / 4)[element % 4]; }

float Philox::uniform(std::uint64_t element) const { return uniformFrom(bits(element)); }

float Philox::normal(std::uint64_t element) const {
    const auto words = block(element / 4);
    const std::size_t pair = element % 4 / 2 * 2;
    return normalsFrom(words[pair], words[pair + 1])[element % 2];
}

std::uint64_t Philox::below(std::uint64_t element, std::uint64_t bound) const {
    // Multiplies the 64 bits of the element's block by the bound and takes the upper half (Lemire,
    // "Fast random integer generation in an interval", 2019).
    const auto words = block(element);
    return upperHalf((std::uint64_t{words[0]} << 32U) | words[1], bound);
}

void Philox::fillBits(std::uint64_t first, std::span<std::uint32_t> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
        const std::uint64_t element = first + done;
        const std::size_t skip = element % 4;
        if (skip != 0 || out.size() - done < 4 * together) {
            const auto words = block(element / 4);
            const std::size_t count = std::min(out.size() - done, 4 - skip);
            std::copy_n(words.data() + skip, count, out.data() + done);
            done += count;
            continue;
        }
        std::array<Words, 4> words;
        makeBlocks(element / 4, stream_, key_, words);
        for (std::size_t i = 0; i < together; ++i) {
            for (std::size_t w = 0; w < 4; ++w) {
                out[done + 4 * i + w] = words[w][i];
            }
        }
        done += 4 * together;
    }
}

void Philox::fillNormal(std::uint64_t first, std::span<float> out) const {
    std::size_t done = 0;
    if (first % 2 == 1 && !out.empty()) {
        out[done++] = normal(first);
    }
    std::array<std::uint32_t, 1024> words;
    while (out.size() - done >= 2) {
        const std::size_t count = std::min(words.size(), (out.size() - done) / 2 * 2);
        fillBits(first + done, {words.data(), count});
        for (std::size_t i = 0; i < count; i += 2) {
            const auto pair = normalsFrom(words[i], words[i + 1]);
            out[done + i] = pair[0];
            out[done + i + 1] = pair[1];
        }
        done += count;
    }
    if (done < out.size()) {
        out[done] = normal(first + done);
    }
}

} // namespace weft
