// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/products/epilogue.h"

#include <utility>

namespace weft::cuda {

Ending endingOf(const Epilogue& epilogue, const KernelArguments& arguments) {
    return {.bias = epilogue.bias ? input<float>(arguments, *epilogue.bias) : nullptr,
            .addend = epilogue.addend ? input<float>(arguments, *epilogue.addend) : nullptr,
            .hasRelu = epilogue.hasRelu};
}

ChoiceOrRefusal productOf(const KernelRequest& request, const MatrixProduct& product,
                          const ChainForm& chain) {
    const auto epilogue = epilogueOf(request, chain, request.outputs[0].shape.size() - 1);
    if (!epilogue) {
        return tl::unexpected(epilogue.error());
    }
    return withScratch(request, productScratch(product.size),
                       [=, ending = *epilogue](const KernelArguments& arguments, float* scratch) {
                           launchProduct(product, input<float>(arguments, 0),
                                         input<float>(arguments, 1), endingOf(ending, arguments),
                                         output<float>(arguments, 0), scratch, streamOf(arguments));
                       });
}

ChoiceOrRefusal withScratch(const KernelRequest& request, std::int64_t floats,
                            std::function<void(const KernelArguments&, float* scratch)> run) {
    const Bytes scratch{floats * static_cast<std::int64_t>(sizeof(float))};
    if (scratch > request.scratchLimit) {
        return refuse("needs more workspace than the limit allows");
    }
    KernelChoice choice = choiceOf(
        [run = std::move(run)](const KernelArguments& arguments) {
            run(arguments, static_cast<float*>(arguments.scratch));
        },
        scratch);
    choice.launches = floats > 0 ? 2 : 1; // split sums need a second launch
    choice.reorderedBytes = {2 * scratch.count};
    return allPlain(request, std::move(choice));
}

} // namespace weft::cuda
