// SPDX-License-Identifier: Apache-2.0
// y[b] = half the sum of x[b]^2; signal-to-noise ratios in decibels
#include "backends/cuda/sums.h"

namespace weft::cuda {

void half_squares(KernelList& list);

namespace {

ChoiceOrRefusal chooseHalfSquares(const KernelRequest& request) {
    const TensorPart& x = request.inputs[0];
    const auto format = batchContiguousFormat(request, x.shape);
    if (!format) {
        return refuse("batch elements are not contiguous in memory");
    }
    const std::int64_t batch = x.shape[0];
    const RowSum sum{
        .term = RowTerm::square, .rows = batch, .d = x.elements() / batch, .divisor = 2};
    return withFormats(request, choiceOf([=](const KernelArguments& arguments) {
                           RowSum of = sum;
                           of.x = input<float>(arguments, 0);
                           launchRowSums(of, output<float>(arguments, 0), streamOf(arguments));
                       }),
                       {*format}, {});
}

ChoiceOrRefusal chooseDecibels(const KernelRequest& request) {
    const std::int64_t n = request.inputs[0].elements();
    const double against = request.attributes.real("against");
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchDecibels(input<float>(arguments, 0), input<float>(arguments, 1), n,
                                       against, output<float>(arguments, 0),
                                       output<float>(arguments, 1), streamOf(arguments));
                    }));
}

} // namespace

void half_squares(KernelList& list) {
    list.add({"half_squares", "cuda", chooseHalfSquares});
    list.add({"sum_decibels", "cuda", chooseDecibels});
}

} // namespace weft::cuda
