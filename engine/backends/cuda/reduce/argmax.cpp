// SPDX-License-Identifier: Apache-2.0
// The index of the first largest number of a row. Parts of a row give minus the index, so that the
// maximum over all parts is the first.
#include "backends/cuda/losses/class_rows.h"

namespace weft::cuda {

void argmax(KernelList& list);

namespace {

ChoiceOrRefusal chooseArgmax(const KernelRequest& request) {
    const ClassRows rows = classRowsOf(request.inputs[0]);
    const Number type = integerOf(request.outputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchArgmax(rows, input<float>(arguments, 0), {arguments.outputs[0], type},
                                     streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseIndexOfMax(const KernelRequest& request) {
    const ClassRows rows = classRowsOf(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchNegatedIndexOfMax(rows, input<float>(arguments, 0),
                                                input<float>(arguments, 1),
                                                output<float>(arguments, 0), streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseNegatedIndex(const KernelRequest& request) {
    const Number type = integerOf(request.outputs[0]);
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchNegatedIndex(input<float>(arguments, 0), {arguments.outputs[0], type},
                                           n, streamOf(arguments));
                    }));
}

} // namespace

void argmax(KernelList& list) {
    list.add({"argmax", "cuda", chooseArgmax});
    list.add({"index_of_max", "cuda", chooseIndexOfMax});
    list.add({"negated_index", "cuda", chooseNegatedIndex});
}

} // namespace weft::cuda
