// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/fast_division.h"
#include "backends/cuda/kernels/packs.h"
#include "backends/cuda/products/bf16.h"

#include <limits>

namespace weft::cuda {

namespace {

constexpr int tile = 32;
constexpr int tileRows = 8;
constexpr int eight = packWidth<Bf16>; ///< numbers per thread at a time

/// Loads eight neighbours.
[[nodiscard]] __device__ Numbers<eight> eightOf(const Bf16* x) {
    return Pack<Bf16, eight>::load(x).numbers();
}
[[nodiscard]] __device__ Numbers<eight> eightOf(const float* x) {
    constexpr int four = packWidth<float>;
    const auto first = Pack<float, four>::load(x);
    const auto second = Pack<float, four>::load(x + four);
    Numbers<eight> numbers;
    for (int k = 0; k < four; ++k) {
        numbers.at[k] = first.numbers().at[k];
        numbers.at[four + k] = second.numbers().at[k];
    }
    return numbers;
}
__device__ void storeEight(const Numbers<eight>& numbers, Bf16* y) {
    Pack<Bf16, eight>::of(numbers).store(y);
}
__device__ void storeEight(const Numbers<eight>& numbers, float* y) {
    constexpr int four = packWidth<float>;
    for (int half = 0; half < eight; half += four) {
        Numbers<four> some;
        for (int k = 0; k < four; ++k) {
            some.at[k] = numbers.at[half + k];
        }
        Pack<float, four>::of(some).store(y + half);
    }
}

template <class Kept>
__device__ void addEight(const Kept* addend, std::int64_t at, Numbers<eight>& y) {
    if (addend != nullptr) {
        const Numbers<eight> other = eightOf(addend + at);
        for (int k = 0; k < eight; ++k) {
            y.at[k] += other.at[k];
        }
    }
}

/// Applies the fused ops to a number at element `at` of a channels-last result.
struct Ended {
    std::int64_t channels;
    Bf16Ending ending;

    [[nodiscard]] __device__ float of(float y, std::int64_t at) const {
        if (ending.of.bias != nullptr) {
            y += ending.of.bias[at - quotient(at, channels) * channels];
        }
        if (ending.of.addend != nullptr) {
            y += ending.of.addend[at];
        }
        if (ending.addend != nullptr) {
            y += toF32(ending.addend[at]);
        }
        return ending.of.hasRelu && y < 0 ? 0 : y;
    }
    /// Applies the fused ops to eight neighbours, the first of which belongs to `channel`.
    [[nodiscard]] __device__ Numbers<eight> of(Numbers<eight> y, std::int64_t at,
                                               std::uint32_t channel) const {
        addEight(ending.of.bias, channel, y);
        addEight(ending.of.addend, at, y);
        addEight(ending.addend, at, y);
        for (int k = 0; k < eight; ++k) {
            y.at[k] = ending.of.hasRelu && y.at[k] < 0 ? 0.0F : y.at[k];
        }
        return y;
    }
};

__global__ void bf16Kernel(const float* x, Bf16* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = bf16Of(x[k]);
    }
}

template <class From, class To>
__global__ void endedKernel(Ended ended, const From* x, To* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = kept<To>(ended.of(toF32(x[k]), k));
    }
}

__global__ void eightBf16Kernel(const float* x, Bf16* y, std::int64_t eights) {
    for (std::int64_t k = firstElement(); k < eights; k += elementStep()) {
        storeEight(eightOf(x + k * eight), y + k * eight);
    }
}

template <class From, class To>
__global__ void eightEndedKernel(Ended ended, FastDivision eightsOfChannels, const From* x, To* y,
                                 std::uint32_t eights) {
    for (std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < eights;
         k += gridDim.x * blockDim.x) {
        const std::int64_t at = std::int64_t{k} * eight;
        const std::uint32_t channel = eightsOfChannels(k).remainder * eight;
        storeEight(ended.of(eightOf(x + at), at, channel), y + at);
    }
}

/// Converts plain maps of few channels to bf16 channels-last: one thread per position.
__global__ void fewChannelsKernel(Maps maps, const float* x, Bf16* y) {
    const std::int64_t n = maps.images * maps.places;
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        const std::int64_t image = quotient(k, maps.places);
        const float* const from = x + image * (maps.channels - 1) * maps.places + k;
        for (std::int64_t c = 0; c < maps.channels; ++c) {
            y[k * maps.channels + c] = bf16Of(from[c * maps.places]);
        }
    }
}

