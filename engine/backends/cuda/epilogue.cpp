// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/epilogue.h"

#include <utility>

namespace weft::cuda {

Ending endingOf(const Epilogue& epilogue, const KernelArguments& at) {
    return {.bias = epilogue.bias ? input<float>(at, *epilogue.bias) : nullptr,
            .addend = epilogue.addend ? input<float>(at, *epilogue.addend) : nullptr,
            .hasRelu = epilogue.hasRelu};
}

ChoiceOrRefusal productOf(const KernelRequest& request, const MatrixProduct& product,
                          const ChainForm& chain) {
    const auto epilogue = epilogueOf(request, chain, request.outputs[0].shape.size() - 1);
    if (!epilogue) {
        return tl::unexpected(epilogue.error());
    }
    return withScratch(request, productScratch(product.size),
                       [=, ending = *epilogue](const KernelArguments& at, float* scratch) {
                           launchProduct(product, input<float>(at, 0), input<float>(at, 1),
                                         endingOf(ending, at), output<float>(at, 0), scratch,
                                         streamOf(at));
                       });
}

ChoiceOrRefusal withScratch(const KernelRequest& request, std::int64_t floats,
                            std::function<void(const KernelArguments&, float* scratch)> run) {
    const Bytes scratch{floats * static_cast<std::int64_t>(sizeof(float))};
    if (scratch > request.scratchLimit) {
        return refuse("needs more scratch than it may have");
    }
    KernelChoice choice =
        choiceOf([run = std::move(run)](
                     const KernelArguments& at) { run(at, static_cast<float*>(at.scratch)); },
                 scratch);
    choice.launches = floats > 0 ? 2 : 1; // sums that are cut are joined
    choice.laidAnew = {2 * scratch.count};
    return allPlain(request, std::move(choice));
}

} // namespace weft::cuda
