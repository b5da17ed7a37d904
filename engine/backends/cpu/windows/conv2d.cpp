// SPDX-License-Identifier: Apache-2.0
// y = x * w (and + b, + z, max(0, .)), and its gradients dx (of dy, w) and dw (of x, dy), by
// oneDNN. Maps are channels-last, which its direct kernels use without conversion; weights keep
// their format and are converted in scratch where needed. Winograd (Lavin and Gray, "Fast
// algorithms for convolutional neural networks", 2016) blocks channels and needs two conversions,
// which pay off on larger maps.
#include "backends/cpu/onednn/primitive_kernel.h"
#include "device/epilogue.h"
#include "device/window.h"

namespace weft::cpu {

void conv2d(KernelList& list);

namespace {

/// True if F(4x4, 3x3) is faster, as timed on the layers of common networks.
bool isWorthWinograd(const Convolution& c) {
    const Shape ones{1, 1};
    constexpr std::int64_t block = 16;
    constexpr std::int64_t fewChannels = 32;
    constexpr std::int64_t side = 4;
    constexpr std::int64_t fewTiles = 32;
    const auto fits = [](std::int64_t channels) {
        return channels >= fewChannels && channels % block == 0;
    };
    const std::int64_t tiles = c.y[0] * ((c.y[2] + side - 1) / side) * ((c.y[3] + side - 1) / side);
    return c.w[2] == 3 && c.w[3] == 3 && c.stride == ones && c.dilation == ones && c.groups == 1 &&
           fits(c.x[1]) && fits(c.y[1]) && tiles >= fewTiles;
}

/// Uses Winograd if it is faster and its scratch is within the limit, else the direct algorithm.
PrimitiveOrReason chooseFastest(Convolution convolution, const KernelRequest& request) {
    // An addend needs a format that is known beforehand, which Winograd's is not.
    convolution.isWinograd = isWorthWinograd(convolution) && !convolution.epilogue.addend;
    if (convolution.isWinograd) {
        PrimitiveOrReason winograd = chooseConvolution(convolution, request.cores);
        if (winograd && winograd->scratch() <= request.scratchLimit) {
            return winograd;
        }
        convolution.isWinograd = false;
    }
    return chooseConvolution(convolution, request.cores);
}

ChoiceOrRefusal choose(const KernelRequest& request, ConvolutionPass pass, const TensorPart& x,
                       const TensorPart& w, const TensorPart& y, const ChainForm& chain = {}) {
    const auto windows = windowsOf(request.attributes, {w.shape[2], w.shape[3]}, x, y);
    if (!windows) {
        return refuse("the local part of the input has rows before the first window");
    }
    const auto epilogue = epilogueOf(request, chain, 1);
    if (!epilogue) {
        return tl::unexpected(epilogue.error());
    }
    Convolution convolution;
    convolution.pass = pass;
    convolution.epilogue = *epilogue;
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
    if (epilogue->addend && convolution.yFormat != convolution.mapFormat) {
        return refuse("the added tensor has another memory format than the result");
    }
    // The library has a separate dim for groups, so only plain weights have the same meaning for
    // both.
    convolution.wFormat = convolution.groups == 1 ? w.format : Format{};
    std::vector<Format> inputs{{}, convolution.wFormat};
    std::vector<Format> outputs(1);
    switch (pass) {
    case ConvolutionPass::forward:
        inputs[0] = convolution.xFormat;
        outputs[0] = convolution.yFormat;
        inputs.resize(request.inputs.size());
        if (epilogue->addend) {
            inputs.back() = convolution.yFormat;
        }
        break;
    case ConvolutionPass::inputGradient:
        inputs[0] = convolution.yFormat;
        outputs[0] = convolution.xFormat;
        break;
    case ConvolutionPass::weightsGradient:
        inputs = {convolution.xFormat, convolution.yFormat};
        outputs[0] = convolution.wFormat;
        break;
    }
    return primitiveKernel(request, chooseFastest(convolution, request), std::move(inputs),
                           std::move(outputs));
}

} // namespace

void conv2d(KernelList& list) {
    addWithEpilogues(list, "conv2d", "onednn",
                     [](const KernelRequest& request, const ChainForm& chain) {
                         return choose(request, ConvolutionPass::forward, request.inputs[0],
                                       request.inputs[1], request.outputs[0], chain);
                     });
    list.add({"conv2d_dx", "onednn", [](const KernelRequest& request) {
                  return choose(request, ConvolutionPass::inputGradient, request.outputs[0],
                                request.inputs[1], request.inputs[0]);
              }});
    list.add({"conv2d_dw", "onednn", [](const KernelRequest& request) {
                  return choose(request, ConvolutionPass::weightsGradient, request.inputs[0],
                                request.outputs[0], request.inputs[1]);
              }});
}

} // namespace weft::cpu
