// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ops that know the elements of a batch: something of each for its own, or a number of each. An
// element is one run of floats in every format in which its dim is the outermost.

#include "backends/cpu/request.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/team.h"

namespace weft::cpu {

/// Elements of a batch, each `size` floats.
struct Runs {
    std::int64_t count = 0;
    std::int64_t size = 0;

    /// The first `dims` of the value tell elements apart.
    Runs(const TensorPart& part, std::size_t dims) : count(1) {
        for (std::size_t k = 0; k < dims; ++k) {
            count *= part.shape[k];
        }
        size = part.elements() / std::max<std::int64_t>(1, count);
    }

    explicit Runs(const TensorPart& part)
        : count(part.shape[0]), size(part.elements() / std::max<std::int64_t>(1, count)) {}

    static constexpr std::int64_t block = 8192; ///< of one sum that one core makes
    [[nodiscard]] std::int64_t blocks() const { return (size + block - 1) / block; }
    [[nodiscard]] Bytes scratch() const {
        return {count * blocks() * static_cast<std::int64_t>(sizeof(double))};
    }

    /// work(element, begin, end) over all floats, shared out among the cores.
    template <class Work>
    void onEach(int cores, int streams, const Work& work) const {
        shareOut(cores, count * size, 16, count * size * streams, [&](Range range) {
            while (range.begin < range.end) {
                const std::int64_t element = range.begin / size;
                const std::int64_t first = element * size;
                const std::int64_t end = std::min(range.end, first + size);
                vectorised([&]()
                               __attribute__((always_inline)) { work(element, range.begin, end); });
                range.begin = end;
            }
        });
    }

    /// The double sum(begin, end) of each element's blocks, added in their order whoever made them;
    /// finish(element, total).
    template <class Sum, class Finish>
    void sums(int cores, void* scratch, const Sum& sum, const Finish& finish) const {
        auto* const parts = static_cast<double*>(scratch);
        shareOut(cores, count * blocks(), 1, count * size, [&](Range range) {
            vectorised([&]() __attribute__((always_inline)) {
                for (std::int64_t k = range.begin; k < range.end; ++k) {
                    const std::int64_t first = k / blocks() * size;
                    const std::int64_t begin = first + k % blocks() * block;
                    parts[k] = sum(begin, std::min(first + size, begin + block));
                }
            });
        });
        for (std::int64_t element = 0; element < count; ++element) {
            double total = 0;
            for (std::int64_t k = 0; k < blocks(); ++k) {
                total += parts[element * blocks() + k];
            }
            finish(element, total);
        }
    }
};

} // namespace weft::cpu
