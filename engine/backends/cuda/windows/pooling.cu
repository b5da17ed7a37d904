// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/bf16_numbers.h"
#include "backends/cuda/windows/pooling.h"

namespace weft::cuda {

namespace {

/// The position of element e of maps with so many rows and columns.
struct MapPlace {
    std::int64_t map, row, column, depth;

    __device__ MapPlace(std::int64_t e, std::int64_t rows, std::int64_t columns,
                        std::int64_t depths) {
        const std::int64_t place = quotient(e, depths);
        const std::int64_t line = quotient(place, columns);
        map = quotient(line, rows);
        row = line - map * rows;
        column = place - line * columns;
        depth = e - place * depths;
    }
    /// Returns the index of the element at another row and column, in maps of another size.
    [[nodiscard]] __device__ std::int64_t at(std::int64_t rows, std::int64_t columns,
                                             std::int64_t depths, std::int64_t otherRow,
                                             std::int64_t otherColumn) const {
        return ((map * rows + otherRow) * columns + otherColumn) * depths + depth;
    }
};

[[nodiscard]] __device__ MapPlace placeOfWindow(const PoolMaps& of, std::int64_t e) {
    return {e, of.pool.windowRows, of.pool.windowColumns, of.depth};
}
[[nodiscard]] __device__ MapPlace placeInMap(const PoolMaps& of, std::int64_t e) {
    return {e, of.pool.mapRows, of.pool.mapColumns, of.depth};
}

template <class Kept>
__global__ void averagePoolKernel(PoolMaps of, WindowCount rowCount, WindowCount columnCount,
                                  const Kept* x, Kept* y, std::int64_t n) {
    const Pool& p = of.pool;
    for (std::int64_t e = firstElement(); e < n; e += elementStep()) {
        const MapPlace window = placeOfWindow(of, e);
        const Taps rows = p.tapsOfRow(window.row);
        const Taps columns = p.tapsOfColumn(window.column);
        float sum = 0;
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            for (std::int64_t column = columns.begin; column < columns.end; ++column) {
                sum += toF32(x[window.at(p.mapRows, p.mapColumns, of.depth, row, column)]);
            }
        }
        y[e] = kept<Kept>(sum / static_cast<float>(rowCount.countOf(window.row) *
                                                   columnCount.countOf(window.column)));
    }
}

template <class Kept>
__global__ void averagePoolGradientKernel(PoolMaps of, WindowCount rowCount,
                                          WindowCount columnCount, const Kept* dy, Kept* dx,
                                          std::int64_t n) {
    const Pool& p = of.pool;
    for (std::int64_t e = firstElement(); e < n; e += elementStep()) {
        const MapPlace place = placeInMap(of, e);
        const Taps rows = p.windowsOverRow(place.row);
        const Taps columns = p.windowsOverColumn(place.column);
        float sum = 0;
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            for (std::int64_t column = columns.begin; column < columns.end; ++column) {
                const std::int64_t window =
                    place.at(p.windowRows, p.windowColumns, of.depth, row, column);
                sum += toF32(dy[window]) /
                       static_cast<float>(rowCount.countOf(row) * columnCount.countOf(column));
            }
        }
        dx[e] = kept<Kept>(sum);
    }
}

template <class Kept>
__global__ void globalAverageGradientKernel(std::int64_t places, std::int64_t depth, float count,
                                            const float* dy, Kept* dx, std::int64_t n) {
    for (std::int64_t e = firstElement(); e < n; e += elementStep()) {
        const std::int64_t map = quotient(e, places * depth);
        const std::int64_t channel = e - quotient(e, depth) * depth;
        dx[e] = kept<Kept>(dy[map * depth + channel] / count);
    }
}

std::int64_t windowsIn(const PoolMaps& of) {
    return of.maps * of.pool.windowRows * of.pool.windowColumns * of.depth;
}
std::int64_t placesIn(const PoolMaps& of) {
    return of.maps * of.pool.mapRows * of.pool.mapColumns * of.depth;
}

} // namespace

template <class Kept>
void launchAveragePool(const PoolMaps& of, const WindowCount& rows, const WindowCount& columns,
                       const Kept* x, Kept* y, StreamHandle stream) {
    const std::int64_t n = windowsIn(of);
    KERNEL_LAUNCH(averagePoolKernel<Kept>, blocksFor(n), blockThreads, 0, stream, of, rows, columns,
                  x, y, n);
}

template <class Kept>
void launchAveragePoolGradient(const PoolMaps& of, const WindowCount& rows,
                               const WindowCount& columns, const Kept* dy, Kept* dx,
                               StreamHandle stream) {
    const std::int64_t n = placesIn(of);
    KERNEL_LAUNCH(averagePoolGradientKernel<Kept>, blocksFor(n), blockThreads, 0, stream, of, rows,
                  columns, dy, dx, n);
}

template <class Kept>
void launchGlobalAverageGradient(std::int64_t places, std::int64_t depth, float count,
                                 const float* dy, Kept* dx, std::int64_t n, StreamHandle stream) {
    KERNEL_LAUNCH(globalAverageGradientKernel<Kept>, blocksFor(n), blockThreads, 0, stream, places,
                  depth, count, dy, dx, n);
}

template void launchAveragePool(const PoolMaps&, const WindowCount&, const WindowCount&,
                                const float*, float*, StreamHandle);
template void launchAveragePoolGradient(const PoolMaps&, const WindowCount&, const WindowCount&,
                                        const float*, float*, StreamHandle);
template void launchGlobalAverageGradient(std::int64_t, std::int64_t, float, const float*, float*,
                                          std::int64_t, StreamHandle);
template void launchAveragePool(const PoolMaps&, const WindowCount&, const WindowCount&,
                                const Bf16*, Bf16*, StreamHandle);
template void launchAveragePoolGradient(const PoolMaps&, const WindowCount&, const WindowCount&,
                                        const Bf16*, Bf16*, StreamHandle);
template void launchGlobalAverageGradient(std::int64_t, std::int64_t, float, const float*, Bf16*,
                                          std::int64_t, StreamHandle);

} // namespace weft::cuda
