// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layer normalisation of rows of d features, of which the whole has `whole`. mean and r = 1 /
// sqrt(variance + epsilon) are per row, gamma and beta per feature.

#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

struct FeatureRows {
    std::int64_t rows = 0, d = 0; ///< d: local features per row
    float whole = 1;              ///< features per row in all parts
};

/// y = gamma (x - mean) r + beta
void launchLayerNorm(const FeatureRows& of, float epsilon, const float* x, const float* gamma,
                     const float* beta, float* y, float* mean, float* r, StreamHandle stream);
/// dx = r (gamma dy - s1 - (x - mean) r s2), with s1 = mean of gamma dy and s2 = mean of gamma dy
/// (x - mean) r
void launchLayerNormInputGradient(const FeatureRows& of, const float* x, const float* mean,
                                  const float* r, const float* gamma, const float* dy, float* dx,
                                  StreamHandle stream);
/// Computes dx as launchLayerNormInputGradient does, with given s1 and s2.
void launchLayerNormInputGradientFromSums(const FeatureRows& of, const float* x, const float* mean,
                                          const float* r, const float* gamma, const float* dy,
                                          const float* s1, const float* s2, float* dx,
                                          StreamHandle stream);
/// y = gamma (x - mean) r + beta with mean and r given
void launchNormaliseRows(const FeatureRows& of, const float* x, const float* mean, const float* r,
                         const float* gamma, const float* beta, float* y, StreamHandle stream);

} // namespace weft::cuda
