// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes the kernel of an optimizer's update, of one parameter or of a row of them.

#include "backends/cuda/optimizers/updates.h"
#include "backends/cuda/request.h"
#include "device/op_row.h"

#include <algorithm>
#include <vector>

namespace weft::cuda {

/// Where the operands of the parameter's shape and the results stand in `UpdatedParameter`.
struct UpdateOperands {
    std::vector<const float * UpdatedParameter::*> reads; ///< members for the operands, in order
    std::vector<float * UpdatedParameter::*> writes;      ///< members for the results, in order
};

/// Calls launch(bucket, row, arguments) for buckets of as many members as one launch takes.
template <class Launch>
[[nodiscard]] ChoiceOrRefusal updateOf(const KernelRequest& request, UpdateOperands operands,
                                       Launch launch) {
    const auto row = OpRow::of(request, "cuda");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const auto run = [=, row = *row](const KernelArguments& arguments) {
        for (std::size_t first = 0; first < row.size(); first += Bucket::most) {
            Bucket bucket;
            bucket.count = std::min(Bucket::most, row.size() - first);
            for (std::size_t k = 0; k < bucket.count; ++k) {
                UpdatedParameter& member = bucket.members[k];
                member.n = row.elements(first + k);
                for (std::size_t i = 0; i < operands.reads.size(); ++i) {
                    member.*operands.reads[i] = row.template in<float>(arguments, first + k, i);
                }
                for (std::size_t i = 0; i < operands.writes.size(); ++i) {
                    member.*operands.writes[i] = row.template out<float>(arguments, first + k, i);
                }
            }
            launch(bucket, row, arguments);
        }
    };
    return row->chosen(request, choiceOf(run));
}

} // namespace weft::cuda
