// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers for ops with a separate number or result per batch element. An element is contiguous in
// every format whose outermost dim is the batch.

#include "backends/cpu/request.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/team.h"

namespace weft::cpu {

/// Batch elements of `size` floats each.
struct BatchElements {
    std::int64_t count = 0; ///< number of batch elements
    std::int64_t size = 0;  ///< floats per batch element

    /// The first `dims` dims index the elements.
    BatchElements(const TensorPart& part, std::size_t dims) : count(1) {
        for (std::size_t k = 0; k < dims; ++k) {
            count *= part.shape[k];
        }
        size = part.elements() / std::max<std::int64_t>(1, count);
    }

    explicit BatchElements(const TensorPart& part)
        : count(part.shape[0]), size(part.elements() / std::max<std::int64_t>(1, count)) {}

    static constexpr std::int64_t block = 8192; ///< floats per partial sum
    [[nodiscard]] std::int64_t blocks() const { return (size + block - 1) / block; }
    [[nodiscard]] Bytes scratch() const {
        return {count * blocks() * static_cast<std::int64_t>(sizeof(double))};
    }

    /// Calls work(element, begin, end) over all floats, divided among the cores.
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

    /// Adds the double sum(begin, end) of each element's blocks, in a fixed order for any number of
    /// cores; calls finish(element, total).
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
