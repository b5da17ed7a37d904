// SPDX-License-Identifier: Apache-2.0
// Products and convolutions with a set of weights per batch element, per position, or both, by
// oneDNN: products use one batched call, convolutions run per element, so that results do not
// depend on the part of the batch.
#include "backends/cpu/onednn/primitive_kernel.h"
#include "backends/cpu/request.h"
#include "backends/cpu/team.h"
#include "device/window.h"
#include "graph/set_sharing.h"

#include <algorithm>
#include <array>

namespace weft::cpu {

void onednn_sets(KernelList& list);

namespace {

/// Number of rows of x and y per set, and their strides.
struct RowsOfSets {
    std::int64_t sets = 1, rows = 1;
    std::int64_t setStep = 0,
                 rowStep = 0; ///< strides in rows of the map: between sets, between their rows

    RowsOfSets(const Attributes& attributes, const Shape& map) {
        const std::int64_t elements = map[0];
        const std::int64_t positions = map.size() == 3 ? map[1] : 1;
        const SetSharing of(attributes);
        if (of.perElement && of.perPosition) {
            sets = elements * positions;
            setStep = rowStep = 1;
        } else if (of.perPosition) {
            sets = positions;
            rows = elements;
            setStep = 1;
            rowStep = positions;
        } else {
            sets = of.perElement ? elements : 1;
            rows = of.perElement ? positions : elements * positions;
            setStep = rows;
            rowStep = 1;
        }
    }
};

ChoiceOrRefusal chosenProduct(const KernelRequest& request, const Product& product) {
    return primitiveKernel(request, chooseProduct(product, request.cores), {}, {});
}

/// y[m, o] = x[m, i] w[o, i]^T; dx[m, i] = dy[m, o] w[o, i], in each set.
ChoiceOrRefusal chooseSetProduct(const KernelRequest& request, bool isTurned) {
    const Shape& map = request.inputs[0].shape;
    const Shape& w = request.inputs[1].shape;
    const RowsOfSets of(request.attributes, map);
    const std::int64_t o = w[w.size() - 2];
    const std::int64_t i = w.back();
    const std::int64_t n = isTurned ? i : o;
    const std::int64_t k = isTurned ? o : i;
    return chosenProduct(request, {.batch = of.sets,
                                   .m = of.rows,
                                   .n = n,
                                   .k = k,
                                   .aSteps = {of.setStep * k, of.rowStep * k, 1},
                                   .bSteps = isTurned ? Shape{o * i, i, 1} : Shape{o * i, 1, i},
                                   .cSteps = {of.setStep * n, of.rowStep * n, 1}});
}

/// dw[o, i] = dy[m, o]^T x[m, i], in each set.
ChoiceOrRefusal chooseSetWeights(const KernelRequest& request) {
    const Shape& dy = request.inputs[0].shape;
    const RowsOfSets of(request.attributes, dy);
    const std::int64_t o = dy.back();
    const std::int64_t i = request.inputs[1].shape.back();
    return chosenProduct(request, {.batch = of.sets,
                                   .m = o,
                                   .n = i,
                                   .k = of.rows,
                                   .aSteps = {of.setStep * o, 1, of.rowStep * o},
                                   .bSteps = {of.setStep * i, of.rowStep * i, 1},
                                   .cSteps = {o * i, i, 1}});
}

/// One convolution per batch element, with fixed strides between elements.
struct ConvolutionsOfElements {
    std::int64_t elements = 0;
    std::array<std::int64_t, 3> steps =
        {};                   ///< strides between elements: both inputs, then the output
    int parts = 1;            ///< number of elements computed at a time
    std::int64_t scratch = 0; ///< bytes per element that is computed at a time
};

class ConvolutionPerElement final : public Kernel {
public:
    ConvolutionPerElement(const PrimitiveChoice& choice, const ConvolutionsOfElements& of)
        : of_(of) {
        for (int part = 0; part < of.parts; ++part) {
            primitives_.push_back(choice.make()); // each runs one call at a time
        }
    }

