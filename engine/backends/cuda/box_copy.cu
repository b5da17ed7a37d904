// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/box_copy.h"
#include "backends/cuda/launch.h"

namespace weft::cuda {

namespace {

constexpr int tile = 32;
constexpr int tileRows = 8;

struct Places {
    std::int64_t from = 0, to = 0;
};

/// Where outer element n lies on either side.
[[nodiscard]] __device__ Places outerPlaces(const BoxCopy& copy, std::int64_t n) {
    Places places;
    for (std::size_t k = copy.outers; k-- > 0;) {
        const BoxCopy::Loop& loop = copy.outer[k];
        const std::int64_t rest = quotient(n, loop.size);
        const std::int64_t index = n - rest * loop.size;
        places.from += index * loop.from;
        places.to += index * loop.to;
        n = rest;
    }
    return places;
}

/// Neighbouring threads have neighbours of the result.
template <class T>
__global__ void boxCopyKernel(BoxCopy copy, const T* from, T* to, std::int64_t n) {
    for (std::int64_t e = firstElement(); e < n; e += elementStep()) {
        const std::int64_t row = quotient(e, copy.along.size);
        const std::int64_t along = e - row * copy.along.size;
        const std::int64_t outer = quotient(row, copy.across.size);
        const std::int64_t across = row - outer * copy.across.size;
        const Places at = outerPlaces(copy, outer);
        to[at.to + across * copy.across.to + along * copy.along.to] =
            from[at.from + across * copy.across.from + along * copy.along.from];
    }
}

/// Where the dense dims of the two sides differ: squares that are read along one and written along
/// the other.
template <class T>
__global__ void tileCopyKernel(BoxCopy copy, const T* from, T* to, std::int64_t tiles,
                               std::int64_t tilesAlong, std::int64_t tilesAcross) {
    __shared__ T square[tile][tile + 1];
    for (std::int64_t k = blockIdx.x; k < tiles; k += gridDim.x) {
        const std::int64_t row = quotient(k, tilesAlong);
        const std::int64_t outer = quotient(row, tilesAcross);
        const std::int64_t along = (k - row * tilesAlong) * tile;
        const std::int64_t across = (row - outer * tilesAcross) * tile;
        const Places at = outerPlaces(copy, outer);
        for (int j = threadIdx.y; j < tile; j += tileRows) {
            const std::int64_t a = along + j;
            const std::int64_t b = across + threadIdx.x;
            if (a < copy.along.size && b < copy.across.size) {
                square[j][threadIdx.x] = from[at.from + b * copy.across.from + a * copy.along.from];
            }
        }
        __syncthreads();
        for (int j = threadIdx.y; j < tile; j += tileRows) {
            const std::int64_t a = along + threadIdx.x;
            const std::int64_t b = across + j;
            if (a < copy.along.size && b < copy.across.size) {
                to[at.to + b * copy.across.to + a * copy.along.to] = square[threadIdx.x][j];
            }
        }
        __syncthreads(); // before the next square
    }
}

template <class T>
__global__ void fillKernel(T value, T* y, std::int64_t n) {
    for (std::int64_t e = firstElement(); e < n; e += elementStep()) {
        y[e] = value;
    }
}

template <class T>
void copyBox(const BoxCopy& copy, const void* from, void* to, Stream stream) {
    const auto* const x = static_cast<const T*>(from);
    auto* const y = static_cast<T*>(to);
    const auto tilesIn = [](std::int64_t size) { return (size + tile - 1) / tile; };
    constexpr std::int64_t worthwhile = 8;
    if (copy.along.from != 1 && copy.across.from == 1 && copy.along.size >= worthwhile &&
        copy.across.size >= worthwhile) {
        const std::int64_t along = tilesIn(copy.along.size);
        const std::int64_t across = tilesIn(copy.across.size);
        const std::int64_t tiles = along * across * copy.outerSize();
        const dim3 grid(static_cast<unsigned>(std::min(tiles, mostBlocks)));
        KERNEL_LAUNCH(tileCopyKernel<T>, grid, dim3(tile, tileRows), 0, stream, copy, x, y, tiles,
                      along, across);
        return;
    }
    const std::int64_t n = copy.outerSize() * copy.across.size * copy.along.size;
    KERNEL_LAUNCH(boxCopyKernel<T>, blocksFor(n), blockThreads, 0, stream, copy, x, y, n);
}

template <class T>
void fill(std::uint64_t bits, void* y, std::int64_t n, Stream stream) {
    KERNEL_LAUNCH(fillKernel<T>, blocksFor(n), blockThreads, 0, stream, static_cast<T>(bits),
                  static_cast<T*>(y), n);
}

} // namespace

void launchBoxCopy(const BoxCopy& copy, std::size_t elementSize, const void* from, void* to,
                   Stream stream) {
    switch (elementSize) {
    case 1: return copyBox<std::uint8_t>(copy, from, to, stream);
    case 2: return copyBox<std::uint16_t>(copy, from, to, stream);
    case 4: return copyBox<std::uint32_t>(copy, from, to, stream);
    default: return copyBox<std::uint64_t>(copy, from, to, stream);
    }
}

void launchFill(std::uint64_t bits, std::size_t elementSize, void* y, std::int64_t n,
                Stream stream) {
    switch (elementSize) {
    case 1: return fill<std::uint8_t>(bits, y, n, stream);
    case 2: return fill<std::uint16_t>(bits, y, n, stream);
    case 4: return fill<std::uint32_t>(bits, y, n, stream);
    default: return fill<std::uint64_t>(bits, y, n, stream);
    }
}

} // namespace weft::cuda
