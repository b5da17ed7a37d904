// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/kernels/teams.h"
#include "backends/cuda/sparse/hebb.h"

namespace weft::cuda {

namespace {

[[nodiscard]] __device__ float countFor(const Hebb& of, std::int64_t k) {
    const std::int64_t block = quotient(k, of.ofCount);
    if (of.taps == 0) {
        return of.count[block];
    }
    const std::int64_t tap = quotient(k, of.ofTap);
    return of.count[block * of.taps + tap - quotient(tap, of.taps) * of.taps];
}

__global__ void hebbKernel(Hebb of, float* after, float* update) {
    const float rate = of.scale * *of.rate;
    const float decay = of.decaysByRate ? rate * of.decay : of.decay;
    for (std::int64_t k = firstElement(); k < of.n; k += elementStep()) {
        const float w = of.w[k];
        const float count = countFor(of, k);
        float d = count == 0 ? 0 : rate * of.sum[k] / count;
        if (of.previous != nullptr) {
            d = (1 - of.momentum) * d + of.momentum * of.previous[k];
        }
        d -= decay * w;
        after[k] = w + d;
        if (of.previous != nullptr) {
            update[k] = d;
        }
    }
}

template <class OfTeam>
__global__ void unitLengthKernel(OfTeam, const float* w, std::int64_t rows, std::int64_t d,
                                 float* y) {
    for (std::int64_t row = OfTeam::firstRow(); row < rows; row += OfTeam::rowStep()) {
        const double squares = OfTeam::template sum<double>(d, [&](std::int64_t k) {
            const double number = w[row * d + k];
            return number * number;
        });
        const double length = squares > 0 ? sqrt(squares) : 1;
        for (std::int64_t k = OfTeam::threadInTeam(); k < d; k += OfTeam::size()) {
            y[row * d + k] = static_cast<float>(w[row * d + k] / length);
        }
    }
}

/// One count: its atom and tap, and the first batch element and position that it covers.
struct Counted {
    std::int64_t element, atom;
    std::int32_t position, tap;
};
[[nodiscard]] __device__ Counted countedBy(const CodeCount& of, std::int64_t index) {
    const std::int64_t atoms = quotient(index, of.taps());
    const std::int64_t set = quotient(atoms, of.atoms);
    const std::int64_t element = of.perPosition ? quotient(set, of.positions()) : set;
    return {of.perElement ? element : 0, atoms - set * of.atoms,
            of.perPosition ? static_cast<std::int32_t>(set - element * of.positions()) : 0,
            static_cast<std::int32_t>(index - atoms * of.taps())};
}

/// True if that tap of the window of a code lies inside the map.
[[nodiscard]] __device__ bool isInside(const CodeCount& of, std::int32_t position,
                                       std::int32_t tap) {
    const std::int32_t row =
        position / of.columns * of.strideRows + of.top + tap / of.kernelColumns * of.dilationRows;
    const std::int32_t column = position % of.columns * of.strideColumns + of.left +
                                tap % of.kernelColumns * of.dilationColumns;
    return !of.hasBorder || (row >= 0 && row < of.mapRows && column >= 0 && column < of.mapColumns);
}

template <class OfTeam>
__global__ void countCodesKernel(OfTeam, CodeCount of, const float* codes, float* counts) {
    const std::int32_t positions = of.perPosition ? 1 : of.positions();
    for (std::int64_t k = OfTeam::firstRow(); k < of.counts(); k += OfTeam::rowStep()) {
        const Counted at = countedBy(of, k);
        const auto count = OfTeam::template sum<std::int64_t>(
            of.codesOfCount(), [&](std::int64_t index) -> std::int64_t {
                const std::int64_t further = quotient(index, positions);
                const std::int32_t position =
                    at.position + static_cast<std::int32_t>(index - further * positions);
                const std::int64_t plane = (at.element + further) * of.atoms + at.atom;
                return codes[plane * of.positions() + position] != 0 &&
                       isInside(of, position, at.tap);
            });
        if (OfTeam::threadInTeam() == 0) {
            counts[k] = static_cast<float>(count);
        }
    }
}

} // namespace

void launchHebb(const Hebb& hebb, float* after, float* update, StreamHandle stream) {
    KERNEL_LAUNCH(hebbKernel, blocksFor(hebb.n), blockThreads, 0, stream, hebb, after, update);
}

void launchUnitLength(const float* w, std::int64_t rows, std::int64_t d, float* y,
                      StreamHandle stream) {
    withTeam(rows, d, [&]<class OfTeam>(OfTeam team, unsigned blocks) {
        const auto kernel = unitLengthKernel<OfTeam>;
        KERNEL_LAUNCH(kernel, blocks, blockThreads, 0, stream, team, w, rows, d, y);
    });
}

void launchCountCodes(const CodeCount& count, const float* codes, float* counts,
                      StreamHandle stream) {
    withTeamOrSingleThread(
        count.counts(), count.codesOfCount(), [&]<class OfTeam>(OfTeam team, unsigned blocks) {
            const auto kernel = countCodesKernel<OfTeam>;
            KERNEL_LAUNCH(kernel, blocks, blockThreads, 0, stream, team, count, codes, counts);
        });
}

} // namespace weft::cuda
