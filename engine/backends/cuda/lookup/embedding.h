// SPDX-License-Identifier: Apache-2.0
#pragma once
// Embedding lookup in a table of which rows [first, first + rows) of `whole` are local.

#include "backends/cuda/kernels/integers.h"
#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

struct Table {
    std::int64_t rows = 0, features = 0; ///< size of the local part
    std::int64_t first = 0, whole = 0;   ///< index of the first local row; rows of all parts
};

/// y[k] = table[id k], zeros if another part has the row, NaN if none has
void launchEmbedding(const Table& of, const Integers& ids, std::int64_t count, const float* table,
                     float* y, StreamHandle stream);
/// dtable[v] = the sum, in order, of dy[k] where id k is v
void launchEmbeddingGradient(const Table& of, const Integers& ids, std::int64_t count,
                             const float* dy, float* dtable, StreamHandle stream);

} // namespace weft::cuda
