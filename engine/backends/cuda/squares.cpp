// SPDX-License-Identifier: Apache-2.0
// n = sum of x^2, of one operand or of each of several; factor = min(1, limit / (sqrt n + 1e-6))
#include "backends/cuda/elementwise.h"
#include "backends/cuda/whole_sums.h"
#include "device/op_row.h"

#include <algorithm>

namespace weft::cuda {

void squares(KernelList& list);

namespace {

ChoiceOrRefusal chooseSquares(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cuda");
    if (!row) {
        return tl::unexpected(row.error());
    }
    std::int64_t scratch = 0; // one sum after the other
    for (std::size_t member = 0; member < row->size(); ++member) {
        scratch = std::max(scratch, wholeSumScratch(row->elements(member)));
    }
    const auto run = [row = *row](const KernelArguments& at) {
        for (std::size_t member = 0; member < row.size(); ++member) {
            launchWholeSum({.term = WholeTerm::square,
                            .n = row.elements(member),
                            .x = row.in<float>(at, member, 0)},
                           at.scratch, row.out<float>(at, member, 0), streamOf(at));
        }
    };
    return row->chosen(request, choiceOf(run, {scratch}));
}

} // namespace

void squares(KernelList& list) {
    addWithRow(list, "squares", "cuda", chooseSquares);
    addPerElement(list, "clip_factor");
}

} // namespace weft::cuda
