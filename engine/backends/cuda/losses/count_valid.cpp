// SPDX-License-Identifier: Apache-2.0
// y = the number of targets that are not ignored; x with zeros where they are
#include "backends/cuda/losses/class_rows.h"
#include "backends/cuda/sums.h"

namespace weft::cuda {

void count_valid(KernelList& list);

namespace {

ChoiceOrRefusal chooseCount(const KernelRequest& request) {
    const TargetsOf targets(request, 0);
    return wholeSumOf(request, {.term = WholeTerm::valid},
                      [=](WholeSum& of, const KernelArguments& arguments) {
                          of.integers = targets(arguments).of;
                          of.ignored = targets(arguments).ignored;
                      });
}

ChoiceOrRefusal chooseZeroIgnored(const KernelRequest& request) {
    const TargetsOf targets(request, 1);
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchZeroIgnored(input<float>(arguments, 0), targets(arguments),
                                          output<float>(arguments, 0), n, streamOf(arguments));
                    }));
}

} // namespace

void count_valid(KernelList& list) {
    list.add({"count_valid", "cuda", chooseCount});
    list.add({"zero_ignored", "cuda", chooseZeroIgnored});
}

} // namespace weft::cuda
