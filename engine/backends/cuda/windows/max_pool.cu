// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/fast_division.h"
#include "backends/cuda/kernels/packs.h"
#include "backends/cuda/windows/max_pool.h"

#include <cmath>
#include <limits>

namespace weft::cuda {

namespace {

/// Sizes of some maps in packs, so few that they fit in 31 bits.
struct PoolSizes {
    FastDivision depth, columns, rows; ///< divide indices of windows or map positions
    FastDivision strideRows, strideColumns;
    int packs = 1; ///< packs of channels per position
    int mapRows = 0, mapColumns = 0, windowRows = 0, windowColumns = 0;
    int kernelRows = 1, kernelColumns = 1, padTop = 0, padLeft = 0;
    std::uint32_t count = 0; ///< number of packs to iterate
};

struct MapPlace {
    int map, row, column, pack;

    __device__ MapPlace(const PoolSizes& of, std::uint32_t e) {
        const FastDivision::Split packs = of.depth(e);
        const FastDivision::Split columns = of.columns(packs.quotient);
        const FastDivision::Split rows = of.rows(columns.quotient);
        map = static_cast<int>(rows.quotient);
        row = static_cast<int>(rows.remainder);
        column = static_cast<int>(columns.remainder);
        pack = static_cast<int>(packs.remainder);
    }
};

/// The window positions of the numbers of a pack.
template <class Position, int width>
struct alignas(sizeof(Position) * width) Positions {
    Position at[width];
};
/// u8 in words, so that a thread compares four at a time.
template <int width>
requires(width > 1) struct alignas(width) Positions<std::uint8_t, width> {
    std::uint32_t words[width / 4];
};

template <class Position, int width>
__device__ Positions<Position, width> positionsOf(const int (&places)[width]) {
    Positions<Position, width> positions;
    if constexpr (width == 1) {
        positions.at[0] = static_cast<Position>(places[0]);
    } else {
        for (int k = 0; k < width / 4; ++k) {
            const auto place = [&](int j) { return static_cast<std::uint32_t>(places[4 * k + j]); };
            positions.words[k] = place(0) | place(1) << 8U | place(2) << 16U | place(3) << 24U;
        }
    }
    return positions;
}

/// True if number k of a pack has its maximum at that index of the window.
template <class Position, int width>
__device__ bool isAt(const Positions<Position, width>& positions, int k, int place) {
    if constexpr (width == 1) {
        return positions.at[k] == static_cast<Position>(place);
    } else {
        return (positions.words[k / 4] >> static_cast<unsigned>(k % 4 * 8) & 0xFFU) ==
               static_cast<std::uint32_t>(place);
    }
}

template <class Kept, int width, class Position>
__global__ void maxPoolKernel(PoolSizes of, const Kept* x, Kept* y, Position* position) {
    for (std::uint32_t e = blockIdx.x * blockDim.x + threadIdx.x; e < of.count;
         e += gridDim.x * blockDim.x) {
        const MapPlace window(of, e);
        const int firstRow = window.row * static_cast<int>(of.strideRows.divisor) - of.padTop;
        const int firstColumn =
            window.column * static_cast<int>(of.strideColumns.divisor) - of.padLeft;
        const int beginRow = std::max(firstRow, 0);
        const int endRow = std::min(firstRow + of.kernelRows, of.mapRows);
        const int beginColumn = std::max(firstColumn, 0);
        const int endColumn = std::min(firstColumn + of.kernelColumns, of.mapColumns);
        const int columns = endColumn - beginColumn;
        int tap = (beginRow - firstRow) * of.kernelColumns + beginColumn - firstColumn;
        int from = ((window.map * of.mapRows + beginRow) * of.mapColumns + beginColumn) * of.packs +
                   window.pack;
        float most[width];
        int where[width];
        for (int k = 0; k < width; ++k) {
            most[k] = -INFINITY;
            where[k] = tap;
        }
        for (int row = beginRow; row < endRow; ++row) {
            for (int column = 0; column < columns; ++column) {
                const Numbers<width> here =
                    Pack<Kept, width>::load(x + std::int64_t{from} * width).numbers();
                for (int k = 0; k < width; ++k) {
                    // Greater, or the first NaN: after that, no comparison is true.
                    const bool isMore = !(here.at[k] <= most[k]) && most[k] == most[k];
                    most[k] = isMore ? here.at[k] : most[k];
                    where[k] = isMore ? tap : where[k];
                }
                ++tap;
                from += of.packs;
            }
            tap += of.kernelColumns - columns;
            from += (of.mapColumns - columns) * of.packs;
        }
        Numbers<width> made;
        for (int k = 0; k < width; ++k) {
            made.at[k] = most[k];
        }
        Pack<Kept, width>::of(made).store(y + std::int64_t{e} * width);
        reinterpret_cast<Positions<Position, width>*>(position)[e] = positionsOf<Position>(where);
    }
}

/// Windows along one side that cover an index: from `first` to before `end`. It is tap `tap` of
/// window `first`, and a stride less for each further window.
struct WindowsOver {
    int first, end, tap;

