// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/launch.h"
#include "backends/cuda/pooling.h"

#include <cmath>

namespace weft::cuda {

namespace {

/// Element e of maps of so many rows and columns.
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
    /// The element at another row and column of maps of another size.
    [[nodiscard]] __device__ std::int64_t at(std::int64_t rows, std::int64_t columns,
                                             std::int64_t depths, std::int64_t otherRow,
                                             std::int64_t otherColumn) const {
        return ((map * rows + otherRow) * columns + otherColumn) * depths + depth;
    }
};

[[nodiscard]] __device__ MapPlace placeOfWindow(const MapsOf& of, std::int64_t e) {
    return {e, of.pool.windowRows, of.pool.windowColumns, of.depth};
}
[[nodiscard]] __device__ MapPlace placeInMap(const MapsOf& of, std::int64_t e) {
    return {e, of.pool.mapRows, of.pool.mapColumns, of.depth};
}

__global__ void maxPoolKernel(MapsOf of, const float* x, float* y, IntegerResult position,
                              std::int64_t n) {
    const Pool& p = of.pool;
    for (std::int64_t e = firstElement(); e < n; e += elementStep()) {
        const MapPlace window = placeOfWindow(of, e);
        const Taps rows = p.tapsOfRow(window.row);
        const Taps columns = p.tapsOfColumn(window.column);
        float most = -INFINITY;
        std::int64_t where = p.wholeIndex(rows.begin, columns.begin);
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            for (std::int64_t column = columns.begin; column < columns.end; ++column) {
                const float value = x[window.at(p.mapRows, p.mapColumns, of.depth, row, column)];
                // Greater, or the first NaN: once the most is one, nothing compares as greater.
                if (!(value <= most) && most == most) {
                    most = value;
                    where = p.wholeIndex(row, column);
                }
            }
        }
        y[e] = most;
        position.set(e, where);
    }
}

__global__ void maxPoolGradientKernel(MapsOf of, Integers position, const float* dy, float* dx,
                                      std::int64_t n) {
    const Pool& p = of.pool;
    for (std::int64_t e = firstElement(); e < n; e += elementStep()) {
        const MapPlace place = placeInMap(of, e);
        const Taps rows = p.windowsOverRow(place.row);
        const Taps columns = p.windowsOverColumn(place.column);
        const std::int64_t own = p.wholeIndex(place.row, place.column);
        float sum = 0;
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            for (std::int64_t column = columns.begin; column < columns.end; ++column) {
                const std::int64_t window =
                    place.at(p.windowRows, p.windowColumns, of.depth, row, column);
                sum += position.at(window) == own ? dy[window] : 0.0F;
            }
        }
        dx[e] = sum;
    }
}

__global__ void averagePoolKernel(MapsOf of, WindowCount rowCount, WindowCount columnCount,
                                  const float* x, float* y, std::int64_t n) {
    const Pool& p = of.pool;
    for (std::int64_t e = firstElement(); e < n; e += elementStep()) {
        const MapPlace window = placeOfWindow(of, e);
        const Taps rows = p.tapsOfRow(window.row);
        const Taps columns = p.tapsOfColumn(window.column);
        float sum = 0;
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            for (std::int64_t column = columns.begin; column < columns.end; ++column) {
                sum += x[window.at(p.mapRows, p.mapColumns, of.depth, row, column)];
            }
        }
        y[e] = sum / static_cast<float>(rowCount.of(window.row) * columnCount.of(window.column));
    }
}

__global__ void averagePoolGradientKernel(MapsOf of, WindowCount rowCount, WindowCount columnCount,
                                          const float* dy, float* dx, std::int64_t n) {
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
                sum += dy[window] / static_cast<float>(rowCount.of(row) * columnCount.of(column));
            }
        }
        dx[e] = sum;
    }
}

std::int64_t windowsIn(const MapsOf& of) {
    return of.maps * of.pool.windowRows * of.pool.windowColumns * of.depth;
}
std::int64_t placesIn(const MapsOf& of) {
    return of.maps * of.pool.mapRows * of.pool.mapColumns * of.depth;
}

} // namespace

void launchMaxPool(const MapsOf& of, const float* x, float* y, const IntegerResult& position,
                   Stream stream) {
    const std::int64_t n = windowsIn(of);
    KERNEL_LAUNCH(maxPoolKernel, blocksFor(n), blockThreads, 0, stream, of, x, y, position, n);
}

void launchMaxPoolGradient(const MapsOf& of, const Integers& position, const float* dy, float* dx,
                           Stream stream) {
    const std::int64_t n = placesIn(of);
    KERNEL_LAUNCH(maxPoolGradientKernel, blocksFor(n), blockThreads, 0, stream, of, position, dy,
                  dx, n);
}

void launchAveragePool(const MapsOf& of, const WindowCount& rows, const WindowCount& columns,
                       const float* x, float* y, Stream stream) {
    const std::int64_t n = windowsIn(of);
    KERNEL_LAUNCH(averagePoolKernel, blocksFor(n), blockThreads, 0, stream, of, rows, columns, x, y,
                  n);
}

void launchAveragePoolGradient(const MapsOf& of, const WindowCount& rows,
                               const WindowCount& columns, const float* dy, float* dx,
                               Stream stream) {
    const std::int64_t n = placesIn(of);
    KERNEL_LAUNCH(averagePoolGradientKernel, blocksFor(n), blockThreads, 0, stream, of, rows,
                  columns, dy, dx, n);
}

} // namespace weft::cuda
