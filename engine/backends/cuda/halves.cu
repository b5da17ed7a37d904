// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/halves.h"
#include "backends/cuda/launch.h"

#include <bit>

namespace weft::cuda {

namespace {

constexpr int tile = 32;
constexpr int tileRows = 8;
constexpr std::uint32_t behind = 16; ///< bits that a half has not

[[nodiscard]] __device__ Half halfOf(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    if (x != x) {
        return static_cast<Half>((bits >> behind) | 0x40U); // rounded it could become infinite
    }
    const std::uint32_t toEven = (bits >> behind) & 1U;
    return static_cast<Half>((bits + 0x7FFFU + toEven) >> behind);
}

/// What a half becomes at element `at` of the plain result.
struct Ended {
    Maps maps;
    Ending ending;

    [[nodiscard]] __device__ float of(Half x, std::int64_t at) const {
        auto y = std::bit_cast<float>(std::uint32_t{x} << behind);
        if (ending.bias != nullptr) {
            const std::int64_t row = quotient(at, maps.places);
            y += ending.bias[row - quotient(row, maps.channels) * maps.channels];
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

    [[nodiscard]] __device__ std::int64_t down() const { return quotient(rows + tile - 1, tile); }
    [[nodiscard]] __device__ std::int64_t across() const {
        return quotient(columns + tile - 1, tile);
    }
    /// visit(image, first row, first column) for those of this block, by all of its threads.
    template <class Visit>
    __device__ void each(const Visit& visit) const {
        const std::int64_t ofImage = down() * across();
        for (std::int64_t k = blockIdx.x; k < images * ofImage; k += gridDim.x) {
            const std::int64_t image = quotient(k, ofImage);
            const std::int64_t row = quotient(k - image * ofImage, across());
            visit(image, row * tile, (k - image * ofImage - row * across()) * tile);
        }
    }
};

__global__ void turnedHalvesKernel(Squares squares, const float* x, Half* y) {
    __shared__ Half square[tile][tile + 1];
    squares.each([&](std::int64_t image, std::int64_t row, std::int64_t column) {
        const std::int64_t first = image * squares.rows * squares.columns;
        for (int j = threadIdx.y; j < tile; j += tileRows) {
            const std::int64_t r = row + j;
            const std::int64_t c = column + threadIdx.x;
            if (r < squares.rows && c < squares.columns) {
                square[j][threadIdx.x] = halfOf(x[first + r * squares.columns + c]);
            }
        }
        __syncthreads();
        for (int j = threadIdx.y; j < tile; j += tileRows) {
            const std::int64_t r = row + threadIdx.x;
            const std::int64_t c = column + j;
            if (r < squares.rows && c < squares.columns) {
                y[first + c * squares.rows + r] = square[threadIdx.x][j];
            }
        }
        __syncthreads(); // before the next square
    });
}

__global__ void turnedFloatsKernel(Ended ended, Squares squares, const Half* x, float* y) {
    __shared__ Half square[tile][tile + 1];
    squares.each([&](std::int64_t image, std::int64_t row, std::int64_t column) {
        const std::int64_t first = image * squares.rows * squares.columns;
        for (int j = threadIdx.y; j < tile; j += tileRows) {
            const std::int64_t r = row + j;
            const std::int64_t c = column + threadIdx.x;
            if (r < squares.rows && c < squares.columns) {
                square[j][threadIdx.x] = x[first + r * squares.columns + c];
            }
        }
        __syncthreads();
        for (int j = threadIdx.y; j < tile; j += tileRows) {
            const std::int64_t r = row + threadIdx.x;
            const std::int64_t c = column + j;
            if (r < squares.rows && c < squares.columns) {
                const std::int64_t at = first + c * squares.rows + r;
                y[at] = ended.of(square[threadIdx.x][j], at);
            }
        }
        __syncthreads(); // before the next square
    });
}

/// Whether plain and channels-last are one order.
bool isOneOrder(const Maps& maps) { return maps.channels == 1 || maps.places == 1; }

dim3 gridFor(const Squares& squares) {
    const auto tilesIn = [](std::int64_t size) { return (size + tile - 1) / tile; };
    const std::int64_t all = squares.images * tilesIn(squares.rows) * tilesIn(squares.columns);
    return dim3(static_cast<unsigned>(std::min(all, mostBlocks)));
}

} // namespace

void launchHalves(const Maps& maps, const float* x, Half* y, Stream stream) {
    const std::int64_t n = maps.elements();
    if (isOneOrder(maps)) {
        KERNEL_LAUNCH(halvesKernel, blocksFor(n), blockThreads, 0, stream, x, y, n);
        return;
    }
    const Squares squares{maps.images, maps.channels, maps.places};
    KERNEL_LAUNCH(turnedHalvesKernel, gridFor(squares), dim3(tile, tileRows), 0, stream, squares, x,
                  y);
}

void launchFloats(const Maps& maps, const Half* x, const Ending& ending, float* y, Stream stream) {
    const std::int64_t n = maps.elements();
    const Ended ended{maps, ending};
    if (isOneOrder(maps)) {
        KERNEL_LAUNCH(floatsKernel, blocksFor(n), blockThreads, 0, stream, ended, x, y, n);
        return;
    }
    const Squares squares{maps.images, maps.places, maps.channels};
    KERNEL_LAUNCH(turnedFloatsKernel, gridFor(squares), dim3(tile, tileRows), 0, stream, ended,
                  squares, x, y);
}

} // namespace weft::cuda
