// SPDX-License-Identifier: Apache-2.0
// conv2d with a set of filters per element, per position, or both (ops/windows/conv2d_sets.cpp):
// one launch of several products if positions share a set
#include "backends/cuda/windows/conv2d_sets.h"

#include "backends/cuda/products/epilogue.h"
#include "backends/cuda/windows/convolution_of.h"

namespace weft::cuda {

void conv2d_sets(KernelList& list);

namespace {

ChoiceOrRefusal chooseConvolutionOfSets(const KernelRequest& request, ConvolutionPass pass,
                                        const TensorPart& x, const TensorPart& w,
                                        const TensorPart& y) {
    const auto convolution = convolutionOf(request.attributes, x, w, y);
    if (!convolution) {
        return refuse("the local part of the input has rows before the first window");
    }
    const Convolution of = *convolution;
    if (of.hasSetPerPosition) {
        const auto launch = pass == ConvolutionPass::forward         ? launchSetsForward
                            : pass == ConvolutionPass::inputGradient ? launchSetsInputGradient
                                                                     : launchSetsWeightGradient;
        return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                            launch(of, input<float>(arguments, 0), input<float>(arguments, 1),
                                   output<float>(arguments, 0), streamOf(arguments));
                        }));
    }
    return withScratch(request, productScratch(sizeOf(of, pass)),
                       [=](const KernelArguments& arguments, float* scratch) {
                           launchConvolution(
                               of, pass, input<float>(arguments, 0), input<float>(arguments, 1), {},
                               output<float>(arguments, 0), scratch, streamOf(arguments));
                       });
}

} // namespace

void conv2d_sets(KernelList& list) {
    list.add({"conv2d_sets", "cuda", [](const KernelRequest& request) {
                  return chooseConvolutionOfSets(request, ConvolutionPass::forward,
                                                 request.inputs[0], request.inputs[1],
                                                 request.outputs[0]);
              }});
    list.add({"conv2d_sets_dx", "cuda", [](const KernelRequest& request) {
                  return chooseConvolutionOfSets(request, ConvolutionPass::inputGradient,
                                                 request.outputs[0], request.inputs[1],
                                                 request.inputs[0]);
              }});
    list.add({"conv2d_sets_dw", "cuda", [](const KernelRequest& request) {
                  return chooseConvolutionOfSets(request, ConvolutionPass::weightGradient,
                                                 request.inputs[0], request.outputs[0],
                                                 request.inputs[1]);
              }});
}

} // namespace weft::cuda
