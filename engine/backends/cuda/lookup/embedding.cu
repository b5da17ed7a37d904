// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/teams.h"
#include "backends/cuda/lookup/embedding.h"

#include <cmath>

namespace weft::cuda {

namespace {

__global__ void embeddingKernel(Table of, Integers ids, std::int64_t count, const float* table,
                                float* y) {
    for (std::int64_t e = firstElement(); e < count * of.features; e += elementStep()) {
        const std::int64_t k = quotient(e, of.features);
        const std::int64_t id = ids.at(k);
        const std::int64_t row = id - of.first;
        const bool isNone = id < 0 || id >= of.whole;
        const bool isHere = row >= 0 && row < of.rows;
        y[e] = isNone ? NAN : isHere ? table[row * of.features + e - k * of.features] : 0.0F;
    }
}

/// One warp per row of the table scans all ids, 32 at a time, and adds matching gradients in order.
__global__ void embeddingGradientKernel(Table of, Integers ids, std::int64_t count, const float* dy,
                                        float* dtable) {
    using Warp = Team<false>;
    const std::int64_t lane = Warp::threadInTeam();
    for (std::int64_t row = Warp::firstRow(); row < of.rows; row += Warp::rowStep()) {
        float* const to = dtable + row * of.features;
        for (std::int64_t e = lane; e < of.features; e += 32) {
            to[e] = 0;
        }
        for (std::int64_t first = 0; first < count; first += 32) {
            const bool isOwn = first + lane < count && ids.at(first + lane) == of.first + row;
            for (unsigned own = __ballot_sync(~0U, isOwn); own != 0; own &= own - 1) {
                const float* const from =
                    dy + (first + __ffs(static_cast<int>(own)) - 1) * of.features;
                for (std::int64_t e = lane; e < of.features; e += 32) {
                    to[e] += from[e];
                }
            }
        }
    }
}

} // namespace

void launchEmbedding(const Table& of, const Integers& ids, std::int64_t count, const float* table,
                     float* y, StreamHandle stream) {
    KERNEL_LAUNCH(embeddingKernel, blocksFor(count * of.features), blockThreads, 0, stream, of, ids,
                  count, table, y);
}

void launchEmbeddingGradient(const Table& of, const Integers& ids, std::int64_t count,
                             const float* dy, float* dtable, StreamHandle stream) {
    KERNEL_LAUNCH(embeddingGradientKernel, blocksFor(of.rows * 32), blockThreads, 0, stream, of,
                  ids, count, dy, dtable);
}

} // namespace weft::cuda
