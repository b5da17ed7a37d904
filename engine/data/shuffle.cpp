// SPDX-License-Identifier: Apache-2.0
#include "data/shuffle.h"

#include <weft/error.h>

#include <algorithm>
#include <bit>

namespace weft {

namespace {

/// The finaliser of SplitMix64: every bit of the result depends on every bit of the value.
std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

} // namespace

Permutation::Permutation(std::int64_t size, const Draw& draw)
    : size_(static_cast<std::uint64_t>(size)) {
    ensure(size > 0, "a permutation has at least one element");
    const auto bits = std::max(2U, static_cast<unsigned>(std::bit_width(size_ - 1)));
    upperBits_ = bits / 2;
    lowerBits_ = bits - upperBits_;
    const Philox words(draw);
    for (std::size_t round = 0; round < keys_.size(); ++round) {
        keys_[round] = (std::uint64_t{words.bits(2 * round)} << 32U) | words.bits(2 * round + 1);
    }
}

std::uint64_t Permutation::permuteOnce(std::uint64_t value) const {
    std::uint64_t upper = value >> lowerBits_;
    std::uint64_t lower = value & ((std::uint64_t{1} << lowerBits_) - 1);
    for (std::size_t round = 0; round < keys_.size(); round += 2) {
        upper ^= mixed(lower + keys_[round]) >> (64 - upperBits_);
        lower ^= mixed(upper + keys_[round + 1]) >> (64 - lowerBits_);
    }
    return (upper << lowerBits_) | lower;
}

std::int64_t Permutation::operator()(std::int64_t position) const {
    auto value = static_cast<std::uint64_t>(position);
    ensure(value < size_, "a position of a permutation lies inside it");
    do {
        value = permuteOnce(value);
    } while (value >= size_);
    return static_cast<std::int64_t>(value);
}

Permutation shuffled(std::int64_t size, std::uint64_t seed, std::int64_t epoch) {
    return {size, {.seed = seed, .role = "shuffle", .step = epoch}};
}

} // namespace weft
