// SPDX-License-Identifier: Apache-2.0
// y = log x, exp x, x^2, 1 / sqrt(x + epsilon)
#include "backends/cpu/elementwise.h"
#include "backends/cpu/functions.h"

#include <cmath>

namespace weft::cpu {

void log(KernelList& list);

namespace {

ChoiceOrRefusal chooseReciprocalRoot(const KernelRequest& request) {
    const auto epsilon = static_cast<float>(request.attributes.real("epsilon"));
    return elementwiseOf<1>(request, [epsilon](const KernelArguments&) {
        return [epsilon](float x) __attribute__((always_inline)) {
            return 1.0F / std::sqrt(x + epsilon);
        };
    });
}

} // namespace

void log(KernelList& list) {
    addElementwise<1>(
        list, "log", [](float x) __attribute__((always_inline)) { return logarithm(x); });
    addElementwise<1>(
        list, "exp", [](float x) __attribute__((always_inline)) { return exponential(x); });
    addElementwise<1>(
        list, "square", [](float x) __attribute__((always_inline)) { return x * x; });
    list.add({"reciprocal_root", "cpu", chooseReciprocalRoot});
}

} // namespace weft::cpu
