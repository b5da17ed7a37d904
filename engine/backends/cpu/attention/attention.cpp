// SPDX-License-Identifier: Apache-2.0
// Per example and head, over whole indices of queries and keys:
//   s[i, j] = scale (q_i . k_j) where j <= i or not causal, p = softmax_j s, o = p v
//   lse[i] = log sum_j exp(s[i, j]);  p[i, j] = exp(s[i, j] - lse[i])
//   dv_j = sum_i p[i, j] do_i;  ds[i, j] = p[i, j] (do_i . v_j - do_i . o_i)
//   dq_i = scale sum_j ds[i, j] k_j;  dk_j = scale sum_i ds[i, j] q_i
// In tiles of 64 queries by 64 keys. A core computes whole tiles of rows of its result, so no sum
// is shared; forward keeps a running maximum and sum per query, so memory does not grow with the
// length.
#include "backends/cpu/functions.h"
#include "backends/cpu/products/tile_product.h"
#include "backends/cpu/request.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/team.h"

#include <cmath>
#include <limits>

namespace weft::cpu {

void attention(KernelList& list);

namespace {

constexpr std::int64_t tile = 64;

struct Sizes {
    std::int64_t heads, queries, keys, d, e; ///< heads of all examples
    std::int64_t firstQuery, firstKey;
    bool isCausal;
    float scale;
    int cores;

    /// q [b, h, q, d] and k [b, h, k, d] are the first operands of all kernels; `width` is e.
    Sizes(const KernelRequest& request, std::int64_t width) : e(width) {
        const TensorPart& q = request.inputs[0];
        const TensorPart& k = request.inputs[1];
        heads = q.shape[0] * q.shape[1];
        queries = q.shape[2];
        keys = k.shape[2];
        d = q.shape[3];
        firstQuery = q.begin.empty() ? 0 : q.begin[2];
        firstKey = k.begin.empty() ? 0 : k.begin[2];
        isCausal = request.attributes.boolean("causal");
        scale = static_cast<float>(request.attributes.real("scale"));
        cores = request.cores;
    }
    /// Floats per core: transposed tiles of k and v, scores, their gradients, numbers per row.
    [[nodiscard]] std::int64_t room() const { return tile * (d + e + 2 * tile + 4); }
    [[nodiscard]] Bytes scratch() const {
        return {room() * cores * static_cast<std::int64_t>(sizeof(float))};
    }
    /// Number of this part's keys that some query below `lastQuery` attends to.
    [[nodiscard]] std::int64_t keysSeenBelow(std::int64_t lastQuery) const {
        const std::int64_t seen = firstQuery + lastQuery - firstKey;
        return isCausal ? std::clamp<std::int64_t>(seen, 0, keys) : keys;
    }
    /// First query of this part that attends to key `key`, rounded down to a tile.
    [[nodiscard]] std::int64_t firstToSee(std::int64_t key) const {
        const std::int64_t first = firstKey + key - firstQuery;
        return isCausal ? std::max<std::int64_t>(first, 0) / tile * tile : 0;
    }
};

/// Rows [i, i + rows) of queries and keys [j, j + columns) of one head.
struct Block {
    std::int64_t i, rows, j, columns;
};

struct Room {
    float* kTurned; ///< [d, tile]
    float* vTurned; ///< [e, tile]
    float* scores;  ///< [tile, tile]
    float* slopes;  ///< [tile, tile]
    float* perRow;  ///< four numbers per row

