// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/request.h"

#include <utility>

namespace weft::cuda {

tl::unexpected<Refusal> refuse(std::string reason) {
    return tl::unexpected<Refusal>(Refusal{"cuda", std::move(reason)});
}

KernelChoice choiceOf(std::function<void(const KernelArguments&)> run, Bytes scratch) {
    return {.implementation = "cuda", .scratch = scratch, .make = [run = std::move(run)] {
                return makeKernel(run);
            }};
}

} // namespace weft::cuda
