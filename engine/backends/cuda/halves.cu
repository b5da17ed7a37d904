// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/half_numbers.h"
#include "backends/cuda/halves.h"

namespace weft::cuda {

namespace {

constexpr int tile = 32;
constexpr int tileRows = 8;
/// What a number becomes at element `at` of a result that lies channels-last.
struct Ended {
    std::int64_t channels;
    HalfEnding ending;

    [[nodiscard]] __device__ float of(float y, std::int64_t at) const {
        if (ending.of.bias != nullptr) {
            y += ending.of.bias[at - quotient(at, channels) * channels];
        }
        if (ending.of.addend != nullptr) {
            y += ending.of.addend[at];
        }
        if (ending.addend != nullptr) {
            y += wide(ending.addend[at]);
        }
        return ending.of.hasRelu && y < 0 ? 0 : y;
    }
};

__global__ void halvesKernel(const float* x, Half* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = halfOf(x[k]);
    }
}

template <class From, class To>
__global__ void endedKernel(Ended ended, const From* x, To* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = kept<To>(ended.of(wide(x[k]), k));
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

__global__ void turnedFloatsKernel(Squares squares, const Half* x, float* y) {
    turn(squares, x, y, [](Half half, std::int64_t) { return wide(half); });
}

/// Pictures have few channels: each thread reads all channels of a place, which lie side by side in
/// y, so that neighbouring threads read and write what lies together.
__global__ void fewTurnedHalvesKernel(Maps maps, const float* x, Half* y) {
    const std::int64_t places = maps.images * maps.places;
    for (std::int64_t k = firstElement(); k < places; k += elementStep()) {
        const std::int64_t image = quotient(k, maps.places);
        const std::int64_t from = image * maps.places * maps.channels + (k - image * maps.places);
        for (std::int64_t channel = 0; channel < maps.channels; ++channel) {
            y[k * maps.channels + channel] = halfOf(x[from + channel * maps.places]);
        }
    }
}

/// Whether numbers lie as halves do: where there is one channel, or one place, plain is no other.
bool isAsHalves(const Maps& maps) { return maps.isLast || maps.channels == 1 || maps.places == 1; }

dim3 gridFor(const Squares& squares) {
    return dim3(static_cast<unsigned>(std::min(squares.count(), mostBlocks)));
}

template <class From, class To>
void onEach(const Ended& ended, const From* x, To* y, std::int64_t n, Stream stream) {
    const auto kernel = endedKernel<From, To>;
    KERNEL_LAUNCH(kernel, blocksFor(n), blockThreads, 0, stream, ended, x, y, n);
}

} // namespace

void launchHalves(const Maps& maps, const float* x, Half* y, Stream stream) {
    const std::int64_t n = maps.elements();
    if (isAsHalves(maps)) {
        KERNEL_LAUNCH(halvesKernel, blocksFor(n), blockThreads, 0, stream, x, y, n);
        return;
    }
    constexpr std::int64_t few = 8;
    if (maps.channels <= few) {
        KERNEL_LAUNCH(fewTurnedHalvesKernel, blocksFor(maps.images * maps.places), blockThreads, 0,
                      stream, maps, x, y);
        return;
    }
    const Squares squares{maps.images, maps.channels, maps.places};
    KERNEL_LAUNCH(turnedHalvesKernel, gridFor(squares), dim3(tile, tileRows), 0, stream, squares, x,
                  y);
}

void launchFloats(const Maps& maps, const Half* x, float* y, Stream stream) {
    if (isAsHalves(maps)) {
        launchEnded(maps, x, {}, y, stream);
        return;
    }
    const Squares squares{maps.images, maps.places, maps.channels};
    KERNEL_LAUNCH(turnedFloatsKernel, gridFor(squares), dim3(tile, tileRows), 0, stream, squares, x,
                  y);
}

void launchEnded(const Maps& maps, const Half* x, const HalfEnding& ending, float* y,
                 Stream stream) {
    onEach({maps.channels, ending}, x, y, maps.elements(), stream);
}
void launchEnded(const Maps& maps, const Half* x, const HalfEnding& ending, Half* y,
                 Stream stream) {
    onEach({maps.channels, ending}, x, y, maps.elements(), stream);
}
void launchEnded(const Maps& maps, const float* x, const HalfEnding& ending, Half* y,
                 Stream stream) {
    onEach({maps.channels, ending}, x, y, maps.elements(), stream);
}
void launchEnded(const Maps& maps, const float* x, const HalfEnding& ending, float* y,
                 Stream stream) {
    onEach({maps.channels, ending}, x, y, maps.elements(), stream);
}

} // namespace weft::cuda