    Room(const Sizes& sizes, float* first) {
        kTurned = first;
        vTurned = kTurned + tile * sizes.d;
        scores = vTurned + tile * sizes.e;
        slopes = scores + tile * tile;
        perRow = slopes + tile * tile;
    }
};

/// turned[x, r] = rows[r, x]
inline void __attribute__((always_inline))
turn(const float* rows, std::int64_t count, std::int64_t width, float* turned) {
    for (std::int64_t r = 0; r < count; ++r) {
        for (std::int64_t x = 0; x < width; ++x) {
            turned[x * tile + r] = rows[r * width + x];
        }
    }
}

inline void __attribute__((always_inline)) clear(float* numbers, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
        numbers[k] = 0;
    }
}

/// scores = scale q k^T, -infinity where masked.
template <int width>
inline void __attribute__((always_inline))
scoreTile(const Sizes& sizes, const Block& b, const float* q, const Room& room) {
    clear(room.scores, tile * tile);
    multiplyAdd<width>({b.rows, b.columns, sizes.d, q + b.i * sizes.d, sizes.d, 1, room.kTurned,
                        tile, room.scores, tile});
    for (std::int64_t r = 0; r < b.rows; ++r) {
        float* const row = room.scores + r * tile;
        const std::int64_t seen =
            sizes.isCausal ? sizes.firstQuery + b.i + r - sizes.firstKey - b.j + 1 : b.columns;
#pragma omp simd
        for (std::int64_t c = 0; c < b.columns; ++c) {
            row[c] = c < seen ? row[c] * sizes.scale : -std::numeric_limits<float>::infinity();
        }
    }
}

/// Converts scores to probabilities with the known lse.
inline void __attribute__((always_inline))
probabilities(const Block& b, const float* lse, const Room& room) {
    for (std::int64_t r = 0; r < b.rows; ++r) {
        float* const row = room.scores + r * tile;
        const float sum = lse[b.i + r];
#pragma omp simd
        for (std::int64_t c = 0; c < b.columns; ++c) {
            row[c] = exponential(row[c] - sum);
        }
    }
}

/// Online softmax: updates the running maximum m and sum of each row with the tile's scores,
/// rescales the row of o, and leaves exp(s - m) in the tile.
inline void __attribute__((always_inline))
takeIn(const Sizes& sizes, const Block& b, const Room& room, float* o) {
    float* const maximum = room.perRow;
    float* const sum = room.perRow + tile;
    for (std::int64_t r = 0; r < b.rows; ++r) {
        float* const row = room.scores + r * tile;
        float m = maximum[r];
#pragma omp simd reduction(max : m)
        for (std::int64_t c = 0; c < b.columns; ++c) {
            m = row[c] > m ? row[c] : m;
        }
        // Fully masked rows keep m = -infinity; this avoids -inf - -inf.
        const bool hasSeen = m > -std::numeric_limits<float>::infinity();
        const float base = hasSeen ? m : 0.0F;
        const float shrink = exponential(maximum[r] - base);
        float total = 0;
#pragma omp simd reduction(+ : total)
        for (std::int64_t c = 0; c < b.columns; ++c) {
            row[c] = exponential(row[c] - base);
            total += row[c];
        }
        sum[r] = sum[r] * shrink + total;
        maximum[r] = m;
        float* const to = o + (b.i + r) * sizes.e;
#pragma omp simd
        for (std::int64_t x = 0; x < sizes.e; ++x) {
            to[x] *= shrink;
        }
    }
}

/// Computes o and lse for one tile of queries of one head.
template <int width>
inline void __attribute__((always_inline))
forwardTile(const Sizes& sizes, std::int64_t head, std::int64_t i, const KernelArguments& args,
            const Room& room) {
    const float* const q = input<float>(args, 0) + head * sizes.queries * sizes.d;
    const float* const k = input<float>(args, 1) + head * sizes.keys * sizes.d;
    const float* const v = input<float>(args, 2) + head * sizes.keys * sizes.e;
    float* const o = output<float>(args, 0) + head * sizes.queries * sizes.e;
    float* const lse = output<float>(args, 1) + head * sizes.queries;
    const std::int64_t rows = std::min(tile, sizes.queries - i);
    clear(o + i * sizes.e, rows * sizes.e);
    for (std::int64_t r = 0; r < tile; ++r) {
        room.perRow[r] = -std::numeric_limits<float>::infinity();
        room.perRow[tile + r] = 0;
    }
    const std::int64_t seen = sizes.keysSeenBelow(i + rows);
    for (std::int64_t j = 0; j < seen; j += tile) {
        const Block b{i, rows, j, std::min(tile, sizes.keys - j)};
        turn(k + j * sizes.d, b.columns, sizes.d, room.kTurned);
        scoreTile<width>(sizes, b, q, room);
        takeIn(sizes, b, room, o);
        multiplyAdd<width>({rows, sizes.e, b.columns, room.scores, tile, 1, v + j * sizes.e,
                            sizes.e, o + i * sizes.e, sizes.e});
    }
    for (std::int64_t r = 0; r < rows; ++r) {
        const float sum = room.perRow[tile + r];
        lse[i + r] = room.perRow[r] + std::log(sum);
        float* const row = o + (i + r) * sizes.e;
        const float share = 1 / sum;
#pragma omp simd
        for (std::int64_t x = 0; x < sizes.e; ++x) {
            row[x] *= share;
        }
    }
}

/// Computes dv for one tile of keys of one head.
template <int width>
inline void __attribute__((always_inline))
valueGradientTile(const Sizes& sizes, std::int64_t head, std::int64_t j,
                  const KernelArguments& args, const Room& room) {
    const float* const q = input<float>(args, 0) + head * sizes.queries * sizes.d;
    const float* const k = input<float>(args, 1) + head * sizes.keys * sizes.d;
    const float* const lse = input<float>(args, 2) + head * sizes.queries;
    const float* const dO = input<float>(args, 3) + head * sizes.queries * sizes.e;
    float* const dv = output<float>(args, 0) + (head * sizes.keys + j) * sizes.e;
    const std::int64_t columns = std::min(tile, sizes.keys - j);
    clear(dv, columns * sizes.e);
    turn(k + j * sizes.d, columns, sizes.d, room.kTurned);
    for (std::int64_t i = sizes.firstToSee(j); i < sizes.queries; i += tile) {
        const Block b{i, std::min(tile, sizes.queries - i), j, columns};
        scoreTile<width>(sizes, b, q, room);
        probabilities(b, lse, room);
        multiplyAdd<width>({columns, sizes.e, b.rows, room.scores, 1, tile, dO + i * sizes.e,
                            sizes.e, dv, sizes.e});
    }
}

/// Addresses of q, k, v, o, lse and do of one head.
struct Operands {
    const float *q, *k, *v, *o, *lse, *dO;
    Operands(const Sizes& sizes, std::int64_t head, const KernelArguments& args)
        : q(input<float>(args, 0) + head * sizes.queries * sizes.d),
          k(input<float>(args, 1) + head * sizes.keys * sizes.d),
          v(input<float>(args, 2) + head * sizes.keys * sizes.e),
          o(input<float>(args, 3) + head * sizes.queries * sizes.e),
          lse(input<float>(args, 4) + head * sizes.queries),
          dO(input<float>(args, 5) + head * sizes.queries * sizes.e) {}
};

/// slopes = scale p (do v^T - do . o), with k and v already transposed.
template <int width>
inline void __attribute__((always_inline))
slopeTile(const Sizes& sizes, const Block& b, const Operands& x, const Room& room) {
    scoreTile<width>(sizes, b, x.q, room);
    probabilities(b, x.lse, room);
    clear(room.slopes, tile * tile);
    multiplyAdd<width>({b.rows, b.columns, sizes.e, x.dO + b.i * sizes.e, sizes.e, 1, room.vTurned,
                        tile, room.slopes, tile});
    for (std::int64_t r = 0; r < b.rows; ++r) {
        const float* const dO = x.dO + (b.i + r) * sizes.e;
        const float* const o = x.o + (b.i + r) * sizes.e;
        float own = 0;
#pragma omp simd reduction(+ : own)
        for (std::int64_t c = 0; c < sizes.e; ++c) {
            own += dO[c] * o[c];
        }
        const float* const p = room.scores + r * tile;
        float* const slope = room.slopes + r * tile;
#pragma omp simd
        for (std::int64_t c = 0; c < b.columns; ++c) {
            slope[c] = sizes.scale * p[c] * (slope[c] - own);
        }
    }
}

/// Computes dq for one tile of queries of one head.
template <int width>
inline void __attribute__((always_inline))
queryGradientTile(const Sizes& sizes, std::int64_t head, std::int64_t i,
                  const KernelArguments& args, const Room& room) {
    const Operands x(sizes, head, args);
    const std::int64_t rows = std::min(tile, sizes.queries - i);
    float* const dq = output<float>(args, 0) + (head * sizes.queries + i) * sizes.d;
    clear(dq, rows * sizes.d);
    const std::int64_t seen = sizes.keysSeenBelow(i + rows);
    for (std::int64_t j = 0; j < seen; j += tile) {
        const Block b{i, rows, j, std::min(tile, sizes.keys - j)};
        turn(x.k + j * sizes.d, b.columns, sizes.d, room.kTurned);
        turn(x.v + j * sizes.e, b.columns, sizes.e, room.vTurned);
        slopeTile<width>(sizes, b, x, room);
        multiplyAdd<width>({rows, sizes.d, b.columns, room.slopes, tile, 1, x.k + j * sizes.d,
                            sizes.d, dq, sizes.d});
    }
}

/// Computes dk for one tile of keys of one head.
template <int width>
inline void __attribute__((always_inline))
keyGradientTile(const Sizes& sizes, std::int64_t head, std::int64_t j, const KernelArguments& args,
                const Room& room) {
    const Operands x(sizes, head, args);
    const std::int64_t columns = std::min(tile, sizes.keys - j);
    float* const dk = output<float>(args, 0) + (head * sizes.keys + j) * sizes.d;
    clear(dk, columns * sizes.d);
    turn(x.k + j * sizes.d, columns, sizes.d, room.kTurned);
    turn(x.v + j * sizes.e, columns, sizes.e, room.vTurned);
    for (std::int64_t i = sizes.firstToSee(j); i < sizes.queries; i += tile) {
        const Block b{i, std::min(tile, sizes.queries - i), j, columns};
        slopeTile<width>(sizes, b, x, room);
        multiplyAdd<width>({columns, sizes.d, b.rows, room.slopes, 1, tile, x.q + i * sizes.d,
                            sizes.d, dk, sizes.d});
    }
}

/// Adds a kernel that computes its result in tiles of rows, of queries or of keys. `valueInput` is
/// the operand whose last dim is e.
template <bool ofQueries, class Work>
void addTiles(KernelList& list, const std::string& op, std::size_t valueInput, const Work& work) {
    list.add({op, "cpu", [=](const KernelRequest& request) -> ChoiceOrRefusal {
                  const Sizes sizes(request, request.inputs[valueInput].shape[3]);
                  const std::int64_t tiles =
                      ((ofQueries ? sizes.queries : sizes.keys) + tile - 1) / tile;
                  const auto run = [=](const KernelArguments& arguments) {
                      auto* const scratch = static_cast<float*>(arguments.scratch);
                      onEachCore(sizes.cores, [&](int part) {
                          const Range range = partOf(sizes.heads * tiles, part, sizes.cores);
                          const Room room(sizes, scratch + part * sizes.room());
                          vectorisedByWidth([&](auto width) __attribute__((always_inline)) {
                              for (std::int64_t n = range.begin; n < range.end; ++n) {
                                  work(width, sizes, n / tiles, n % tiles * tile, arguments, room);
                              }
                          });
                      });
                  };
                  return allPlain(request, choiceOf(run, sizes.scratch()));
              }});
}

} // namespace

void attention(KernelList& list) {
    addTiles<true>(
        list, "attention", 2, [](auto width, const auto&... rest) __attribute__((always_inline)) {
            forwardTile<decltype(width)::value>(rest...);
        });
    addTiles<false>(
        list, "attention_dv", 3,
        [](auto width, const auto&... rest)
            __attribute__((always_inline)) { valueGradientTile<decltype(width)::value>(rest...); });
    addTiles<true>(
        list, "attention_dq", 2,
        [](auto width, const auto&... rest)
            __attribute__((always_inline)) { queryGradientTile<decltype(width)::value>(rest...); });
    addTiles<false>(
        list, "attention_dk", 2,
        [](auto width, const auto&... rest)
            __attribute__((always_inline)) { keyGradientTile<decltype(width)::value>(rest...); });
}

} // namespace weft::cpu
