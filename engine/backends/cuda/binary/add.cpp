// SPDX-License-Identifier: Apache-2.0
// y = the sum of any number of operands, in order
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void add(KernelList& list);

namespace {

/// One launch adds a limited number of terms; the next continues from the stored sum.
template <class Kept>
void sumUp(const KernelArguments& arguments, std::int64_t n) {
    auto* const y = output<Kept>(arguments, 0);
    Terms<Kept> terms;
    for (std::size_t k = 0; k < arguments.inputs.size(); ++k) {
        if (terms.count == Terms<Kept>::most) {
            launchAddTerms(terms, y, n, streamOf(arguments));
            terms.x[0] = y;
            terms.count = 1;
        }
        terms.x[static_cast<std::size_t>(terms.count++)] = input<Kept>(arguments, k);
    }
    launchAddTerms(terms, y, n, streamOf(arguments));
}

ChoiceOrRefusal chooseAdd(const KernelRequest& request) {
    const auto format = formatForAll(request, request.outputs[0].shape);
    if (!format) {
        return refuse("operands have different memory formats");
    }
    const std::int64_t n = request.outputs[0].elements();
    return inOneFormat(
        request, *format, asKept(*format, [n]<class Kept>(Kept) {
            return choiceOf([n](const KernelArguments& arguments) { sumUp<Kept>(arguments, n); });
        }));
}

} // namespace

void add(KernelList& list) {
    list.add({.op = "add", .implementation = "cuda", .choose = chooseAdd, .takesBf16 = true});
}

} // namespace weft::cuda
