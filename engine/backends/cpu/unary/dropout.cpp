// SPDX-License-Identifier: Apache-2.0
// y = x / (1 - rate) where uniform(key, step, index in the whole) >= rate, else 0. The random
// numbers equal those of base/philox.h, computed in sixteen parallel blocks.
#include "backends/cpu/elementwise.h"
#include "backends/cpu/integers.h"
#include "base/philox.h"
#include "device/rows.h"

#include <cmath>

namespace weft::cpu {

void dropout(KernelList& list);

namespace {

constexpr std::int64_t blocks = 16;
constexpr std::int64_t drawn = 4 * blocks; ///< elements per call of draw

/// Computes elements 4 * block ... of the generator: out[i] is element 4 * block + i.
inline void __attribute__((always_inline))
draw(std::uint64_t block, std::array<std::uint32_t, 2> stream, std::array<std::uint32_t, 2> key,
     std::uint32_t* out) {
    std::uint32_t words[4][blocks];
    for (std::int64_t i = 0; i < blocks; ++i) {
        const std::uint64_t counter = block + static_cast<std::uint64_t>(i);
        words[0][i] = static_cast<std::uint32_t>(counter);
        words[1][i] = static_cast<std::uint32_t>(counter >> 32U);
        words[2][i] = stream[0];
        words[3][i] = stream[1];
    }
    std::uint32_t keyA = key[0];
    std::uint32_t keyB = key[1];
    for (int round = 0; round < 10; ++round) {
#pragma omp simd
        for (std::int64_t i = 0; i < blocks; ++i) {
            const std::uint64_t a = std::uint64_t{0xD2511F53U} * words[0][i];
            const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * words[2][i];
            words[0][i] = static_cast<std::uint32_t>(b >> 32U) ^ words[1][i] ^ keyA;
            words[1][i] = static_cast<std::uint32_t>(b);
            words[2][i] = static_cast<std::uint32_t>(a >> 32U) ^ words[3][i] ^ keyB;
            words[3][i] = static_cast<std::uint32_t>(a);
        }
        keyA += 0x9E3779B9U;
        keyB += 0xBB67AE85U;
    }
    for (std::int64_t i = 0; i < blocks; ++i) {
        for (std::int64_t w = 0; w < 4; ++w) {
            out[4 * i + w] = words[w][i];
        }
    }
}

/// Runs of elements that are also contiguous in the whole.
struct Runs {
    std::int64_t length = 1;
    Shape size, begin, step; ///< dims outside a run: size, begin, and stride in the whole

    explicit Runs(const TensorPart& part) {
        const Shape& whole = part.whole.empty() ? part.shape : part.whole;
        std::int64_t distance = 1;
        bool isDense = true;
        for (std::size_t dim = part.shape.size(); dim-- > 0;) {
            const std::int64_t first = part.begin.empty() ? 0 : part.begin[dim];
            if (isDense) {
                length *= part.shape[dim];
                offset_ += first * distance;
                isDense = part.shape[dim] == whole[dim];
            } else {
                size.push_back(part.shape[dim]);
                begin.push_back(first);
                step.push_back(distance);
            }
            distance *= whole[dim];
        }
    }
    /// Index in the whole of the first element of run `n`.
    [[nodiscard]] std::int64_t first(std::int64_t n) const {
        std::int64_t at = offset_;
        for (std::size_t k = 0; k < size.size(); ++k) { // innermost first
            at += (begin[k] + n % size[k]) * step[k];
            n /= size[k];
        }
        return at;
    }

private:
    std::int64_t offset_ = 0;
};

struct Mask {
    std::array<std::uint32_t, 2> key, stream;
    std::uint32_t least; ///< elements with 24 bits from this on are kept
    float factor;
};

/// Elements [begin, end) of one run that begins at `first` in the whole.
inline void __attribute__((always_inline))
dropRun(const Mask& mask, std::int64_t first, const float* x, float* y, std::int64_t begin,
        std::int64_t end) {
    std::uint32_t bits[drawn];
    for (std::int64_t k = begin; k < end;) {
        const std::int64_t element = first + k;
        const std::int64_t skip = element % 4;
        draw(static_cast<std::uint64_t>(element / 4), mask.stream, mask.key, bits);
        const std::int64_t count = std::min(end - k, drawn - skip);
        const std::uint32_t* const from = bits + skip;
#pragma omp simd
        for (std::int64_t i = 0; i < count; ++i) {
            const float value = x[k + i] * mask.factor;
            y[k + i] = (from[i] >> 8U) >= mask.least ? value : 0.0F;
        }
        k += count;
    }
}

ChoiceOrRefusal choose(const KernelRequest& request) {
    const double rate = request.attributes.real("rate");
    const Runs runs(request.inputs[0]);
    const std::int64_t elements = request.inputs[0].elements();
    const IntegerReader stepOf(request.inputs[1].dtype);
    const std::uint64_t seed = request.randomKey;
    const int cores = request.cores;
    return allPlain(
        request, choiceOf([=](const KernelArguments& arguments) {
            const Philox philox(Draw{.seed = seed, .step = stepOf(arguments.inputs[1], 0)});
            const Mask mask{philox.key(), philox.stream(),
                            static_cast<std::uint32_t>(std::ceil(rate * 0x1p24)),
                            1.0F / static_cast<float>(1 - rate)};
            const auto* const x = input<float>(arguments, 0);
            auto* const y = output<float>(arguments, 0);
            shareOut(cores, elements, drawn, 8 * elements, [&](Range range) {
                vectorised([&]() __attribute__((always_inline)) {
                    while (range.begin < range.end) {
                        const std::int64_t run = range.begin / runs.length;
                        const std::int64_t from = run * runs.length;
                        const std::int64_t end = std::min(range.end, from + runs.length);
                        dropRun(mask, runs.first(run), x + from, y + from, range.begin - from,
                                end - from);
                        range.begin = end;
                    }
                });
            });
        }));
}

} // namespace

void dropout(KernelList& list) { list.add({"dropout", "cpu", choose}); }

} // namespace weft::cpu
