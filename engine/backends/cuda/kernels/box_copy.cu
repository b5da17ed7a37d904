// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/box_copy.h"
#include "backends/cuda/kernels/fast_division.h"
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/kernels/packs.h"

#include <array>
#include <limits>
#include <numeric>
#include <optional>

namespace weft::cuda {

namespace {

constexpr unsigned tile = 32;
constexpr unsigned tileRows = 8;
constexpr unsigned atOnce = 4; ///< elements that a thread loads before it stores them

/// The loops of a copy except the innermost. The outermost loop has the largest strides in the
/// result, so that neighbouring rows are adjacent there. All offsets fit in 31 bits.
struct Rows {
    static constexpr int most = BoxCopy::mostLoops + 1;
    struct Loop {
        FastDivision size;
        std::uint32_t from = 0, to = 0;
    };
    Loop loops[most];
    std::uint32_t count = 1; ///< number of rows
};

struct Row {
    std::uint32_t size = 1, from = 0, to = 0;
};

struct Places {
    std::uint32_t from = 0, to = 0;
};

/// Offsets of a row on both sides, for a fixed number of loops.
template <int loops>
[[nodiscard]] __device__ Places placesOf(const Rows& rows, std::uint32_t row) {
    Places places;
    for (int k = loops - 1; k >= 0; --k) {
        const Rows::Loop& loop = rows.loops[k];
        const FastDivision::Split split =
            // the outermost index is the remainder
            k > 0 ? loop.size(row) : FastDivision::Split{0, row};
        places.from += loop.from * split.remainder;
        places.to += loop.to * split.remainder;
        row = split.quotient;
    }
    return places;
}

/// `team` threads copy a row, each one element at a time.
template <class T, int loops>
__global__ void shortRowsKernel(Rows rows, Row along, int team, const T* from, T* to) {
    const unsigned share = static_cast<unsigned>(team);
    const unsigned teams = blockThreads / share;
    const unsigned own = threadIdx.x % share;
    if (own >= along.size) {
        return;
    }
    for (std::uint32_t row = blockIdx.x * teams + threadIdx.x / share; row < rows.count;
         row += gridDim.x * teams) {
        const Places at = placesOf<loops>(rows, row);
        to[at.to + own * along.to] = from[at.from + own * along.from];
    }
}

/// A warp copies a row, or blocks along y copy parts of it.
template <class T, int loops>
__global__ void longRowsKernel(Rows rows, Row along, const T* from, T* to) {
    constexpr unsigned warps = blockThreads / 32;
    const std::uint32_t first = blockIdx.y * 32 + threadIdx.x % 32;
    const std::uint32_t step = gridDim.y * 32;
    const std::uint32_t fromStep = step * along.from;
    const std::uint32_t toStep = step * along.to;
    for (std::uint32_t row = blockIdx.x * warps + threadIdx.x / 32; row < rows.count;
         row += gridDim.x * warps) {
        const Places at = placesOf<loops>(rows, row);
        std::uint32_t source = at.from + first * along.from;
        std::uint32_t target = at.to + first * along.to;
        std::uint32_t k = first;
        for (; k + (atOnce - 1) * step < along.size; k += atOnce * step) {
            T loaded[atOnce];
            for (unsigned j = 0; j < atOnce; ++j, source += fromStep) {
                loaded[j] = from[source];
            }
            for (unsigned j = 0; j < atOnce; ++j, target += toStep) {
                to[target] = loaded[j];
            }
        }
        for (; k < along.size; k += step, source += fromStep, target += toStep) {
            to[target] = from[source];
        }
    }
}

/// For different dense dims on the two sides: copies squares, read along one dim and written along
/// the other.
template <class T, int loops>
__global__ void tileCopyKernel(Rows rows, Row across, Row along, FastDivision tilesAlong,
                               FastDivision tilesAcross, const T* from, T* to,
                               std::uint32_t tiles) {
    __shared__ T square[tile][tile + 1];
    const std::uint32_t x = threadIdx.x;
    const std::uint32_t y = threadIdx.y;
    for (std::uint32_t k = blockIdx.x; k < tiles; k += gridDim.x) {
        const FastDivision::Split alongs = tilesAlong(k);
        const FastDivision::Split acrosses = tilesAcross(alongs.quotient);
        const std::uint32_t firstAlong = alongs.remainder * tile;
        const std::uint32_t firstAcross = acrosses.remainder * tile;
        const Places at = placesOf<loops>(rows, acrosses.quotient);
        const std::uint32_t source =
            at.from + (firstAcross + x) * across.from + (firstAlong + y) * along.from;
        if (firstAcross + x < across.size) {
            for (std::uint32_t j = 0; j < tile; j += tileRows) {
                if (firstAlong + y + j < along.size) {
                    square[y + j][x] = from[source + j * along.from];
                }
            }
        }
        __syncthreads();
        const std::uint32_t target =
            at.to + (firstAcross + y) * across.to + (firstAlong + x) * along.to;
        if (firstAlong + x < along.size) {
            for (std::uint32_t j = 0; j < tile; j += tileRows) {
                if (firstAcross + y + j < across.size) {
                    to[target + j * across.to] = square[x][y + j];
                }
            }
        }
        __syncthreads(); // before the next square
    }
}

/// Copies any box element by element; strides of the source may be below 0.
template <class T>
__global__ void reversedKernel(BoxCopy copy, std::int64_t n, const T* from, T* to) {
    const std::int64_t inner = copy.across.size * copy.along.size;
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        const std::int64_t outer = quotient(k, inner);
        const std::int64_t rest = k - outer * inner;
        const std::int64_t a = quotient(rest, copy.along.size);
        const std::int64_t b = rest - a * copy.along.size;
        std::int64_t source = a * copy.across.from + b * copy.along.from;
        std::int64_t target = a * copy.across.to + b * copy.along.to;
        std::int64_t left = outer;
        for (std::size_t loop = copy.outerCount; loop-- > 0;) {
            const BoxCopy::Loop& of = copy.outer[loop];
            const std::int64_t next = quotient(left, of.size);
            source += (left - next * of.size) * of.from;
            target += (left - next * of.size) * of.to;
            left = next;
        }
        to[target] = from[source];
    }
}

/// Writes `packs` of 16 bytes, then elements up to n.
template <class T>
__global__ void fillKernel(PackBits pack, std::int64_t packs, T value, T* y, std::int64_t n) {
    constexpr std::int64_t each = sizeof(PackBits) / sizeof(T);
    for (std::int64_t k = firstElement(); k < packs; k += elementStep()) {
        reinterpret_cast<PackBits*>(y)[k] = pack;
    }
    for (std::int64_t k = packs * each + firstElement(); k < n; k += elementStep()) {
        y[k] = value;
    }
}

constexpr std::int64_t mostIndex = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t manyBlocks = 2048;

/// Returns all loops except the innermost, outermost first.
std::array<BoxCopy::Loop, Rows::most> loopsAround(const BoxCopy& copy) {
    std::array<BoxCopy::Loop, Rows::most> loops;
    std::copy_n(copy.outer.begin(), copy.outerCount, loops.begin());
    loops[copy.outerCount] = copy.across;
    std::stable_sort(loops.begin(), loops.end(), [](const auto& a, const auto& b) {
        return (a.size > 1 ? a.to : 0) > (b.size > 1 ? b.to : 0);
    });
    return loops;
}

/// Returns nothing if an offset in these loops or in those beside them does not fit in 31 bits.
std::optional<Rows> rowsOf(const std::array<BoxCopy::Loop, Rows::most>& loops,
                           std::initializer_list<BoxCopy::Loop> beside) {
    Rows rows;
    BoxCopy::Loop last; // product of the sizes, and offsets of the last element
    const auto fits = [&](const BoxCopy::Loop& loop) {
        last.size *= loop.size;
        last.from += (loop.size - 1) * loop.from;
        last.to += (loop.size - 1) * loop.to;
        return last.size <= mostIndex && last.from <= mostIndex && last.to <= mostIndex;
    };
    if (!std::ranges::all_of(loops, fits)) {
        return std::nullopt;
    }
    rows.count = static_cast<std::uint32_t>(last.size);
    if (!std::ranges::all_of(beside, fits)) {
        return std::nullopt;
    }
    for (std::size_t k = 0; k < loops.size(); ++k) {
        rows.loops[k] = {FastDivision(loops[k].size), static_cast<std::uint32_t>(loops[k].from),
                         static_cast<std::uint32_t>(loops[k].to)};
    }
    return rows;
}

/// Converts a loop whose size and strides fit in 32 bits.
Row rowOf(const BoxCopy::Loop& loop) {
    return {static_cast<std::uint32_t>(loop.size), static_cast<std::uint32_t>(loop.from),
            static_cast<std::uint32_t>(loop.to)};
}

template <class T, int loops>
void copyRows(const Rows& rows, const BoxCopy::Loop& along, const T* x, T* y, StreamHandle stream) {
    int team = 1;
    while (team < 32 && team < along.size) {
        team *= 2;
    }
    const std::int64_t teams = static_cast<std::int64_t>(blockThreads) / team;
    const std::int64_t blocks = std::min((rows.count + teams - 1) / teams, mostBlocks);
    const dim3 grid(static_cast<unsigned>(blocks));
    if (along.size <= team) {
        const auto kernel = shortRowsKernel<T, loops>;
        KERNEL_LAUNCH(kernel, grid, blockThreads, 0, stream, rows, rowOf(along), team, x, y);
        return;
    }
    const std::int64_t parts = std::clamp<std::int64_t>(
        std::min(along.size / (32 * atOnce), manyBlocks / blocks), 1, manyBlocks);
    const auto kernel = longRowsKernel<T, loops>;
    KERNEL_LAUNCH(kernel, dim3(grid.x, static_cast<unsigned>(parts)), blockThreads, 0, stream, rows,
                  rowOf(along), x, y);
}

template <class T, int loops>
void copyTiles(const Rows& rows, const BoxCopy& copy, const T* x, T* y, StreamHandle stream) {
    const auto tilesIn = [](std::int64_t size) { return (size + tile - 1) / tile; };
    const std::int64_t along = tilesIn(copy.along.size);
    const std::int64_t across = tilesIn(copy.across.size);
    const std::int64_t tiles = along * across * rows.count;
    const auto kernel = tileCopyKernel<T, loops>;
    KERNEL_LAUNCH(kernel, dim3(static_cast<unsigned>(std::min(tiles, mostBlocks))),
                  dim3(tile, tileRows), 0, stream, rows, rowOf(copy.across), rowOf(copy.along),
                  FastDivision(along), FastDivision(across), x, y,
                  static_cast<std::uint32_t>(tiles));
}

/// Number of loops with more than one iteration.
std::int64_t loopsIn(const std::array<BoxCopy::Loop, Rows::most>& loops) {
    return std::ranges::count_if(loops, [](const auto& loop) { return loop.size > 1; });
}

/// Splits the outermost loop into one launch per iteration.
template <class T>
void copyApart(const BoxCopy& copy, const T* x, T* y, StreamHandle stream);

/// True if the dense dims of the two sides differ and are long enough for squares.
bool isTurned(const BoxCopy& copy) {
    constexpr std::int64_t worthwhile = 8;
    return copy.along.from != 1 && copy.across.from == 1 && copy.along.size >= worthwhile &&
           copy.across.size >= worthwhile;
}

template <class T>
void copyBox(const BoxCopy& copy, const T* x, T* y, StreamHandle stream) {
    if constexpr (!std::is_same_v<T, PackBits>) { // packs are contiguous on both sides
        BoxCopy outer = copy;
        outer.across = {};
        const auto around = loopsAround(outer);
        const auto rows = isTurned(copy) ? rowsOf(around, {copy.across, copy.along}) : std::nullopt;
        if (rows && loopsIn(around) <= 1) {
            return copyTiles<T, 1>(*rows, copy, x, y, stream);
        }
        if (rows) {
            return copyTiles<T, Rows::most>(*rows, copy, x, y, stream);
        }
    }
    const auto loops = loopsAround(copy);
    const auto rows = rowsOf(loops, {copy.along});
    if (!rows) {
        return copyApart(copy, x, y, stream);
    }
    switch (loopsIn(loops)) {
    case 0:
    case 1: return copyRows<T, 1>(*rows, copy.along, x, y, stream);
    case 2: return copyRows<T, 2>(*rows, copy.along, x, y, stream);
    case 3: return copyRows<T, 3>(*rows, copy.along, x, y, stream);
    default: return copyRows<T, Rows::most>(*rows, copy.along, x, y, stream);
    }
}

template <class T>
void copyApart(const BoxCopy& copy, const T* x, T* y, StreamHandle stream) {
    BoxCopy one = copy;
    BoxCopy::Loop* largest = &one.across;
    const auto length = [](const BoxCopy::Loop& loop) {
        return loop.size > 1 ? std::max(loop.from, loop.to) : 0;
    };
    for (std::size_t k = 0; k < one.outerCount; ++k) {
        largest = length(one.outer[k]) > length(*largest) ? &one.outer[k] : largest;
    }
    if (largest->size == 1) { // one long row: split it in two
        const std::int64_t half = copy.along.size / 2;
        one.along.size = half;
        copyBox(one, x, y, stream);
        one.along.size = copy.along.size - half;
        copyBox(one, x + half * copy.along.from, y + half * copy.along.to, stream);
        return;
    }
    const BoxCopy::Loop apart = *largest;
    *largest = {};
    for (std::int64_t k = 0; k < apart.size; ++k) {
        copyBox(one, x + k * apart.from, y + k * apart.to, stream);
    }
}

/// Returns how many elements, contiguous on both sides, can be copied as one: a power of two.
std::int64_t besideEachOther(const BoxCopy& copy, std::size_t size, const void* from,
                             const void* to) {
    if (copy.along.from != 1 || copy.along.to != 1) {
        return 1;
    }
    const auto bytes = static_cast<std::int64_t>(size);
    std::int64_t common = sizeof(PackBits);
    const auto take = [&](std::int64_t number) { common = std::gcd(common, number); };
    take(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(from) % sizeof(PackBits)));
    take(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % sizeof(PackBits)));
    take(copy.along.size * bytes);
    const auto takeSteps = [&](const BoxCopy::Loop& loop) {
        if (loop.size > 1) {
            take(loop.from * bytes);
            take(loop.to * bytes);
        }
    };
    takeSteps(copy.across);
    std::for_each_n(copy.outer.begin(), copy.outerCount, takeSteps);
    return std::max<std::int64_t>(common / bytes, 1);
}

