// SPDX-License-Identifier: Apache-2.0
// y = x * w (and + b, + z, max(0, .)), dx of dy and w, dw of x and dy: as products, for which
// patches of the maps are read where they lie
#include "backends/cuda/convolution_of.h"
#include "backends/cuda/epilogue.h"

namespace weft::cuda {

void conv2d(KernelList& list);

namespace {

ChoiceOrRefusal chooseConvolution(const KernelRequest& request, ConvolutionPass pass,
                                  const TensorPart& x, const TensorPart& w, const TensorPart& y,
                                  const ChainForm& chain = {}) {
    const auto convolution = convolutionOf(request.attributes, x, w, y);
    if (!convolution) {
        return refuse("the part of the map holds rows before the first window");
    }
    const auto epilogue = epilogueOf(request, chain, 1);
    if (!epilogue) {
        return tl::unexpected(epilogue.error());
    }
    return withScratch(
        request, productScratch(sizeOf(*convolution, pass)),
        [=, of = *convolution, ending = *epilogue](const KernelArguments& at, float* scratch) {
            launchConvolution(of, pass, input<float>(at, 0), input<float>(at, 1),
                              endingOf(ending, at), output<float>(at, 0), scratch, streamOf(at));
        });
}

} // namespace

void conv2d(KernelList& list) {
    addWithEpilogues(
        list, "conv2d", "cuda", [](const KernelRequest& request, const ChainForm& chain) {
            return chooseConvolution(request, ConvolutionPass::forward, request.inputs[0],
                                     request.inputs[1], request.outputs[0], chain);
        });
    list.add({"conv2d_dx", "cuda", [](const KernelRequest& request) {
                  return chooseConvolution(request, ConvolutionPass::inputGradient,
                                           request.outputs[0], request.inputs[1],
                                           request.inputs[0]);
              }});
    list.add({"conv2d_dw", "cuda", [](const KernelRequest& request) {
                  return chooseConvolution(request, ConvolutionPass::weightGradient,
                                           request.inputs[0], request.outputs[0],
                                           request.inputs[1]);
              }});
}

} // namespace weft::cuda
