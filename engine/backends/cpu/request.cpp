// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/request.h"

namespace weft::cpu {

tl::unexpected<Refusal> refuse(std::string reason) {
    return tl::unexpected<Refusal>(Refusal{"cpu", std::move(reason)});
}

KernelChoice choiceOf(std::function<void(const KernelArguments&)> run, Bytes scratch) {
    return {.implementation = "cpu", .scratch = scratch, .make = [run = std::move(run)] {
                return makeKernel(run);
            }};
}

} // namespace weft::cpu
