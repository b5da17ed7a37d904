// SPDX-License-Identifier: Apache-2.0
// Attention on tensor cores: each warp computes 16 of a block's 128 rows, kept in registers as left
// operands; tiles of the other operand are in shared memory, rounded. All four passes share a
// structure: scores of the rows and a tile, probabilities p (or their gradients), and their product
// with a tile. Rows are queries for forward and dq, keys for dk and dv.
#include "backends/cuda/attention/attention_parts.h"
#include "backends/cuda/kernels/teams.h"
#include "backends/cuda/kernels/tensor_cores.h"

#include <bit>

namespace weft::cuda {

namespace {

using enum AttentionPass;

constexpr int warpRows = 16;
constexpr int warps = static_cast<int>(blockThreads) / 32;
constexpr int blockRows = warps * warpRows;

constexpr bool isOfQueries(AttentionPass pass) { return pass == forward || pass == dq; }
constexpr bool isOfScores(AttentionPass pass) { return pass == dq || pass == dk; }

__device__ int warpOf() { return static_cast<int>(threadIdx.x) / 32; }
__device__ int laneOf() { return static_cast<int>(threadIdx.x) % 32; }
/// Row of the fragment that a lane holds (its second row is 8 below), and half of its first column.
__device__ int groupOf() { return laneOf() / 4; }
__device__ int pairOf() { return laneOf() % 4; }

/// Matrix of one head, [count, width].
struct Operand {
    const float* at;
    std::int32_t count;
    std::int32_t width;

    [[nodiscard]] __device__ float number(std::int32_t row, std::int32_t x) const {
        return row < count && x < width ? at[static_cast<std::int64_t>(row) * width + x] : 0;
    }
    [[nodiscard]] __device__ float4 four(std::int32_t row, std::int32_t x) const {
        const float* const first = at + static_cast<std::int64_t>(row) * width + x;
        const bool isWhole = row < count && x + 4 <= width;
        if (isWhole && reinterpret_cast<std::uintptr_t>(first) % sizeof(float4) == 0) {
            return *reinterpret_cast<const float4*>(first);
        }
        return make_float4(number(row, x), number(row, x + 1), number(row, x + 2),
                           number(row, x + 3));
    }
};

struct OperandsOfHead {
    Operand q, k, v, o, dO;
};
__device__ OperandsOfHead operandsOf(const Attention& attention, const AttentionOperands& from,
                                     std::int64_t head) {
    const auto of = [head](const float* all, std::int32_t count, std::int32_t width) {
        return Operand{all + head * count * width, count, width};
    };
    return {of(from.q, attention.queries, attention.d), of(from.k, attention.keys, attention.d),
            of(from.v, attention.keys, attention.e), of(from.o, attention.queries, attention.e),
            of(from.dO, attention.queries, attention.e)};
}

/// bf16 products of 16 terms; rows of a tile are padded by 16 bytes against bank conflicts.
struct InBf16 {
    using Number = std::uint16_t;
    static constexpr int terms = 16;
    static constexpr int pad = 8;
    static constexpr int widest = 128;