    void run(const KernelArguments& arguments) override {
        onEachCore(of_.parts, [&](int part) {
            const Range range = partOf(of_.elements, part, of_.parts);
            for (std::int64_t b = range.begin; b < range.end; ++b) {
                const std::array<const void*, 2> inputs = {
                    input<float>(arguments, 0) + b * of_.steps[0],
                    input<float>(arguments, 1) + b * of_.steps[1]};
                primitives_[static_cast<std::size_t>(part)].run(
                    inputs, output<float>(arguments, 0) + b * of_.steps[2],
                    static_cast<std::byte*>(arguments.scratch) + part * of_.scratch);
            }
        });
    }

private:
    std::vector<Primitive> primitives_;
    ConvolutionsOfElements of_;
};

std::int64_t ofOneElement(const TensorPart& part) {
    return part.elements() / std::max<std::int64_t>(1, part.shape[0]);
}

ChoiceOrRefusal choosePerElement(const KernelRequest& request, ConvolutionPass pass,
                                 const TensorPart& x, const TensorPart& w, const TensorPart& y) {
    if (const SetSharing of(request.attributes); !of.perElement || of.perPosition) {
        return refuse(
            "supports only one set of filters per batch element, shared by all positions");
    }
    const Shape filters(w.shape.end() - 4, w.shape.end());
    const auto windows = windowsOf(request.attributes, {filters[2], filters[3]}, x, y);
    if (!windows) {
        return refuse("the local part of the input has rows before the first window");
    }
    const auto one = [](Shape shape) {
        shape[0] = 1;
        return shape;
    };
    const Convolution convolution{.pass = pass,
                                  .x = one(x.shape),
                                  .w = filters,
                                  .y = one(y.shape),
                                  .xFormat = channelsLast(),
                                  .yFormat = channelsLast(),
                                  .mapFormat = channelsLast(),
                                  .stride = windows->stride,
                                  .dilation = windows->dilation,
                                  .padBefore = windows->padBefore,
                                  .padAfter = windows->padAfter,
                                  .groups = x.shape[1] / filters[1]};
    ConvolutionsOfElements of{
        .elements = x.shape[0],
        .steps = {ofOneElement(request.inputs[0]), ofOneElement(request.inputs[1]),
                  ofOneElement(request.outputs[0])},
        // Each element is computed by one core: several cores would change the order of its sums
        // with the number of elements.
        .parts = static_cast<int>(std::min<std::int64_t>(x.shape[0], request.cores))};
    const PrimitiveOrReason primitive = chooseConvolution(convolution, 1);
    if (!primitive) {
        return refuse(primitive.error());
    }
    constexpr std::int64_t line = 64;
    of.scratch = (primitive->scratch().count + line - 1) / line * line;
    const Bytes scratch{of.scratch * of.parts};
    if (scratch > request.scratchLimit) {
        return refuse("needs more workspace than the limit allows");
    }
    KernelChoice choice{.implementation = primitive->implementation(),
                        .scratch = scratch,
                        .make = [chosen = *primitive, of] {
                            return std::make_unique<ConvolutionPerElement>(chosen, of);
                        }};
    const bool isToWeights = pass == ConvolutionPass::weightsGradient;
    return withFormats(request, std::move(choice),
                       {channelsLast(), isToWeights ? channelsLast() : Format{}},
                       {isToWeights ? Format{} : channelsLast()});
}

} // namespace

void onednn_sets(KernelList& list) {
    list.add({"linear_sets", "onednn",
              [](const KernelRequest& request) { return chooseSetProduct(request, false); }});
    list.add({"linear_sets_dx", "onednn",
              [](const KernelRequest& request) { return chooseSetProduct(request, true); }});
    list.add({"linear_sets_dw", "onednn", chooseSetWeights});
    list.add({"conv2d_sets", "onednn", [](const KernelRequest& request) {
                  return choosePerElement(request, ConvolutionPass::forward, request.inputs[0],
                                          request.inputs[1], request.outputs[0]);
              }});
    list.add({"conv2d_sets_dx", "onednn", [](const KernelRequest& request) {
                  return choosePerElement(request, ConvolutionPass::inputGradient,
                                          request.outputs[0], request.inputs[1], request.inputs[0]);
              }});
    list.add({"conv2d_sets_dw", "onednn", [](const KernelRequest& request) {
                  return choosePerElement(request, ConvolutionPass::weightsGradient,
                                          request.inputs[0], request.outputs[0], request.inputs[1]);
              }});
}

} // namespace weft::cpu