/// Returns the copy for elements that each join `each` of the original ones.
BoxCopy joined(BoxCopy copy, std::int64_t each) {
    const auto join = [&](BoxCopy::Loop& loop) {
        loop.from /= each;
        loop.to /= each;
    };
    copy.along.size /= each;
    join(copy.across);
    std::for_each_n(copy.outer.begin(), copy.outerCount, join);
    return copy;
}

/// True if the source has strides below 0.
bool isReversed(const BoxCopy& copy) {
    return copy.along.from < 0 || copy.across.from < 0 ||
           std::any_of(copy.outer.begin(), copy.outer.begin() + copy.outerCount,
                       [](const BoxCopy::Loop& loop) { return loop.from < 0; });
}

template <class T>
void copyAs(const BoxCopy& copy, const void* from, void* to, StreamHandle stream) {
    if (isReversed(copy)) {
        const std::int64_t n = copy.outerSize() * copy.across.size * copy.along.size;
        KERNEL_LAUNCH(reversedKernel<T>, blocksFor(n), blockThreads, 0, stream, copy, n,
                      static_cast<const T*>(from), static_cast<T*>(to));
        return;
    }
    copyBox(copy, static_cast<const T*>(from), static_cast<T*>(to), stream);
}

template <class T>
void fill(std::uint64_t bits, void* y, std::int64_t n, StreamHandle stream) {
    constexpr std::int64_t each = sizeof(PackBits) / sizeof(T);
    std::array<T, each> same;
    same.fill(static_cast<T>(bits));
    const std::int64_t packs = isAlignedForPacks(y) ? n / each : 0;
    KERNEL_LAUNCH(fillKernel<T>, blocksFor(packs > 0 ? packs : n), blockThreads, 0, stream,
                  std::bit_cast<PackBits>(same), packs, static_cast<T>(bits), static_cast<T*>(y),
                  n);
}

} // namespace

void launchBoxCopy(const BoxCopy& copy, std::size_t elementSize, const void* from, void* to,
                   StreamHandle stream) {
    const std::int64_t each = besideEachOther(copy, elementSize, from, to);
    const BoxCopy of = joined(copy, each);
    switch (elementSize * static_cast<std::size_t>(each)) {
    case 1: return copyAs<std::uint8_t>(of, from, to, stream);
    case 2: return copyAs<std::uint16_t>(of, from, to, stream);
    case 4: return copyAs<std::uint32_t>(of, from, to, stream);
    case 8: return copyAs<std::uint64_t>(of, from, to, stream);
    default: return copyAs<PackBits>(of, from, to, stream);
    }
}

void launchFill(std::uint64_t bits, std::size_t elementSize, void* y, std::int64_t n,
                StreamHandle stream) {
    switch (elementSize) {
    case 1: return fill<std::uint8_t>(bits, y, n, stream);
    case 2: return fill<std::uint16_t>(bits, y, n, stream);
    case 4: return fill<std::uint32_t>(bits, y, n, stream);
    default: return fill<std::uint64_t>(bits, y, n, stream);
    }
}

} // namespace weft::cuda
