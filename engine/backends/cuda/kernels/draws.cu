// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/bf16_numbers.h"
#include "backends/cuda/kernels/draws.h"
#include "base/philox4x32.h"

namespace weft::cuda {

namespace {

using Word = unsigned long long;

/// The 128-bit product, folded to 64 bits.
[[nodiscard]] __device__ Word folded(Word a, Word b) { return (a * b) ^ __umul64hi(a, b); }

[[nodiscard]] __device__ Word avalanche(Word hash) {
    hash ^= hash >> 37;
    hash *= 0x165667919E3779F9ULL;
    return hash ^ (hash >> 32);
}

/// hash128 of base/hash.h (XXH3 of 128 bits) of the 24 bytes a, b, c.
__device__ void hashOf(Word a, Word b, Word c, Word seed, Word& low, Word& high) {
    constexpr Word prime1 = 0x9E3779B185EBCA87ULL;
    constexpr Word prime2 = 0xC2B2AE3D27D4EB4FULL;
    constexpr Word prime4 = 0x85EBCA77C2B2AE63ULL;
    constexpr Word secret[] = {0xBE4BA423396CFEB8ULL, 0x1CAD21F72C81017CULL, 0xDB979083E96DD4DEULL,
                               0x1F67B3B7A4A44072ULL};
    constexpr Word size = 24;
    Word first = size * prime1 + folded(a ^ (secret[0] + seed), b ^ (secret[1] - seed));
    first ^= b + c;
    Word second = folded(b ^ (secret[2] + seed), c ^ (secret[3] - seed));
    second ^= a + b;
    low = avalanche(first + second);
    high = 0 - avalanche(first * prime1 + second * prime4 + (size - seed) * prime2);
}

__global__ void drawKernel(DrawKey key, Integers step, RandomState* to) {
    Word low = 0;
    Word high = 0;
    hashOf(key.seed, static_cast<Word>(step.at(0)), key.who, key.role, low, high);
    to->key = {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32)};
    to->stream = {static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(high >> 32)};
}

[[nodiscard]] __device__ std::int64_t placeInWhole(const PartOfWhole& part, std::int64_t e) {
    std::int64_t place = part.offset;
    for (std::size_t dim = 0; dim < part.dims; ++dim) {
        const std::int64_t rest = quotient(e, part.size[dim]);
        place += (e - rest * part.size[dim]) * part.step[dim];
        e = rest;
    }
    return place;
}

/// Random words by element; consecutive elements of one block compute the block once.
class Words {
public:
    __device__ explicit Words(const RandomState& from) : from_(from) {}
    [[nodiscard]] __device__ std::uint32_t of(std::int64_t element) {
        if (element / 4 != block_) {
            block_ = element / 4;
            words_ = philox4x32({static_cast<std::uint32_t>(block_),
                                 static_cast<std::uint32_t>(block_ >> 32), from_.stream[0],
                                 from_.stream[1]},
                                from_.key);
        }
        return words_[static_cast<std::size_t>(element % 4)];
    }

private:
    RandomState from_;
    std::int64_t block_ = -1;
    std::array<std::uint32_t, 4> words_ = {};
};

constexpr std::int64_t ofThread = 4; ///< elements, usually of one block

template <class Kept>
__global__ void dropoutKernel(const RandomState* from, PartOfWhole part, std::uint32_t least,
                              float factor, const Kept* x, Kept* y, std::int64_t n) {
    Words words(*from);
    for (std::int64_t k = firstElement() * ofThread; k < n; k += elementStep() * ofThread) {
        for (std::int64_t e = k; e < k + ofThread && e < n; ++e) {
            const bool isKept = words.of(placeInWhole(part, e)) >> 8 >= least;
            y[e] = kept<Kept>(isKept ? toF32(x[e]) * factor : 0.0F);
        }
    }
}

__global__ void uniformKernel(const RandomState* from, PartOfWhole part, float middle, float spread,
                              float* y, std::int64_t n) {
    Words words(*from);
    for (std::int64_t k = firstElement() * ofThread; k < n; k += elementStep() * ofThread) {
        for (std::int64_t e = k; e < k + ofThread && e < n; ++e) {
            const float share = static_cast<float>(words.of(placeInWhole(part, e)) >> 8) * 0x1p-24F;
            y[e] = middle + spread * (2 * share - 1);
        }
    }
}

} // namespace

void launchDraw(const DrawKey& key, const Integers& step, RandomState* to, StreamHandle stream) {
    KERNEL_LAUNCH(drawKernel, 1, 1, 0, stream, key, step, to);
}

template <class Kept>
void launchDropout(const RandomState* from, const PartOfWhole& part, std::uint32_t least,
                   float factor, const Kept* x, Kept* y, std::int64_t n, StreamHandle stream) {
    KERNEL_LAUNCH(dropoutKernel<Kept>, blocksFor((n + ofThread - 1) / ofThread), blockThreads, 0,
                  stream, from, part, least, factor, x, y, n);
}
template void launchDropout(const RandomState*, const PartOfWhole&, std::uint32_t, float,
                            const float*, float*, std::int64_t, StreamHandle);
template void launchDropout(const RandomState*, const PartOfWhole&, std::uint32_t, float,
                            const Bf16*, Bf16*, std::int64_t, StreamHandle);

void launchUniform(const RandomState* from, const PartOfWhole& part, float middle, float spread,
                   float* y, std::int64_t n, StreamHandle stream) {
    KERNEL_LAUNCH(uniformKernel, blocksFor((n + ofThread - 1) / ofThread), blockThreads, 0, stream,
                  from, part, middle, spread, y, n);
}

} // namespace weft::cuda
