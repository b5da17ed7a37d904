// SPDX-License-Identifier: Apache-2.0
#include "run/measure/trial_sets.h"

#include <algorithm>
#include <random>

namespace weft {

namespace {

constexpr std::int64_t placed = 256; ///< alignment of operands
constexpr std::int64_t largestCache = std::int64_t{128} << 20;
/// Limit: small operands stay in the cache within a step, too.
constexpr std::int64_t mostSets = 16;

std::int64_t roundedUp(std::int64_t bytes) { return (bytes + placed - 1) / placed * placed; }

/// Returns the bytes of one set's operands, each aligned.
std::int64_t bytesOf(const std::vector<Bytes>& operands) {
    std::int64_t bytes = 0;
    for (const Bytes size : operands) {
        bytes += roundedUp(size.count);
    }
    return bytes;
}

std::int64_t setsOf(const KernelAlgorithms& ways) {
    const std::int64_t bytes =
        std::max<std::int64_t>(1, bytesOf(ways.inputs) + bytesOf(ways.outputs));
    return std::clamp<std::int64_t>((largestCache + bytes - 1) / bytes, 2, mostSets);
}

struct Sizes {
    std::int64_t inputs = 0, outputs = 0, scratch = 0;
};

Sizes sizesFor(std::span<const KernelAlgorithms* const> all) {
    Sizes most;
    for (const KernelAlgorithms* ways : all) {
        const std::int64_t sets = setsOf(*ways);
        most.inputs = std::max(most.inputs, sets * bytesOf(ways->inputs));
        most.outputs = std::max(most.outputs, sets * bytesOf(ways->outputs));
        most.scratch = std::max(most.scratch, ways->scratch.count);
    }
    return most;
}

/// Returns two bf16 numbers with absolute values in [0.5, 2), which together form one such f32
/// number.
std::uint32_t randomPair(std::mt19937& random) {
    constexpr std::uint32_t drawn = 0x80FF80FFU; // signs, last exponent bits, fractions
    constexpr std::uint32_t base = 0x3F003F00U;
    return (static_cast<std::uint32_t>(random()) & drawn) | base;
}

void fill(const Arena& arena, Device& device) {
    constexpr std::int64_t pairs = std::int64_t{1} << 20;
    constexpr auto pairBytes = static_cast<std::int64_t>(sizeof(std::uint32_t));
    const std::int64_t bytes = arena.size().count;
    std::mt19937 random(1);
    std::vector<std::uint32_t> block(
        static_cast<std::size_t>(std::min(pairs, bytes / pairBytes + 1)));
    std::ranges::generate(block, [&random] { return randomPair(random); });
    const auto blockBytes = static_cast<std::int64_t>(block.size()) * pairBytes;
    for (std::int64_t begin = 0; begin < bytes; begin += blockBytes) {
        device.copyIn(static_cast<std::byte*>(arena.address()) + begin, block.data(),
                      {std::min(blockBytes, bytes - begin)});
    }
}

/// Returns the operand addresses of every set, one set after another.
template <class Address>
std::vector<std::vector<Address>> placesOf(const std::vector<Bytes>& operands, std::int64_t sets,
                                           const Arena& arena) {
    auto* next = static_cast<std::byte*>(arena.address());
    std::vector<std::vector<Address>> places(static_cast<std::size_t>(sets));
    for (std::vector<Address>& set : places) {
        for (const Bytes size : operands) {
            set.push_back(next);
            next += roundedUp(size.count);
        }
    }
    return places;
}

} // namespace

Bytes TrialSets::memoryFor(std::span<const KernelAlgorithms* const> all) {
    const Sizes sizes = sizesFor(all);
    return {sizes.inputs + sizes.outputs + sizes.scratch};
}

TrialSets::TrialSets(std::span<const KernelAlgorithms* const> all, Device& device) {
    const Sizes sizes = sizesFor(all);
    inputs_ = device.allocate({sizes.inputs});
    outputs_ = device.allocate({sizes.outputs});
    scratch_ = device.allocate({sizes.scratch});
    fill(*inputs_, device);
}

TrialSets::Calls TrialSets::callsOf(const KernelAlgorithms& ways) const {
    const std::int64_t sets = setsOf(ways);
    Calls calls;
    calls.inputs_ = placesOf<const void*>(ways.inputs, sets, *inputs_);
    calls.outputs_ = placesOf<void*>(ways.outputs, sets, *outputs_);
    calls.scratch_ = scratch_->address();
    return calls;
}

KernelArguments TrialSets::Calls::arguments(std::size_t call, Stream& stream) const {
    const std::size_t set = call % sets();
    return {inputs_[set], outputs_[set], scratch_, &stream};
}

} // namespace weft
