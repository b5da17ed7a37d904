// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/windows/convolution_of.h"

#include "backends/cuda/request.h"
#include "device/window.h"
#include "graph/set_sharing.h"

namespace weft::cuda {

std::optional<Convolution> convolutionOf(const Attributes& attributes, const TensorPart& x,
                                         const TensorPart& w, const TensorPart& y) {
    const Shape filters(w.shape.end() - 4, w.shape.end());
    const auto windows = windowsOf(attributes, {filters[2], filters[3]}, x, y);
    if (!windows) {
        return std::nullopt;
    }
    const auto number = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
    const SetSharing sharing(attributes);
    Convolution c;
    c.batch = x.shape[0];
    c.groups = number(x.shape[1] / filters[1]);
    c.inputs = number(filters[1]);
    c.outputs = number(filters[0] / c.groups);
    c.rows = number(x.shape[2]);
    c.columns = number(x.shape[3]);
    c.windowRows = number(y.shape[2]);
    c.windowColumns = number(y.shape[3]);
    c.kernelRows = number(windows->kernel[0]);
    c.kernelColumns = number(windows->kernel[1]);
    c.strideRows = number(windows->stride[0]);
    c.strideColumns = number(windows->stride[1]);
    c.dilationRows = number(windows->dilation[0]);
    c.dilationColumns = number(windows->dilation[1]);
    c.top = number(windows->padBefore[0]);
    c.left = number(windows->padBefore[1]);
    c.hasSetPerElement = sharing.perElement;
    c.hasSetPerPosition = sharing.perPosition;
    return c;
}

void addConvolutions(
    KernelList& list, const std::string& implementation,
    const std::function<ChoiceOrRefusal(const KernelRequest&, const RequestedConvolution&)>& choose,
    const std::function<std::string()>& lacks, bool takesBf16) {
    const auto ask = [choose](const KernelRequest& request, ConvolutionPass pass,
                              const TensorPart& x, const TensorPart& w, const TensorPart& y,
                              const ChainForm& chain = {}) -> ChoiceOrRefusal {
        const auto convolution = convolutionOf(request.attributes, x, w, y);
        if (!convolution) {
            return refuse("the local part of the input has rows before the first window");
        }
        const auto epilogue = epilogueOf(request, chain, 1);
        if (!epilogue) {
            return tl::unexpected(epilogue.error());
        }
        return choose(request, {*convolution, pass, *epilogue});
    };
    addWithEpilogues(
        list, "conv2d", implementation,
        [ask](const KernelRequest& request, const ChainForm& chain) {
            return ask(request, ConvolutionPass::forward, request.inputs[0], request.inputs[1],
                       request.outputs[0], chain);
        },
        lacks, takesBf16);
    list.add({.op = "conv2d_dx",
              .implementation = implementation,
              .choose =
                  [ask](const KernelRequest& request) {
                      return ask(request, ConvolutionPass::inputGradient, request.outputs[0],
                                 request.inputs[1], request.inputs[0]);
                  },
              .lacks = lacks,
              .takesBf16 = takesBf16});
    list.add({.op = "conv2d_dw",
              .implementation = implementation,
              .choose =
                  [ask](const KernelRequest& request) {
                      return ask(request, ConvolutionPass::weightGradient, request.inputs[0],
                                 request.outputs[0], request.inputs[1]);
                  },
              .lacks = lacks,
              .takesBf16 = takesBf16});
}

} // namespace weft::cuda