    /// Loads rows [row, row + 16) and terms [x, x + 16) of an operand.
    [[nodiscard]] __device__ static LeftFragment left(const Operand& from, std::int32_t row,
                                                      std::int32_t x) {
        LeftFragment made;
        for (int k = 0; k < 4; ++k) {
            const std::int32_t r = row + groupOf() + k % 2 * 8;
            const std::int32_t c = x + pairOf() * 2 + k / 2 * 8;
            made.registers[k] = twoBf16(from.number(r, c), from.number(r, c + 1));
        }
        return made;
    }
    /// Converts columns [16 step, 16 step + 16) of the accumulators to a left operand.
    [[nodiscard]] __device__ static LeftFragment left(const SumFragment* sums, int step) {
        LeftFragment made;
        for (int k = 0; k < 4; ++k) {
            const SumFragment& of = sums[step * 2 + k / 2];
            made.registers[k] = twoBf16(of.registers[k % 2 * 2], of.registers[k % 2 * 2 + 1]);
        }
        return made;
    }
    __device__ static void store(const float4& numbers, Number* to) {
        auto* const two = reinterpret_cast<std::uint32_t*>(to);
        two[0] = twoBf16(numbers.x, numbers.y);
        two[1] = twoBf16(numbers.z, numbers.w);
    }
    /// Loads two right operands: columns are 16 rows of a tile, terms are its columns from x on.
    __device__ static void right(const Number* tile, int step, int row, int x,
                                 RightFragment (&to)[2]) {
        const int r = row + laneOf() / 16 * 8 + laneOf() % 8;
        load(tile + r * step + x + laneOf() / 8 % 2 * 8, false, to);
    }
    /// Transposed: terms are 16 rows of a tile, columns are its columns from x on.
    __device__ static void turnedRight(const Number* tile, int step, int row, int x,
                                       RightFragment (&to)[2]) {
        const int r = row + laneOf() / 8 % 2 * 8 + laneOf() % 8;
        load(tile + r * step + x + laneOf() / 16 * 8, true, to);
    }
    __device__ static void multiply(SumFragment& sums, const LeftFragment& left,
                                    const RightFragment& right) {
        multiplyBf16(sums, left, right);
    }

private:
    __device__ static void load(const Number* row, bool isTransposed, RightFragment (&to)[2]) {
        std::uint32_t all[4];
        loadMatrices(all, row, isTransposed);
        to[0] = {{all[0], all[1]}};
        to[1] = {{all[2], all[3]}};
    }
};

/// TF32 products of 8 terms. If sums become terms, term t is column 2 t and term t + 4 the next
/// column, which the same lane holds: right operands are read in that order.
struct InTf32 {
    using Number = float;
    static constexpr int terms = 8;
    static constexpr int pad = 4;
    static constexpr int widest = 64;

