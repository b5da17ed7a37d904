// SPDX-License-Identifier: Apache-2.0
// conv2d, linear and their gradients by the libraries in TF32 and bf16: linear by cuBLASLt, or by
// cuDNN as a convolution over maps of one element if cuBLASLt is missing; attention by tensor cores
#include "backends/cuda/attention/attention_of.h"
#include "backends/cuda/cublaslt/library_product.h"
#include "backends/cuda/cudnn/planned.h"
#include "device/rows.h"

#include <algorithm>
#include <utility>

namespace weft::cuda {

namespace {

using Planned = ChoiceOrRefusal (*)(const KernelRequest& request, RequestedConvolution asked);

ChoiceOrRefusal plannedInTf32(const KernelRequest& request, RequestedConvolution asked) {
    return choosePlannedConvolution(request, std::move(asked), Precision::tf32);
}

Convolution ofOnePlace(const Shape& x, const Shape& y) {
    Convolution c;
    c.batch = rowsOf(x);
    c.inputs = static_cast<std::int32_t>(x.back());
    c.outputs = static_cast<std::int32_t>(y.back());
    return c;
}

ChoiceOrRefusal chooseLinear(const KernelRequest& request, const ChainForm& chain,
                             Planned planned) {
    const Shape& y = request.outputs[0].shape;
    const auto epilogue = epilogueOf(request, chain, y.size() - 1);
    if (!epilogue) {
        return tl::unexpected(epilogue.error());
    }
    return planned(request, {.of = ofOnePlace(request.inputs[0].shape, y), .epilogue = *epilogue});
}

ChoiceOrRefusal chooseLinearDx(const KernelRequest& request, Planned planned) {
    return planned(request, {.of = ofOnePlace(request.outputs[0].shape, request.inputs[0].shape),
                             .pass = ConvolutionPass::inputGradient});
}

/// Chooses the kernel of the weight gradient, whose operands are dy and x in that order.
ChoiceOrRefusal chooseLinearDw(const KernelRequest& request, Planned planned) {
    return planned(request, {.of = ofOnePlace(request.inputs[1].shape, request.inputs[0].shape),
                             .pass = ConvolutionPass::weightGradient,
                             .first = 1,
                             .second = 0});
}

/// Uses Weft's own kernels, but only if the libraries are present: a precision applies to a whole
/// design.
void addRoundedAttention(KernelList& list, Precision precision, TensorCoreFormat number) {
    addAttention(
        list, {.name = "cuda in " + std::string(nameOf(precision)),
               .fitsFeatures =
                   [number](const Attention& of, AttentionPass) {
                       return std::max(of.d, of.e) <= mostHeadFeatures(number);
                   },
               .launch =
                   [number](const Attention& of, AttentionPass pass, const AttentionOperands& from,
                            float* result, float* lse, StreamHandle stream) {
                       launchRoundedAttention(of, pass, number, from, result, lse, stream);
                   },
               .lacks = missingForPlans});
}

/// Products are not rounded if convolutions cannot be: a precision applies to a whole design.
std::string whatRoundedProductsLack() {
    const std::string ofPlanning = missingForPlans();
    return ofPlanning.empty() ? missingForProducts() : ofPlanning;
}

/// Makers of bf16 store their results as bf16.
KernelList kernelsOf(Precision precision, Planned planned, TensorCoreFormat number) {
    const bool takesBf16 = precision == Precision::bf16;
    const std::string name = plannedKernelName(precision);
    KernelList list;
    addRoundedAttention(list, precision, number);
    addConvolutions(list, name, planned, missingForPlans, takesBf16);
    if (products::isLibraryBuiltIn()) {
        addLibraryLinear(list, precision, whatRoundedProductsLack);
    }
    addWithEpilogues(
        list, "linear", name,
        [planned](const KernelRequest& request, const ChainForm& chain) {
            return chooseLinear(request, chain, planned);
        },
        missingForPlans, takesBf16);
    list.add(
        {.op = "linear_dx",
         .implementation = name,
         .choose =
             [planned](const KernelRequest& request) { return chooseLinearDx(request, planned); },
         .lacks = missingForPlans,
         .takesBf16 = takesBf16});
    list.add(
        {.op = "linear_dw",
         .implementation = name,
         .choose =
             [planned](const KernelRequest& request) { return chooseLinearDw(request, planned); },
         .lacks = missingForPlans,
         .takesBf16 = takesBf16});
    return list;
}

} // namespace

std::map<Precision, KernelList> roundingKernels() {
    if (!plans::isLibraryBuiltIn()) {
        return {};
    }
    return {{Precision::tf32, kernelsOf(Precision::tf32, plannedInTf32, TensorCoreFormat::tf32)},
            {Precision::bf16,
             kernelsOf(Precision::bf16, chooseBf16Convolution, TensorCoreFormat::bf16)}};
}

} // namespace weft::cuda
