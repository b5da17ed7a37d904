// SPDX-License-Identifier: Apache-2.0
#pragma once
// Losses and metrics over rows of classes. Targets are indices in the whole row; rows with target
// `ignored` do not count.

#include "backends/cuda/kernels/integers.h"
#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

/// The local classes of each row: [first, first + classes) of `whole`.
struct ClassRows {
    std::int64_t rows = 0, classes = 0; ///< size of the local part
    std::int64_t first = 0, whole = 0;  ///< first local class; classes of all parts
};
struct Targets {
    Integers of = {};         ///< target class per row
    std::int64_t ignored = 0; ///< target of rows that do not count
};

/// dx = factor (x - target) dy
void launchMseGradient(const float* x, const float* target, const float* dy, float factor,
                       float* dx, std::int64_t n, StreamHandle stream);

/// lse = log of the sum of exp x; loss = lse - x[target], 0 if ignored, NaN if there is no such
/// class
void launchCrossEntropy(const ClassRows& rows, const float* x, const Targets& targets, float* loss,
                        float* lse, StreamHandle stream);
/// dx = (exp(x - lse) - [k = target]) dloss
void launchCrossEntropyGradient(const ClassRows& rows, const float* x, const Targets& targets,
                                const float* lse, const float* dloss, float* dx,
                                StreamHandle stream);
/// y[k] = x[target], 0 if another part has the class or it is ignored, NaN if there is no such
/// class
void launchPick(const ClassRows& rows, const float* x, const Targets& targets, float* y,
                StreamHandle stream);

/// index[row] = index of the first largest number
void launchArgmax(const ClassRows& rows, const float* x, const IntegerResult& index,
                  StreamHandle stream);
/// hit[row] = 1 if that index is the target and not ignored, else 0
void launchRowHits(const ClassRows& rows, const float* x, const Targets& targets, float* hit,
                   StreamHandle stream);
/// y[row] = minus the first index in the whole where x >= m[row]; minus the whole size if there is
/// none
void launchNegatedIndexOfMax(const ClassRows& rows, const float* x, const float* m, float* y,
                             StreamHandle stream);
/// index[k] = -x[k]
void launchNegatedIndex(const float* x, const IntegerResult& index, std::int64_t n,
                        StreamHandle stream);
/// y[k] = 1 if x[k] is minus the target and not ignored, else 0
void launchHit(const float* x, const Targets& targets, float* y, std::int64_t n,
               StreamHandle stream);
/// y[k] = x[k], 0 if the target is ignored
void launchZeroIgnored(const float* x, const Targets& targets, float* y, std::int64_t n,
                       StreamHandle stream);

} // namespace weft::cuda