    [[nodiscard]] __device__ static LeftFragment left(const Operand& from, std::int32_t row,
                                                      std::int32_t x) {
        LeftFragment made;
        for (int k = 0; k < 4; ++k) {
            made.registers[k] =
                tf32Of(from.number(row + groupOf() + k % 2 * 8, x + pairOf() + k / 2 * 4));
        }
        return made;
    }
    [[nodiscard]] __device__ static LeftFragment left(const SumFragment* sums, int step) {
        const SumFragment& of = sums[step];
        return {{tf32Of(of.registers[0]), tf32Of(of.registers[2]), tf32Of(of.registers[1]),
                 tf32Of(of.registers[3])}};
    }
    __device__ static void store(const float4& numbers, Number* to) {
        *reinterpret_cast<float4*>(to) = make_float4(rounded(numbers.x), rounded(numbers.y),
                                                     rounded(numbers.z), rounded(numbers.w));
    }
    __device__ static void right(const Number* tile, int step, int row, int x,
                                 RightFragment (&to)[2]) {
        for (int k = 0; k < 2; ++k) {
            const Number* const at = tile + (row + k * 8 + groupOf()) * step + x + pairOf();
            to[k] = {{bitsOf(at[0]), bitsOf(at[4])}};
        }
    }
    __device__ static void turnedRight(const Number* tile, int step, int row, int x,
                                       RightFragment (&to)[2]) {
        for (int k = 0; k < 2; ++k) {
            const Number* const at = tile + (row + pairOf() * 2) * step + x + k * 8 + groupOf();
            to[k] = {{bitsOf(at[0]), bitsOf(at[step])}};
        }
    }
    __device__ static void multiply(SumFragment& sums, const LeftFragment& left,
                                    const RightFragment& right) {
        multiplyTf32(sums, left, right);
    }

private:
    [[nodiscard]] __device__ static std::uint32_t bitsOf(float x) {
        return std::bit_cast<std::uint32_t>(x);
    }
    [[nodiscard]] __device__ static float rounded(float x) {
        return std::bit_cast<float>(tf32Of(x));
    }
};

template <class In, int rows, int width>
struct alignas(16) Tile {
    static constexpr int step = width + In::pad;
    typename In::Number of[rows * step];
};

/// Loads rows [first, first + rows) of an operand; 0 beyond its end.
template <class In, int rows, int width>
__device__ void bring(const Operand& from, std::int32_t first, Tile<In, rows, width>& to) {
    constexpr int fours = width / 4;
    for (int k = static_cast<int>(threadIdx.x); k < rows * fours; k += blockThreads) {
        const int row = k / fours;
        const int x = k % fours * 4;
        In::store(from.four(first + row, x), to.of + row * to.step + x);
    }
}

/// The per-query numbers of a tile.
template <int rows>
struct NumbersOf {
    float lse[rows];
    float own[rows]; ///< do . o
};
template <int rows>
__device__ void bringNumbers(const OperandsOfHead& of, const float* lse, std::int32_t first,
                             bool hasOwn, NumbersOf<rows>& to) {
    for (int row = warpOf(); row < rows; row += warps) {
        const std::int32_t query = first + row;
        float own = 0;
        for (int x = laneOf(); x < of.dO.width && hasOwn; x += 32) {
            own += of.dO.number(query, x) * of.o.number(query, x);
        }
        own = joinedInWarp(Sum{}, own);
        if (laneOf() == 0) {
            to.lse[row] = query < of.q.count ? lse[query] : 0;
            to.own[row] = own;
        }
    }
}

/// scores [16, rows of the tile] = the rows times those of the tile
template <class In, int rows, int width>
__device__ void multiplyRows(const LeftFragment (&left)[width / In::terms],
                             const Tile<In, rows, width>& tile, SumFragment (&scores)[rows / 8]) {
    for (int j = 0; j < rows / 16; ++j) {
        for (int k = 0; k < width / In::terms; ++k) {
            RightFragment right[2];
            In::right(tile.of, tile.step, j * 16, k * In::terms, right);
            In::multiply(scores[2 * j], left[k], right[0]);
            In::multiply(scores[2 * j + 1], left[k], right[1]);
        }
    }
}

/// sums [16, width] += shares [16, rows of the tile] times the tile
template <class In, int rows, int width>
__device__ void addShares(const SumFragment (&shares)[rows / 8], const Tile<In, rows, width>& tile,
                          SumFragment (&sums)[width / 8]) {
    for (int k = 0; k < rows / In::terms; ++k) {
        const LeftFragment left = In::left(shares, k);
        for (int j = 0; j < width / 16; ++j) {
            RightFragment right[2];
            In::turnedRight(tile.of, tile.step, k * In::terms, j * 16, right);
            In::multiply(sums[2 * j], left, right[0]);
            In::multiply(sums[2 * j + 1], left, right[1]);
        }
    }
}

/// Reduces over the four lanes that hold one row.
template <class Join>
__device__ float joinedInRow(Join join, float value) {
    value = join(value, __shfl_xor_sync(~0U, value, 1));
    return join(value, __shfl_xor_sync(~0U, value, 2));
}

/// Running maxima and sums of rows g and g + 8 over the keys so far: sums of exp(s - most) v.
struct Running {
    float most[2] = {-INFINITY, -INFINITY};
    float sum[2] = {0, 0};
};

/// Indices of the first row and column of the scores that a warp computes with a tile.
struct Corner {
    std::int32_t row, column;
};
template <AttentionPass pass>
__device__ bool meet(const Attention& attention, const Corner& corner, int row, int column) {
    const std::int32_t r = corner.row + row;
    const std::int32_t c = corner.column + column;
    return isOfQueries(pass) ? attends(attention, r, c) : attends(attention, c, r);
}

/// Converts scores to exp(s - most) and rescales the sums of rows g and g + 8.
template <int below, int columns, int width>
__device__ void becomeExponentials(const Attention& attention, const Corner& corner,
                                   SumFragment (&scores)[columns / 8], Running& running,
                                   SumFragment (&sums)[width / 8]) {
    float most = running.most[below];
    for (int k = 0; k < columns / 4; ++k) {
        const int column = k / 2 * 8 + pairOf() * 2 + k % 2;
        float& score = scores[k / 2].registers[below * 2 + k % 2];
        score = meet<forward>(attention, corner, groupOf() + below * 8, column)
                    ? attention.scale * score
                    : -INFINITY;
        most = fmaxf(most, score);
    }
    most = joinedInRow(Maximum{}, most);
    float sum = 0;
    for (int k = 0; k < columns / 4; ++k) {
        float& score = scores[k / 2].registers[below * 2 + k % 2];
        score = score == -INFINITY ? 0 : expf(score - most);
        sum += score;
    }
    const float factor = most == -INFINITY ? 1 : expf(running.most[below] - most);
    running.most[below] = most;
    running.sum[below] = running.sum[below] * factor + joinedInRow(Sum{}, sum);
    for (int k = 0; k < width / 4; ++k) {
        sums[k / 2].registers[below * 2 + k % 2] *= factor;
    }
}

/// Converts scores to p, or to scale ds if `changes` are do . v.
template <AttentionPass pass, int columns, int rows>
__device__ void becomeShares(const Attention& attention, const Corner& corner, int firstRow,
                             const NumbersOf<rows>& numbers,
                             const SumFragment (&changes)[columns / 8],
                             SumFragment (&scores)[columns / 8]) {
    for (int k = 0; k < columns / 2; ++k) {
        const int row = groupOf() + k % 4 / 2 * 8;
        const int column = k / 4 * 8 + pairOf() * 2 + k % 2;
        const int query = isOfQueries(pass) ? firstRow + row : column;
        float& score = scores[k / 4].registers[k % 4];
        score = meet<pass>(attention, corner, row, column)
                    ? expf(attention.scale * score - numbers.lse[query])
                    : 0;
        if (isOfScores(pass)) {
            score *= attention.scale * (changes[k / 4].registers[k % 4] - numbers.own[query]);
        }
    }
}

/// False if a warp's rows and a tile are fully masked, so that the tile can be skipped.
template <AttentionPass pass, int columns>
__device__ bool doMeet(const Attention& attention, const Corner& corner) {
    const std::int32_t query = isOfQueries(pass) ? corner.row + warpRows : corner.column + columns;
    const std::int32_t key = isOfQueries(pass) ? corner.column : corner.row;
    return !attention.isCausal || attention.firstKey + key < attention.firstQuery + query;
}

template <class In, int width>
__device__ void bringLeft(const Operand& from, std::int32_t row,
                          LeftFragment (&to)[width / In::terms]) {
    for (int k = 0; k < width / In::terms; ++k) {
        to[k] = In::left(from, row, k * In::terms);
    }
}

template <int width>
__device__ void writeRows(const SumFragment (&sums)[width / 8], const float (&factors)[2],
                          std::int32_t first, std::int32_t count, std::int32_t features,
                          float* to) {
    for (int k = 0; k < width / 2; ++k) {
        const std::int32_t row = first + groupOf() + k % 4 / 2 * 8;
        const std::int32_t x = k / 4 * 8 + pairOf() * 2 + k % 2;
        if (row < count && x < features) {
            to[static_cast<std::int64_t>(row) * features + x] =
                sums[k / 4].registers[k % 4] * factors[k % 4 / 2];
        }
    }
}

/// Rows of a tile: fewer for wide heads, to fit in the block's shared memory and registers.
template <class In, AttentionPass pass, int width>
constexpr int tileRows() {
    const int most = sizeof(typename In::Number) == 2 ? 128 : 64;
    return width == most && isOfScores(pass) ? 32 : 64;
}

template <class In, AttentionPass pass, int width>
__global__ void __launch_bounds__(blockThreads)
    roundedAttentionKernel(Attention at, AttentionOperands from, float* result, float* lse) {
    constexpr int columns = tileRows<In, pass, width>();
    constexpr int ofNumbers = pass == dq ? blockRows : columns;
    __shared__ Tile<In, columns, width> ofScores;
    __shared__ Tile<In, columns, width> ofShares;
    __shared__ NumbersOf<ofNumbers> numbers;
    const std::int32_t count = isOfQueries(pass) ? at.queries : at.keys;
    const auto [head, first] = blockRowsOf(count, blockRows);
    const OperandsOfHead of = operandsOf(at, from, head);
    const std::int32_t own = first + warpOf() * warpRows;
    LeftFragment left[width / In::terms];
    LeftFragment leftOfChanges[isOfScores(pass) ? width / In::terms : 1];
    bringLeft<In, width>(isOfQueries(pass) ? of.q : of.k, own, left);
    if constexpr (isOfScores(pass)) {
        bringLeft<In, width>(pass == dq ? of.dO : of.v, own, leftOfChanges);
    }
    if constexpr (pass == dq) {
        bringNumbers(of, from.lse + head * at.queries, first, true, numbers);
    }
    Running running;
    SumFragment sums[width / 8];
    const IndexRange span = isOfQueries(pass) ? keysAttendedBy(at, first, blockRows)
                                              : queriesAttendingTo(at, first, columns);
    for (std::int32_t column = span.begin; column < span.end; column += columns) {
        __syncthreads(); // the previous tiles are still being read
        bring(isOfQueries(pass) ? of.k : of.q, column, ofScores);
        bring(isOfQueries(pass) ? of.v : of.dO, column, ofShares);
        if constexpr (!isOfQueries(pass)) {
            bringNumbers(of, from.lse + head * at.queries, column, isOfScores(pass), numbers);
        }
        __syncthreads();
        const Corner corner{own, column};
        if (own >= count || !doMeet<pass, columns>(at, corner)) {
            continue; // uniform over the warp
        }
        SumFragment scores[columns / 8];
        multiplyRows<In, columns, width>(left, ofScores, scores);
        if constexpr (pass == forward) {
            becomeExponentials<0, columns, width>(at, corner, scores, running, sums);
            becomeExponentials<1, columns, width>(at, corner, scores, running, sums);
        } else {
            SumFragment changes[columns / 8];
            if constexpr (isOfScores(pass)) {
                multiplyRows<In, columns, width>(leftOfChanges, ofShares, changes);
            }
            becomeShares<pass, columns>(at, corner, warpOf() * warpRows, numbers, changes, scores);
        }
        addShares<In, columns, width>(scores, isOfScores(pass) ? ofScores : ofShares, sums);
    }
    const std::int32_t features = isOfScores(pass) ? at.d : at.e;
    float factors[2] = {1, 1};
    for (int r = 0; r < 2 && pass == forward; ++r) {
        const std::int32_t row = own + groupOf() + r * 8;
        factors[r] = 1 / running.sum[r];
        if (row < count && pairOf() == 0) {
            lse[head * count + row] = running.most[r] + logf(running.sum[r]);
        }
    }
    writeRows<width>(sums, factors, own, count, features, result + head * count * features);
}

template <class In, int width>
void launchWidth(const Attention& attention, AttentionPass pass, const AttentionOperands& from,
                 float* result, float* lse, StreamHandle stream) {
    const auto kernel = pass == forward ? roundedAttentionKernel<In, forward, width>
                        : pass == dq    ? roundedAttentionKernel<In, dq, width>
                        : pass == dk    ? roundedAttentionKernel<In, dk, width>
                                        : roundedAttentionKernel<In, dv, width>;
    const std::int32_t rows = isOfQueries(pass) ? attention.queries : attention.keys;
    KERNEL_LAUNCH(kernel, blockCount(attention, rows, blockRows), blockThreads, 0, stream,
                  attention, from, result, lse);
}

} // namespace

int mostHeadFeatures(TensorCoreFormat number) {
    return number == TensorCoreFormat::bf16 ? InBf16::widest : InTf32::widest;
}

void launchRoundedAttention(const Attention& attention, AttentionPass pass, TensorCoreFormat number,
                            const AttentionOperands& from, float* result, float* lse,
                            StreamHandle stream) {
    const std::int32_t width = std::max(attention.d, attention.e);
    const bool isHalved = number == TensorCoreFormat::bf16;
    const auto launch = isHalved && width > 64   ? launchWidth<InBf16, 128>
                        : isHalved && width > 32 ? launchWidth<InBf16, 64>
                        : isHalved               ? launchWidth<InBf16, 32>
                        : width > 32             ? launchWidth<InTf32, 64>
                                                 : launchWidth<InTf32, 32>;
    launch(attention, pass, from, result, lse, stream);
}

} // namespace weft::cuda