    __device__ WindowsOver(int place, int pad, int kernel, const FastDivision& stride,
                           int windows) {
        const int reach = place + pad;
        const int beyond = reach - kernel; // index after which the first window begins
        const auto quotient = [&](int n) {
            return static_cast<int>(stride(static_cast<std::uint32_t>(n)).quotient);
        };
        first = beyond < 0 ? 0 : quotient(beyond) + 1;
        end = std::min(quotient(reach) + 1, windows);
        tap = reach - first * static_cast<int>(stride.divisor);
    }
};

template <class Kept, int width, class Position, bool hasRelu>
__global__ void maxPoolGradientKernel(PoolSizes of, const Position* position, const Kept* dy,
                                      const Kept* relu, Kept* dx) {
    for (std::uint32_t e = blockIdx.x * blockDim.x + threadIdx.x; e < of.count;
         e += gridDim.x * blockDim.x) {
        const MapPlace place(of, e);
        const WindowsOver rows(place.row, of.padTop, of.kernelRows, of.strideRows, of.windowRows);
        const WindowsOver columns(place.column, of.padLeft, of.kernelColumns, of.strideColumns,
                                  of.windowColumns);
        const int count = columns.end - columns.first;
        const auto strideRows = static_cast<int>(of.strideRows.divisor);
        const auto strideColumns = static_cast<int>(of.strideColumns.divisor);
        int tap = rows.tap * of.kernelColumns + columns.tap;
        int from = ((place.map * of.windowRows + rows.first) * of.windowColumns + columns.first) *
                       of.packs +
                   place.pack;
        Numbers<width> sum = {};
        for (int row = rows.first; row < rows.end; ++row) {
            int ofColumn = tap;
            for (int column = 0; column < count; ++column) {
                const auto positions =
                    reinterpret_cast<const Positions<Position, width>*>(position)[from];
                const Numbers<width> d =
                    Pack<Kept, width>::load(dy + std::int64_t{from} * width).numbers();
                for (int k = 0; k < width; ++k) {
                    sum.at[k] += isAt<Position, width>(positions, k, ofColumn) ? d.at[k] : 0.0F;
                }
                ofColumn -= strideColumns;
                from += of.packs;
            }
            tap -= strideRows * of.kernelColumns;
            from += (of.windowColumns - count) * of.packs;
        }
        if constexpr (hasRelu) {
            const Numbers<width> y =
                Pack<Kept, width>::load(relu + std::int64_t{e} * width).numbers();
            for (int k = 0; k < width; ++k) {
                sum.at[k] = y.at[k] <= 0 ? 0.0F : sum.at[k];
            }
        }
        Pack<Kept, width>::of(sum).store(dx + std::int64_t{e} * width);
    }
}

PoolSizes sizesOf(const PoolMaps& of, std::int64_t maps, int width, bool areWindows) {
    const Pool& p = of.pool;
    const std::int64_t packs = of.depth / width;
    const std::int64_t rows = areWindows ? p.windowRows : p.mapRows;
    const std::int64_t columns = areWindows ? p.windowColumns : p.mapColumns;
    return {.depth = FastDivision(packs),
            .columns = FastDivision(columns),
            .rows = FastDivision(rows),
            .strideRows = FastDivision(p.strideRows),
            .strideColumns = FastDivision(p.strideColumns),
            .packs = static_cast<int>(packs),
            .mapRows = static_cast<int>(p.mapRows),
            .mapColumns = static_cast<int>(p.mapColumns),
            .windowRows = static_cast<int>(p.windowRows),
            .windowColumns = static_cast<int>(p.windowColumns),
            .kernelRows = static_cast<int>(p.kernelRows),
            .kernelColumns = static_cast<int>(p.kernelColumns),
            .padTop = static_cast<int>(p.padTop),
            .padLeft = static_cast<int>(p.padLeft),
            .count = static_cast<std::uint32_t>(maps * rows * columns * packs)};
}

struct ElementsOfMap {
    std::int64_t map, windows;
};
ElementsOfMap elementsOfMap(const PoolMaps& of) {
    const Pool& p = of.pool;
    return {p.mapRows * p.mapColumns * of.depth, p.windowRows * p.windowColumns * of.depth};
}

/// Calls launch(first map, count) for as many maps at a time as 31 bits can index.
template <class Launch>
void inMaps(const PoolMaps& of, const Launch& launch) {
    const auto [map, windows] = elementsOfMap(of);
    const std::int64_t most = std::max<std::int64_t>(
        1, std::numeric_limits<std::int32_t>::max() / std::max({map, windows, std::int64_t{1}}));
    for (std::int64_t first = 0; first < of.maps; first += most) {
        launch(first, std::min(most, of.maps - first));
    }
}

template <class Kept, class Position>
constexpr int widthOf() {
    return sizeof(Position) == 1 ? packWidth<Kept> : 1;
}

/// True if every pack is aligned.
template <class Kept, class Position>
bool isByPacks(const PoolMaps& of, const Position* position,
               std::initializer_list<const Kept*> addresses) {
    constexpr int width = widthOf<Kept, Position>();
    return of.depth % width == 0 && reinterpret_cast<std::uintptr_t>(position) % width == 0 &&
           std::ranges::all_of(addresses, isAlignedForPacks);
}

} // namespace

template <class Kept, class Position>
void launchMaxPool(const PoolMaps& of, const Kept* x, Kept* y, Position* position,
                   StreamHandle stream) {
    const auto [map, windows] = elementsOfMap(of);
    const auto launch = [&, map = map,
                         windows = windows]<int width>(std::integral_constant<int, width>) {
        inMaps(of, [&](std::int64_t first, std::int64_t count) {
            const PoolSizes sizes = sizesOf(of, count, width, true);
            const auto kernel = maxPoolKernel<Kept, width, Position>;
            KERNEL_LAUNCH(kernel, blocksFor(sizes.count), blockThreads, 0, stream, sizes,
                          x + first * map, y + first * windows, position + first * windows);
        });
    };
    if (isByPacks<Kept>(of, position, {x, y})) {
        launch(std::integral_constant<int, widthOf<Kept, Position>()>{});
    } else {
        launch(std::integral_constant<int, 1>{});
    }
}

template <class Kept, class Position>
void launchMaxPoolGradient(const PoolMaps& of, const Position* position, const Kept* dy,
                           const Kept* relu, Kept* dx, StreamHandle stream) {
    const auto [map, windows] = elementsOfMap(of);
    const auto launch = [&, map = map, windows = windows]<int width, bool hasRelu>(
                            std::integral_constant<int, width>, std::bool_constant<hasRelu>) {
        inMaps(of, [&](std::int64_t first, std::int64_t count) {
            const PoolSizes sizes = sizesOf(of, count, width, false);
            const auto kernel = maxPoolGradientKernel<Kept, width, Position, hasRelu>;
            KERNEL_LAUNCH(kernel, blocksFor(sizes.count), blockThreads, 0, stream, sizes,
                          position + first * windows, dy + first * windows,
                          relu + (hasRelu ? first * map : 0), dx + first * map);
        });
    };
    const auto launchByWidth = [&](auto hasRelu) {
        if (isByPacks<Kept>(of, position, {dy, relu, dx})) {
            launch(std::integral_constant<int, widthOf<Kept, Position>()>{}, hasRelu);
        } else {
            launch(std::integral_constant<int, 1>{}, hasRelu);
        }
    };
    relu == nullptr ? launchByWidth(std::false_type{}) : launchByWidth(std::true_type{});
}

#define WEFT_MAX_POOL(Kept, Position)                                                              \
    template void launchMaxPool(const PoolMaps&, const Kept*, Kept*, Position*, StreamHandle);     \
    template void launchMaxPoolGradient(const PoolMaps&, const Position*, const Kept*,             \
                                        const Kept*, Kept*, StreamHandle);
WEFT_MAX_POOL(float, std::uint8_t)
WEFT_MAX_POOL(float, std::int32_t)
WEFT_MAX_POOL(Bf16, std::uint8_t)
WEFT_MAX_POOL(Bf16, std::int32_t)
#undef WEFT_MAX_POOL

} // namespace weft::cuda
