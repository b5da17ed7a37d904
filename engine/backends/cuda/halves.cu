// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/half_numbers.h"
#include "backends/cuda/halves.h"

namespace weft::cuda {

namespace {

constexpr int tile = 32;
constexpr int tileRows = 8;
/// What a half becomes at element `at` of the result.
struct Ended {
    std::int64_t channels, inner; ///< neighbours that are of one channel
    Ending ending;

    [[nodiscard]] __device__ float of(Half x, std::int64_t at) const {
        float y = wide(x);
        if (ending.bias != nullptr) {
            const std::int64_t row = quotient(at, inner);
            y += ending.bias[row - quotient(row, channels) * channels];
        }
        if (ending.addend != nullptr) {
            y += ending.addend[at];
        }
        return ending.hasRelu && y < 0 ? 0 : y;
    }
};

__global__ void halvesKernel(const float* x, Half* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = halfOf(x[k]);
    }
}

__global__ void floatsKernel(Ended ended, const Half* x, float* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = ended.of(x[k], k);
    }
}

/// A matrix per image, in squares that are read along its rows and written along its columns.
struct Squares {
    std::int64_t images = 0, rows = 0, columns = 0;

    [[nodiscard]] __host__ __device__ std::int64_t down() const { return (rows + tile - 1) / tile; }
    [[nodiscard]] __host__ __device__ std::int64_t across() const {
        return (columns + tile - 1) / tile;
    }
    [[nodiscard]] __host__ __device__ std::int64_t count() const {
        return images * down() * across();
    }
};

/// Columns of y are rows of x: y[k] = become(its element of x, k).
template <class From, class To, class Become>
__device__ void turn(const Squares& of, const From* x, To* y, const Become& become) {
    __shared__ From square[tile][tile + 1];
    for (std::int64_t k = blockIdx.x; k < of.count(); k += gridDim.x) {
        const std::int64_t line = quotient(k, of.across());
        const std::int64_t image = quotient(line, of.down());
        const std::int64_t row = (line - image * of.down()) * tile;
        const std::int64_t column = (k - line * of.across()) * tile;
        const std::int64_t first = image * of.rows * of.columns;
        for (int j = threadIdx.y; j < tile; j += tileRows) {
            const std::int64_t r = row + j;
            const std::int64_t c = column + threadIdx.x;
            if (r < of.rows && c < of.columns) {
                square[j][threadIdx.x] = x[first + r * of.columns + c];
            }
        }
        __syncthreads();
        for (int j = threadIdx.y; j < tile; j += tileRows) {
            const std::int64_t r = row + threadIdx.x;
            const std::int64_t c = column + j;
            if (r < of.rows && c < of.columns) {
                const std::int64_t at = first + c * of.rows + r;
                y[at] = become(square[threadIdx.x][j], at);
            }
        }
        __syncthreads(); // before the next square
    }
}

__global__ void turnedHalvesKernel(Squares squares, const float* x, Half* y) {
    turn(squares, x, y, [](float number, std::int64_t) { return halfOf(number); });
}

__global__ void turnedFloatsKernel(Squares squares, Ended ended, const Half* x, float* y) {
    turn(squares, x, y, [&](Half half, std::int64_t at) { return ended.of(half, at); });
}

/// Whether numbers lie as halves do: where there is one channel, or one place, plain is no other.
bool isAsHalves(const Maps& maps) { return maps.isLast || maps.channels == 1 || maps.places == 1; }

dim3 gridFor(const Squares& squares) {
    return dim3(static_cast<unsigned>(std::min(squares.count(), mostBlocks)));
}

} // namespace

void launchHalves(const Maps& maps, const float* x, Half* y, Stream stream) {
    const std::int64_t n = maps.elements();
    if (isAsHalves(maps)) {
        KERNEL_LAUNCH(halvesKernel, blocksFor(n), blockThreads, 0, stream, x, y, n);
        return;
    }
    const Squares squares{maps.images, maps.channels, maps.places};
    KERNEL_LAUNCH(turnedHalvesKernel, gridFor(squares), dim3(tile, tileRows), 0, stream, squares, x,
                  y);
}

void launchFloats(const Maps& maps, const Half* x, const Ending& ending, float* y, Stream stream) {
    const std::int64_t n = maps.elements();
    const Ended ended{maps.channels, maps.isLast ? 1 : maps.places, ending};
    if (isAsHalves(maps)) {
        KERNEL_LAUNCH(floatsKernel, blocksFor(n), blockThreads, 0, stream, ended, x, y, n);
        return;
    }
    const Squares squares{maps.images, maps.places, maps.channels};
    KERNEL_LAUNCH(turnedFloatsKernel, gridFor(squares), dim3(tile, tileRows), 0, stream, squares,
                  ended, x, y);
}

} // namespace weft::cuda
