// SPDX-License-Identifier: Apache-2.0
// y = number of rows whose largest number is at the target / the whole count; hit: the same per row
#include "backends/cuda/kernels/whole_sums.h"
#include "backends/cuda/losses/class_rows.h"

namespace weft::cuda {

void accuracy(KernelList& list);

namespace {

/// Rounds up to the alignment of sums.
std::int64_t rounded(std::int64_t bytes) { return (bytes + 15) / 16 * 16; }

ChoiceOrRefusal chooseAccuracy(const KernelRequest& request) {
    const TargetsOf targets(request, 1);
    const ClassRows rows = classRowsOf(request.inputs[0]);
    const auto count = static_cast<double>(elementsOf(request.inputs[1].whole));
    const std::int64_t sums = rounded(wholeSumScratch(rows.rows));
    const auto run = [=](const KernelArguments& arguments) {
        auto* const hits =
            reinterpret_cast<float*>(static_cast<std::byte*>(arguments.scratch) + sums);
        launchRowHits(rows, input<float>(arguments, 0), targets(arguments), hits,
                      streamOf(arguments));
        launchWholeSum({.n = rows.rows, .divisor = count, .x = hits}, arguments.scratch,
                       output<float>(arguments, 0), streamOf(arguments));
    };
    const auto hitBytes = static_cast<std::int64_t>(sizeof(float)) * rows.rows;
    return allPlain(request, choiceOf(run, {sums + hitBytes}));
}

ChoiceOrRefusal chooseHit(const KernelRequest& request) {
    const TargetsOf targets(request, 1);
    const std::int64_t n = request.inputs[1].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchHit(input<float>(arguments, 0), targets(arguments),
                                  output<float>(arguments, 0), n, streamOf(arguments));
                    }));
}

} // namespace

void accuracy(KernelList& list) {
    list.add({"accuracy", "cuda", chooseAccuracy});
    list.add({"hit", "cuda", chooseHit});
}

} // namespace weft::cuda
