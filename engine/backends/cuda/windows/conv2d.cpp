// SPDX-License-Identifier: Apache-2.0
// y = x * w (and + b, + z, max(0, .)), dx of dy and w, dw of x and dy, as implicit matrix products:
// patches of the maps are read in place
#include "backends/cuda/products/epilogue.h"
#include "backends/cuda/windows/convolution_of.h"

namespace weft::cuda {

void conv2d(KernelList& list);
void conv2d(KernelList& list) {
    addConvolutions(
        list, "cuda", [](const KernelRequest& request, const RequestedConvolution& asked) {
            return withScratch(request, productScratch(sizeOf(asked.of, asked.pass)),
                               [asked](const KernelArguments& arguments, float* scratch) {
                                   launchConvolution(
                                       asked.of, asked.pass, input<float>(arguments, asked.first),
                                       input<float>(arguments, asked.second),
                                       endingOf(asked.epilogue, arguments),
                                       output<float>(arguments, 0), scratch, streamOf(arguments));
                               });
        });
}

} // namespace weft::cuda
