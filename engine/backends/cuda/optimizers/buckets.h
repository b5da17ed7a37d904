// SPDX-License-Identifier: Apache-2.0
#pragma once
// Splits a row of updates into buckets of as many members as one launch takes.

#include "backends/cuda/optimizers/updates.h"
#include "backends/cuda/request.h"
#include "device/op_row.h"

#include <algorithm>

namespace weft::cuda {

/// Calls launch(bucket) until all members are covered. `put(updated, member)` sets a member's
/// addresses.
template <class Put, class Launch>
void inBuckets(const OpRow& row, const Put& put, const Launch& launch) {
    for (std::size_t first = 0; first < row.size(); first += Bucket::most) {
        Bucket bucket;
        bucket.count = std::min(Bucket::most, row.size() - first);
        for (std::size_t k = 0; k < bucket.count; ++k) {
            put(bucket.members[k], first + k);
            bucket.members[k].n = row.elements(first + k);
        }
        launch(bucket);
    }
}

} // namespace weft::cuda