/// A matrix per image, in squares that are read along rows and written along columns.
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

/// Transposes: y[k] = become(element of x, k).
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

__global__ void turnedBf16Kernel(Squares squares, const float* x, Bf16* y) {
    turn(squares, x, y, [](float number, std::int64_t) { return bf16Of(number); });
}

__global__ void turnedFloatsKernel(Squares squares, const Bf16* x, float* y) {
    turn(squares, x, y, [](Bf16 number, std::int64_t) { return toF32(number); });
}

/// True if the layout equals channels-last: for one channel or one position, plain is the same.
bool isAsBf16(const Maps& maps) { return maps.isLast || maps.channels == 1 || maps.places == 1; }

dim3 gridFor(const Squares& squares) {
    return dim3(static_cast<unsigned>(std::min(squares.count(), mostBlocks)));
}

bool isInPacks(std::int64_t n, std::initializer_list<const void*> addresses) {
    return n % eight == 0 && std::ranges::all_of(addresses, isAlignedForPacks);
}

template <class From, class To>
void onEach(const Ended& ended, const From* x, To* y, std::int64_t n, StreamHandle stream) {
    const Bf16Ending& ending = ended.ending;
    const std::int64_t channels = ending.of.bias == nullptr ? eight : ended.channels;
    if (channels % eight == 0 && n / eight <= std::numeric_limits<std::int32_t>::max() &&
        isInPacks(n, {x, y, ending.of.bias, ending.of.addend, ending.addend})) {
        const auto kernel = eightEndedKernel<From, To>;
        KERNEL_LAUNCH(kernel, blocksFor(n / eight), blockThreads, 0, stream, ended,
                      FastDivision(channels / eight), x, y, static_cast<std::uint32_t>(n / eight));
        return;
    }
    const auto kernel = endedKernel<From, To>;
    KERNEL_LAUNCH(kernel, blocksFor(n), blockThreads, 0, stream, ended, x, y, n);
}

} // namespace

void launchToBf16(const Maps& maps, const float* x, Bf16* y, StreamHandle stream) {
    const std::int64_t n = maps.elements();
    if (isAsBf16(maps) && isInPacks(n, {x, y})) {
        KERNEL_LAUNCH(eightBf16Kernel, blocksFor(n / eight), blockThreads, 0, stream, x, y,
                      n / eight);
        return;
    }
    if (isAsBf16(maps)) {
        KERNEL_LAUNCH(bf16Kernel, blocksFor(n), blockThreads, 0, stream, x, y, n);
        return;
    }
    if (maps.channels <= eight) {
        KERNEL_LAUNCH(fewChannelsKernel, blocksFor(maps.images * maps.places), blockThreads, 0,
                      stream, maps, x, y);
        return;
    }
    const Squares squares{maps.images, maps.channels, maps.places};
    KERNEL_LAUNCH(turnedBf16Kernel, gridFor(squares), dim3(tile, tileRows), 0, stream, squares, x,
                  y);
}

void launchToFloats(const Maps& maps, const Bf16* x, float* y, StreamHandle stream) {
    if (isAsBf16(maps)) {
        launchEpilogue(maps, x, {}, y, stream);
        return;
    }
    const Squares squares{maps.images, maps.places, maps.channels};
    KERNEL_LAUNCH(turnedFloatsKernel, gridFor(squares), dim3(tile, tileRows), 0, stream, squares, x,
                  y);
}

void launchEpilogue(const Maps& maps, const Bf16* x, const Bf16Ending& ending, float* y,
                    StreamHandle stream) {
    onEach({maps.channels, ending}, x, y, maps.elements(), stream);
}
void launchEpilogue(const Maps& maps, const Bf16* x, const Bf16Ending& ending, Bf16* y,
                    StreamHandle stream) {
    onEach({maps.channels, ending}, x, y, maps.elements(), stream);
}
void launchEpilogue(const Maps& maps, const float* x, const Bf16Ending& ending, Bf16* y,
                    StreamHandle stream) {
    onEach({maps.channels, ending}, x, y, maps.elements(), stream);
}
void launchEpilogue(const Maps& maps, const float* x, const Bf16Ending& ending, float* y,
                    StreamHandle stream) {
    onEach({maps.channels, ending}, x, y, maps.elements(), stream);
}

} // namespace weft::cuda
