// SPDX-License-Identifier: Apache-2.0
// y = how many targets are not ignored; x with zeros where they are
#include "backends/cuda/class_rows.h"
#include "backends/cuda/sums.h"

namespace weft::cuda {

void count_valid(KernelList& list);

namespace {

ChoiceOrRefusal chooseCount(const KernelRequest& request) {
    const TargetsOf targets(request, 0);
    return wholeSumOf(request, {.term = WholeTerm::valid},
                      [=](WholeSum& of, const KernelArguments& at) {
                          of.integers = targets(at).of;
                          of.ignored = targets(at).ignored;
                      });
}

ChoiceOrRefusal chooseZeroIgnored(const KernelRequest& request) {
    const TargetsOf targets(request, 1);
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchZeroIgnored(input<float>(at, 0), targets(at), output<float>(at, 0), n,
                                          streamOf(at));
                    }));
}

} // namespace

void count_valid(KernelList& list) {
    list.add({"count_valid", "cuda", chooseCount});
    list.add({"zero_ignored", "cuda", chooseZeroIgnored});
}

} // namespace weft::cuda
