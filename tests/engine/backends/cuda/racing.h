// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that are wrong in ways which the numbers need not show.

namespace weft::test {

enum class Wrong {
    nothing,
    noBarrier,    ///< shared memory read before others have written it
    twoWriters,   ///< the same number, from two threads
    neverWritten, ///< shared memory that nobody wrote
    oneTooFar,    ///< a write behind the result
    notAtomic     ///< a sum of blocks without an atomic
};

/// On x and y of 64 numbers each.
void launchWrong(Wrong how, const float* x, float* y);

} // namespace weft::test
