// SPDX-License-Identifier: Apache-2.0
// y = x * w, and its gradients dx (of dy, w) and dw (of x, dy), by oneDNN. Maps lie channels-last,
// where its kernels need no conversion; weights are kept plain and converted in scratch.
#include "backends/cpu/primitive_kernel.h"
#include "backends/cpu/window.h"

namespace weft::cpu {

void conv2d(KernelList& list);

namespace {

PreparationOrRefusal prepare(const KernelRequest& request, ConvolutionPass pass,
                             const TensorPart& x, const TensorPart& w, const TensorPart& y) {
    if (const auto why = whyNotF32(request)) {
        return refuse(*why);
    }
    const auto windows = windowsOf(request.attributes, {w.shape[2], w.shape[3]}, x, y);
    if (!windows) {
        return refuse("the part of the map holds rows before the first window");
    }
    Convolution convolution;
    convolution.pass = pass;
    convolution.x = x.shape;
    convolution.w = w.shape;
    convolution.y = y.shape;
    convolution.mapFormat = channelsLast();
    convolution.stride = windows->stride;
    convolution.dilation = windows->dilation;
    convolution.padBefore = windows->padBefore;
    convolution.padAfter = windows->padAfter;
    convolution.groups = x.shape[1] / w.shape[1];

    const auto kept = [&](const TensorPart& part) {
        return request.mayChooseFormats ? channelsLast() : part.format;
    };
    convolution.xFormat = kept(x);
    convolution.yFormat = kept(y);
    std::vector<Format> inputs(2);
    std::vector<Format> outputs(1);
    switch (pass) {
    case ConvolutionPass::forward:
        inputs[0] = convolution.xFormat;
        outputs[0] = convolution.yFormat;
        break;
    case ConvolutionPass::inputGradient:
        inputs[0] = convolution.yFormat;
        outputs[0] = convolution.xFormat;
        break;
    case ConvolutionPass::weightsGradient:
        inputs = {convolution.xFormat, convolution.yFormat};
        break;
    }
    return primitiveKernel(request, prepareConvolution(convolution, request.cores),
                           std::move(inputs), std::move(outputs));
}

} // namespace

void conv2d(KernelList& list) {
    list.add({"conv2d", "onednn", [](const KernelRequest& request) {
                  return prepare(request, ConvolutionPass::forward, request.inputs[0],
                                 request.inputs[1], request.outputs[0]);
              }});
    list.add({"conv2d_dx", "onednn", [](const KernelRequest& request) {
                  return prepare(request, ConvolutionPass::inputGradient, request.outputs[0],
                                 request.inputs[1], request.inputs[0]);
              }});
    list.add({"conv2d_dw", "onednn", [](const KernelRequest& request) {
                  return prepare(request, ConvolutionPass::weightsGradient, request.inputs[0],
                                 request.outputs[0], request.inputs[1]);
              }});
}

} // namespace weft::cpu
