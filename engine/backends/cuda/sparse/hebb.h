// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hebbian learning: weight updates from sums of products and their counts, norms of atoms, counts
// of codes.

#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

/// h = scale rate sum / count, or 0 if the count is 0; d = (1 - momentum) h + momentum previous -
/// decay w; w' = w + d. With `decaysByRate`, decay is multiplied by scale rate.
struct Hebb {
    std::int64_t n = 0;       ///< number of weights
    std::int64_t ofCount = 1; ///< number of neighbours that share a count
    std::int64_t taps = 0;    ///< if not 0: a separate count per tap of each `ofCount` numbers
    std::int64_t ofTap = 1;   ///< number of neighbours of one tap
    float scale = 1, decay = 0, momentum = 0; ///< scale: factor of the learning rate
    bool decaysByRate = false;
    const float* w = nullptr;
    const float* sum = nullptr;      ///< sums of products of code and residual
    const float* count = nullptr;    ///< number of nonzero codes in a sum
    const float* previous = nullptr; ///< previous update; nullptr: no momentum
    const float* rate = nullptr;     ///< learning rate, one number
};
/// Writes w' to `after` and, if there is momentum, d to `update`.
void launchHebb(const Hebb& hebb, float* after, float* update, StreamHandle stream);

/// y = each row of d numbers divided by its norm, with squares summed in double
void launchUnitLength(const float* w, std::int64_t rows, std::int64_t d, float* y,
                      StreamHandle stream);

/// Counts nonzero codes [batch, atoms, rows, columns] per set, atom and tap.
struct CodeCount {
    std::int64_t batch = 1, atoms = 1;
    std::int32_t rows = 1, columns = 1;           ///< size of the code
    bool perElement = false, perPosition = false; ///< what has counts of its own
    /// Taps of a code's window that lie inside the map; one tap without a window: always inside.
    std::int32_t kernelRows = 1, kernelColumns = 1, strideRows = 1, strideColumns = 1;
    std::int32_t dilationRows = 1, dilationColumns = 1;
    /// Where the window of the first local code begins in the map; negative: in the padding.
    std::int32_t top = 0, left = 0;
    std::int32_t mapRows = 1, mapColumns = 1; ///< size of the map that windows lie on
    bool hasBorder = false;                   ///< taps outside the map do not count

    [[nodiscard]] constexpr std::int32_t positions() const { return rows * columns; }
    [[nodiscard]] constexpr std::int32_t taps() const { return kernelRows * kernelColumns; }
    [[nodiscard]] constexpr std::int64_t counts() const {
        return (perElement ? batch : 1) * (perPosition ? positions() : 1) * atoms * taps();
    }
    /// Number of codes that one count covers.
    [[nodiscard]] constexpr std::int64_t codesOfCount() const {
        return (perElement ? 1 : batch) * (perPosition ? 1 : positions());
    }
};
void launchCountCodes(const CodeCount& count, const float* codes, float* counts,
                      StreamHandle stream);

} // namespace weft::cuda
