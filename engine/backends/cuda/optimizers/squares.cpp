// SPDX-License-Identifier: Apache-2.0
// n = sum of x^2, for one operand or for each of several; factor = min(1, limit / (sqrt n + 1e-6))
#include "backends/cuda/optimizers/squares.h"

#include "backends/cuda/elementwise.h"
#include "device/op_row.h"

#include <algorithm>
#include <utility>

namespace weft::cuda {

void squares(KernelList& list);

namespace {

ChoiceOrRefusal chooseSquares(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cuda");
    if (!row) {
        return tl::unexpected(row.error());
    }
    std::int64_t scratch = 0; // bytes for the bucket that needs most
    std::int64_t ofBucket = 0;
    for (std::size_t member = 0; member < row->size(); ++member) {
        ofBucket = member % SquaredBucket::most == 0 ? 0 : ofBucket;
        ofBucket += squaresScratch(row->elements(member));
        scratch = std::max(scratch, ofBucket);
    }
    const auto run = [row = *row](const KernelArguments& arguments) {
        for (std::size_t first = 0; first < row.size(); first += SquaredBucket::most) {
            SquaredBucket bucket;
            bucket.count = std::min(SquaredBucket::most, row.size() - first);
            for (std::size_t k = 0; k < bucket.count; ++k) {
                bucket.members[k] = {.x = row.in<float>(arguments, first + k, 0),
                                     .y = row.out<float>(arguments, first + k, 0),
                                     .n = row.elements(first + k)};
            }
            launchSquares(bucket, arguments.scratch, streamOf(arguments));
        }
    };
    KernelChoice choice = choiceOf(run, {scratch});
    choice.launches =
        2 * static_cast<int>((row->size() + SquaredBucket::most - 1) / SquaredBucket::most);
    return row->chosen(request, std::move(choice));
}

} // namespace

void squares(KernelList& list) {
    addWithRow(list, "squares", "cuda", chooseSquares);
    addPerElement(list, "clip_factor");
}

} // namespace weft::cuda
