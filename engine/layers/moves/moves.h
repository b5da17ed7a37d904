// SPDX-License-Identifier: Apache-2.0
#pragma once
// What layers that rearrange elements share. Dims count from the batch, dim 0, which stays.

#include "layers/layer.h"

namespace weft::layers {

using Dims = std::vector<std::int64_t>;

/// Returns the dims counted from the front; -1 names the last of `rank`. Empty after a refusal of
/// the batch, of a dim that does not exist and of one that is named twice. `what`: "input is [4]".
[[nodiscard]] std::optional<Dims> dimsAfterBatch(Lowering& lowering, const Dims& dims,
                                                 std::size_t rank, const std::string& what);

/// Returns x with these dims after the batch, in the same row-major order.
[[nodiscard]] ValueId reshaped(Lowering& lowering, ValueId x, const Dims& rest);

/// Returns x with its dims in another order; dim k of the result is dim order[k] of x.
[[nodiscard]] ValueId transposed(Lowering& lowering, ValueId x, const Dims& order);

/// Returns the positions begin, begin + step, ... before `end` of a dim; x itself if these are all
/// in their order.
[[nodiscard]] ValueId sliced(Lowering& lowering, ValueId x, std::int64_t dim, std::int64_t begin,
                             std::int64_t end, std::int64_t step = 1);

/// Returns x with the sizes `rest` after the batch; where they differ from those of x, x has size 1
/// and is repeated.
[[nodiscard]] ValueId repeated(Lowering& lowering, ValueId x, const Dims& rest);

/// Returns the sizes after the batch.
[[nodiscard]] Dims restOf(const Lowering& lowering, ValueId x);

} // namespace weft::layers
