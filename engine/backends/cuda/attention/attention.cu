// SPDX-License-Identifier: Apache-2.0
// Each warp has some rows of a tile, each lane a column of the scores or every 32nd feature. Rows
// of tiles are an odd number of floats apart, so that lanes reading one column of 32 rows cause no
// bank conflicts.
#include "backends/cuda/attention/attention_parts.h"
#include "backends/cuda/kernels/teams.h"

namespace weft::cuda {

namespace {

constexpr int lanes = 32;
constexpr int warps = static_cast<int>(blockThreads) / lanes;
constexpr int mostRows = 32; ///< rows of a tile, one lane each
constexpr int rowsEach = mostRows / warps;
constexpr std::int64_t sharedBytes = 48 << 10; ///< shared memory per block that every GPU provides

__device__ int laneOf() { return static_cast<int>(threadIdx.x) % lanes; }
__device__ int warpOf() { return static_cast<int>(threadIdx.x) / lanes; }

constexpr int odd(int n) { return n | 1; }

/// Rows of an operand in shared memory.
struct Rows {
    float* at;
    int step; ///< stride between rows
};

/// Allocates from a block's shared memory.
struct Room {
    float* next;
    __device__ Rows rows(int count, int width) {
        const Rows made{next, odd(width)};
        next += count * made.step;
        return made;
    }
    __device__ float* numbers(int count) {
        float* const made = next;
        next += count;
        return made;
    }
};

std::int64_t roomOf(const Attention& attention, AttentionPass pass, std::int64_t rows) {
    const std::int64_t d = odd(attention.d);
    const std::int64_t e = odd(attention.e);
    const std::int64_t scores = odd(static_cast<int>(rows)) + 2; // and two numbers per row
    switch (pass) {
    case AttentionPass::forward: return rows * (2 * d + 2 * e + scores);
    case AttentionPass::dq:
    case AttentionPass::dk: return rows * (3 * d + 2 * e + scores);
    case AttentionPass::dv: return rows * (2 * d + 2 * e + scores);
    }
    return 0;
}

/// Loads rows [first, first + tile) of `from` [count, width]; 0 beyond its end.
__device__ void bring(const float* from, std::int32_t first, std::int32_t count, int width,
                      int tile, const Rows& to) {
    for (int row = warpOf(); row < tile; row += warps) {
        for (int x = laneOf(); x < width; x += lanes) {
            const bool isInside = first + row < count;
            to.at[row * to.step + x] =
                isInside ? from[static_cast<std::int64_t>(first + row) * width + x] : 0;
        }
    }
}

/// sums[r] = sum_x left[row r of this warp][x] right[x], with the given strides.
struct Sums {
    float of[rowsEach] = {};
};
__device__ Sums product(const float* left, int leftRow, int leftStep, const float* right,
                        int rightStep, int count, int rows) {
    Sums sums;
    for (int x = 0; x < count && warpOf() < rows; ++x) {
        const float number = right[x * rightStep];
        for (int r = 0; r < rowsEach; ++r) {
            const int row = warpOf() + r * warps; // rows of other warps may not be complete
            const int own = row < rows ? row : warpOf();
            sums.of[r] += left[own * leftRow + x * leftStep] * number;
        }
    }
    return sums;
}

/// Adds products to rows of `to`, column by column: left [rows, count] with strides, right [count,
/// width].
__device__ void addProduct(const float* left, int leftRow, int leftStep, const Rows& right,
                           int count, int width, int rows, const Rows& to) {
    for (int x = laneOf(); x < width; x += lanes) {
        const Sums sums = product(left, leftRow, leftStep, right.at + x, right.step, count, rows);
        for (int r = 0; r < rowsEach; ++r) {
            const int row = warpOf() + r * warps;
            if (row < rows) {
                to.at[row * to.step + x] += sums.of[r];
            }
        }
    }
}

__device__ void clear(const Rows& rows, int tile, int width) {
    for (int row = warpOf(); row < tile; row += warps) {
        for (int x = laneOf(); x < width; x += lanes) {
            rows.at[row * rows.step + x] = 0;
        }
    }
}

/// Stores rows [first, first + tile) to `to` [count, width].
__device__ void write(const Rows& rows, int tile, std::int32_t first, std::int32_t count, int width,
                      float* to) {
    for (int row = warpOf(); row < tile && first + row < count; row += warps) {
        for (int x = laneOf(); x < width; x += lanes) {
            to[static_cast<std::int64_t>(first + row) * width + x] = rows.at[row * rows.step + x];
        }
    }
}

/// Running maximum and sum of a row over the keys so far: o is the sum of exp(s - most) v.
struct Running {
    float most = -INFINITY, sum = 0;
};

/// Converts scores of this warp's rows to exp(s - most); returns the factors that rescale earlier
/// sums.
__device__ Sums exponentials(const Attention& attention, std::int32_t firstQuery,
                             std::int32_t firstKey, int tile, int rows, const Sums& products,
                             const Rows& scores, Running (&running)[rowsEach]) {
    Sums shrink;
    for (int r = 0; r < rowsEach; ++r) {
        const int row = warpOf() + r * warps;
        if (row >= rows) {
            continue; // uniform over the warp
        }
        const bool isSeen =
            laneOf() < tile && attends(attention, firstQuery + row, firstKey + laneOf());
        const float score = isSeen ? attention.scale * products.of[r] : -INFINITY;
        const float most = fmaxf(running[r].most, joinedInWarp(Maximum{}, score));
        const float p = isSeen ? expf(score - most) : 0;
        const float factor = most == -INFINITY ? 1 : expf(running[r].most - most);
        running[r] = {most, running[r].sum * factor + joinedInWarp(Sum{}, p)};
        shrink.of[r] = factor;
        if (laneOf() < tile) {
            scores.at[row * scores.step + laneOf()] = p;
        }
    }
    return shrink;
}

__device__ void shrinkRows(const Rows& sums, int rows, int width, const Sums& factors) {
    for (int r = 0; r < rowsEach; ++r) {
        const int row = warpOf() + r * warps;
        for (int x = laneOf(); x < width && row < rows; x += lanes) {
            sums.at[row * sums.step + x] *= factors.of[r];
        }
    }
}

__device__ void bringKeys(const Attention& attention, const AttentionOperands& from,
                          std::int64_t head, std::int32_t key, int tile, const Rows& k,
                          const Rows& v) {
    bring(from.k + head * attention.keys * attention.d, key, attention.keys, attention.d, tile, k);
    bring(from.v + head * attention.keys * attention.e, key, attention.keys, attention.e, tile, v);
    __syncthreads();
}

__global__ void __launch_bounds__(blockThreads)
    attentionKernel(Attention at, AttentionOperands from, int tile, float* o, float* lse) {
    DYNAMIC_SHARED(float, shared);
    Room room{shared};
    const Rows q = room.rows(tile, at.d);
    const Rows k = room.rows(tile, at.d);
    const Rows v = room.rows(tile, at.e);
    const Rows sums = room.rows(tile, at.e);
    const Rows scores = room.rows(tile, tile);
    const auto [head, first] = blockRowsOf(at.queries, tile);
    const int rows = std::min(tile, at.queries - first);
    Running running[rowsEach];
    bring(from.q + head * at.queries * at.d, first, at.queries, at.d, tile, q);
    clear(sums, tile, at.e);
    const IndexRange keys = keysAttendedBy(at, first, tile);
    for (std::int32_t key = keys.begin; key < keys.end; key += tile) {
        bringKeys(at, from, head, key, tile, k, v);
        const float* const ofLane = k.at + std::min(laneOf(), tile - 1) * k.step;
        const Sums products = product(q.at, q.step, 1, ofLane, 1, at.d, rows);
        shrinkRows(sums, rows, at.e,
                   exponentials(at, first, key, tile, rows, products, scores, running));
        __syncwarp();
        addProduct(scores.at, scores.step, 1, v, std::min(tile, keys.end - key), at.e, rows, sums);
        __syncthreads();
    }
    Sums share;
    for (int r = 0; r < rowsEach; ++r) {
        const int row = warpOf() + r * warps;
        share.of[r] = 1 / running[r].sum;
        if (row < rows && laneOf() == 0) {
            lse[head * at.queries + first + row] = running[r].most + logf(running[r].sum);
        }
    }
    shrinkRows(sums, rows, at.e, share);
    write(sums, tile, first, at.queries, at.e, o + head * at.queries * at.e);
}

/// Loads lse for a tile of queries, and do . o if the gradient of the scores needs it.
__device__ void bringRows(const Attention& attention, const AttentionOperands& from,
                          std::int64_t head, std::int32_t first, int tile, const Rows& dO,
                          float* lse, float* own) {
    for (int row = warpOf(); row < tile && first + row < attention.queries; row += warps) {
        const std::int64_t query = head * attention.queries + first + row;
        float sum = 0;
        for (int x = laneOf(); x < attention.e && from.o != nullptr; x += lanes) {
            sum += dO.at[row * dO.step + x] * from.o[query * attention.e + x];
        }
        sum = joinedInWarp(Sum{}, sum);
        if (laneOf() == 0) {
            lse[row] = from.lse[query];
            own[row] = sum;
        }
    }
}

/// The result of one tile of queries and keys: p, or scale ds, [queries, keys].
struct Pair {
    Rows q, k, v, dO, scores;
    float* lse;
    float* own; ///< do . o
    int tile;
};
__device__ void probabilities(const Attention& attention, const Pair& tiles,
                              std::int32_t firstQuery, std::int32_t firstKey, bool isGradient) {
    const int tile = tiles.tile;
    const int rows = std::min(tile, attention.queries - firstQuery);
    const int lane = std::min(laneOf(), tile - 1);
    const Sums products = product(tiles.q.at, tiles.q.step, 1, tiles.k.at + lane * tiles.k.step, 1,
                                  attention.d, rows);
    Sums changes;
    if (isGradient) {
        changes = product(tiles.dO.at, tiles.dO.step, 1, tiles.v.at + lane * tiles.v.step, 1,
                          attention.e, rows);
    }
    for (int r = 0; r < rowsEach; ++r) {
        const int row = warpOf() + r * warps;
        if (row < rows && laneOf() < tile) {
            const bool isSeen = attends(attention, firstQuery + row, firstKey + laneOf());
            const float p = isSeen ? expf(attention.scale * products.of[r] - tiles.lse[row]) : 0;
            const float factor =
                isGradient ? attention.scale * (changes.of[r] - tiles.own[row]) : 1;
            tiles.scores.at[row * tiles.scores.step + laneOf()] = p * factor;
        }
    }
}

__global__ void __launch_bounds__(blockThreads)
    queryGradientKernel(Attention at, AttentionOperands from, int tile, float* dq) {
    DYNAMIC_SHARED(float, shared);
    Room room{shared};
    const Pair tiles{
        room.rows(tile, at.d), room.rows(tile, at.d), room.rows(tile, at.e), room.rows(tile, at.e),
        room.rows(tile, tile), room.numbers(tile),    room.numbers(tile),    tile};
    const Rows sums = room.rows(tile, at.d);
    const auto [head, first] = blockRowsOf(at.queries, tile);
    bring(from.q + head * at.queries * at.d, first, at.queries, at.d, tile, tiles.q);
    bring(from.dO + head * at.queries * at.e, first, at.queries, at.e, tile, tiles.dO);
    clear(sums, tile, at.d);
    __syncthreads();
    bringRows(at, from, head, first, tile, tiles.dO, tiles.lse, tiles.own);
    const IndexRange keys = keysAttendedBy(at, first, tile);
    for (std::int32_t key = keys.begin; key < keys.end; key += tile) {
        bringKeys(at, from, head, key, tile, tiles.k, tiles.v);
        probabilities(at, tiles, first, key, true);
        __syncwarp();
        addProduct(tiles.scores.at, tiles.scores.step, 1, tiles.k, std::min(tile, keys.end - key),
                   at.d, std::min(tile, at.queries - first), sums);
        __syncthreads();
    }
    write(sums, tile, first, at.queries, at.d, dq + head * at.queries * at.d);
}

/// dk, or dv if `isOfValues`: rows are keys, columns are queries.
template <bool isOfValues>
__global__ void __launch_bounds__(blockThreads)
    keyGradientKernel(Attention at, AttentionOperands from, int tile, float* gradient) {
    DYNAMIC_SHARED(float, shared);
    Room room{shared};
    Pair tiles{room.rows(tile, at.d),
               room.rows(tile, at.d),
               {},
               room.rows(tile, at.e),
               room.rows(tile, tile),
               room.numbers(tile),
               room.numbers(tile),
               tile};
    const int width = isOfValues ? at.e : at.d;
    const Rows sums = room.rows(tile, width);
    const auto [head, first] = blockRowsOf(at.keys, tile);
    bring(from.k + head * at.keys * at.d, first, at.keys, at.d, tile, tiles.k);
    if (!isOfValues) {
        tiles.v = room.rows(tile, at.e);
        bring(from.v + head * at.keys * at.e, first, at.keys, at.e, tile, tiles.v);
    }
    clear(sums, tile, width);
    const IndexRange queries = queriesAttendingTo(at, first, tile);
    for (std::int32_t query = queries.begin; query < queries.end; query += tile) {
        bring(from.q + head * at.queries * at.d, query, at.queries, at.d, tile, tiles.q);
        bring(from.dO + head * at.queries * at.e, query, at.queries, at.e, tile, tiles.dO);
        __syncthreads();
        bringRows(at, from, head, query, tile, tiles.dO, tiles.lse, tiles.own);
        __syncwarp();
        probabilities(at, tiles, query, first, !isOfValues);
        __syncthreads();
        addProduct(tiles.scores.at, 1, tiles.scores.step, isOfValues ? tiles.dO : tiles.q,
                   std::min(tile, at.queries - query), width, std::min(tile, at.keys - first),
                   sums);
        __syncthreads();
    }
    write(sums, tile, first, at.keys, width, gradient + head * at.keys * width);
}

} // namespace

int attentionTile(const Attention& attention, AttentionPass pass) {
    int rows = mostRows;
    while (rows > 0 &&
           roomOf(attention, pass, rows) * static_cast<std::int64_t>(sizeof(float)) > sharedBytes) {
        rows /= 2;
    }
    return rows;
}

void launchAttention(const Attention& attention, AttentionPass pass, const AttentionOperands& from,
                     float* result, float* lse, StreamHandle stream) {
    const int tile = attentionTile(attention, pass);
    const auto bytes = static_cast<unsigned>(roomOf(attention, pass, tile) *
                                             static_cast<std::int64_t>(sizeof(float)));
    if (pass == AttentionPass::forward) {
        KERNEL_LAUNCH(attentionKernel, blockCount(attention, attention.queries, tile), blockThreads,
                      bytes, stream, attention, from, tile, result, lse);
        return;
    }
    const std::int32_t rows = pass == AttentionPass::dq ? attention.queries : attention.keys;
    const auto kernel = pass == AttentionPass::dq   ? queryGradientKernel
                        : pass == AttentionPass::dk ? keyGradientKernel<false>
                                                    : keyGradientKernel<true>;
    KERNEL_LAUNCH(kernel, blockCount(attention, rows, tile), blockThreads, bytes, stream, attention,
                  from, tile, result);
}

} // namespace weft::cuda
