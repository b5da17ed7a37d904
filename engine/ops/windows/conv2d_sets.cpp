// SPDX-License-Identifier: Apache-2.0
// conv2d with a set of filters for each batch element, for each position of its result (as in
// locally connected layers), or both: w is [batch, rows, columns, outputs, inputs of a group, ky,
// kx], without the dims that share a set. dx is the transpose in x, dw in w, summed over what
// shares a set. Positions with own sets stay whole: the rows of x that two of them read overlap.
#include "graph/builder.h"
#include "ops/elementwise.h"
#include "ops/sets.h"
#include "ops/windows/windows.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

constexpr std::size_t filterDims = 4;

AttributeSpec groupsOfSets() {
    return {
        .name = "groups", .defaultValue = std::int64_t{1}, .help = "Number of groups.", .least = 1};
}

std::vector<AttributeSpec> attributesOfSets(std::vector<AttributeSpec> more) {
    std::vector<AttributeSpec> list = {strideAttribute(),     paddingAttribute(),
                                       dilationAttribute(),   groupsOfSets(),
                                       perElementAttribute(), perPositionAttribute()};
    list.insert(list.end(), more.begin(), more.end());
    return list;
}

Windows windowsOfSets(const Attributes& attributes, const Shape& weights) {
    Windows windows = windowsOf(attributes);
    const Shape own = lastDims(weights, 2);
    windows.kernel = {own[0], own[1]};
    return windows;
}

/// Returns the shape of y for x and filters; empty: refused.
Shape windowedBy(ShapeInference& inference, const Shape& x, const Shape& filters) {
    const std::int64_t groups = inference.attributes().integer("groups");
    if (filters[0] % groups != 0 || x[1] != filters[1] * groups) {
        inference.refuse(fmt::format("{} channels and filters {} do not fit into {} groups", x[1],
                                     toString(filters), groups));
        return {};
    }
    Shape y;
    if (!inferWindows(inference, windowsOfSets(inference.attributes(), filters), x, y)) {
        return {};
    }
    y[1] = filters[0];
    return y;
}

bool haveFilters(ShapeInference& inference) {
    if (inference.shape(1).size() < filterDims) {
        inference.refuse(fmt::format("weights are {}; conv2d expects [filters, channels / groups, "
                                     "rows, columns] in each set",
                                     toString(inference.shape(1))),
                         1);
    }
    return !inference.isRefused();
}

void inferConvolutionOfSets(ShapeInference& inference) {
    if (!isPicture(inference, 0, "input", "conv2d") || !haveFilters(inference)) {
        return;
    }
    const Shape y =
        windowedBy(inference, inference.shape(0), lastDims(inference.shape(1), filterDims));
    if (!y.empty() && hasLead(inference, 1, Sets(inference.attributes()).lead(y, 1), filterDims)) {
        inference.output(0).shape = y;
    }
}

void inferInputGradientOfSets(ShapeInference& inference) {
    if (!isPicture(inference, 0, "gradient", "conv2d") || !haveFilters(inference)) {
        return;
    }
    const Shape filters = lastDims(inference.shape(1), filterDims);
    const auto size = pairOf(inference.attributes(), "size");
    const Shape dx{inference.shape(0)[0], filters[1] * inference.attributes().integer("groups"),
                   size[0], size[1]};
    const Shape dy = windowedBy(inference, dx, filters);
    if (!dy.empty() && hasShape(inference, 0, dy, "gradient") &&
        hasLead(inference, 1, Sets(inference.attributes()).lead(dy, 1), filterDims)) {
        inference.output(0).shape = dx;
    }
}

void inferWeightGradientOfSets(ShapeInference& inference) {
    if (!isPicture(inference, 0, "input", "conv2d") ||
        !isPicture(inference, 1, "gradient", "conv2d")) {
        return;
    }
    const std::int64_t groups = inference.attributes().integer("groups");
    const auto kernel = pairOf(inference.attributes(), "kernel");
    const Shape filters{inference.shape(1)[1], inference.shape(0)[1] / groups, kernel[0],
                        kernel[1]};
    const Shape dy = windowedBy(inference, inference.shape(0), filters);
    if (!dy.empty() && hasShape(inference, 1, dy, "gradient")) {
        inference.output(0).shape = joinedDims(Sets(inference.attributes()).lead(dy, 1), filters);
    }
}

/// Each element of y, or of dy, is multiplied with all taps of one output channel.
Flops productsOfSets(std::int64_t elements, const Shape& weights) {
    return {2 * elements * elementsOf(lastDims(weights, 3))};
}

/// Returns the letters of the weights. Those of positions are the letters of the map.
std::string filterLetters(const Attributes& attributes, const char* rows, const char* columns) {
    std::vector<std::string> letters = Sets(attributes).lead({"b", "o", rows, columns}, 1);
    letters.insert(letters.end(), {"(g o)", "i", "ky", "kx"});
    return joined(letters);
}

std::map<std::string, std::int64_t> lettersOfSets(const Signature& signature) {
    return {{"g", signature.attributes.integer("groups")}};
}

void differentiateConvolutionOfSets(Gradient& gradient) {
    if (gradient.needsGradient(0)) {
        Attributes attributes = gradient.attributes();
        attributes.set("size", List{gradient.inputShape(0)[2], gradient.inputShape(0)[3]});
        gradient.set(
            0, gradient.add("conv2d_sets_dx", {gradient.dy(), gradient.input(1)}, attributes));
    }
    if (gradient.needsGradient(1)) {
        Attributes attributes = gradient.attributes();
        attributes.set("kernel", lastDims(gradient.inputShape(1), 2));
        gradient.set(
            1, gradient.add("conv2d_sets_dw", {gradient.input(0), gradient.dy()}, attributes));
    }
}

/// Linear in both; its transpose is the convolution itself.
void differentiateInputGradientOfSets(Gradient& gradient) {
    Attributes attributes = gradient.attributes();
    attributes.remove("size");
    if (gradient.needsGradient(0)) {
        gradient.set(0,
                     gradient.add("conv2d_sets", {gradient.dy(), gradient.input(1)}, attributes));
    }
    if (gradient.needsGradient(1)) {
        attributes.set("kernel", lastDims(gradient.inputShape(1), 2));
        gradient.set(
            1, gradient.add("conv2d_sets_dw", {gradient.dy(), gradient.input(0)}, attributes));
    }
}

/// A convolution for samples: x, filters of a set, y, and the geometry of its windows.
struct ConvSetCase {
    Shape x, filters, y;
    Attributes attributes = {};
};

std::vector<ConvSetCase> convSetCases() {
    return {{{3, 5, 6, 7}, {4, 5, 3, 3}, {3, 4, 4, 5}},
            {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}},
            {{2, 3, 9, 8},
             {5, 3, 3, 2},
             {2, 5, 4, 10},
             {{"stride", List{2, 1}}, {"padding", List{1, 2, 0, 1}}}},
            {{2, 3, 7, 8},
             {2, 3, 3, 3},
             {2, 2, 7, 8},
             {{"dilation", List{2, 3}}, {"padding", List{2, 3, 2, 3}}}},
            {{2, 6, 5, 4},
             {9, 2, 3, 3},
             {2, 9, 5, 4},
             {{"groups", std::int64_t{3}}, {"padding", List{1, 1, 1, 1}}}}};
}

using OperandsOf = std::function<std::vector<Shape>(const ConvSetCase&, const Shape& weights)>;

std::vector<Sample> samplesOfSets(const OperandsOf& operands, const char* extra) {
    std::vector<Sample> samples;
    for (const ConvSetCase& one : convSetCases()) {
        for (const auto& [perElement, perPosition] :
             {std::pair{true, false}, {false, true}, {true, true}}) {
            Attributes attributes = withSets(one.attributes, perElement, perPosition);
            const Shape weights = joinedDims(Sets(attributes).lead(one.y, 1), one.filters);
            if (std::string(extra) == "size") {
                attributes.set("size", List{one.x[2], one.x[3]});
            } else if (std::string(extra) == "kernel") {
                attributes.set("kernel", lastDims(one.filters, 2));
            }
            samples.push_back({.inputs = operands(one, weights), .attributes = attributes});
        }
    }
    return samples;
}

Op convolutionOfSets() {
    return {.name = "conv2d_sets",
            .help = "Convolution with a set of filters per batch element, position, or both.",
            .inputs = {{"x"}, {"w"}},
            .outputs = {"y"},
            .attributes = attributesOfSets({}),
            .shape = inferConvolutionOfSets,
            .gradient = differentiateConvolutionOfSets,
            .placementOf =
                [](const Signature& s) {
                    return fmt::format("b (g i) y:ky x:kx, {} -> b (g o) y x",
                                       filterLetters(s.attributes, "y", "x"));
                },
            .letterSizes = lettersOfSets,
            .windows =
                [](const Signature& signature) {
                    return windowsOfSets(signature.attributes, signature.inputs[1].shape).letters();
                },
            .cost =
                [](const Signature& signature) {
                    return productsOfSets(signature.outputs[0].elements(),
                                          signature.inputs[1].shape);
                },
            .samples = samplesOfSets(
                [](const ConvSetCase& one, const Shape& weights) -> std::vector<Shape> {
                    return {one.x, weights};
                },
                "")};
}

Op inputGradientOfSets() {
    return {.name = "conv2d_sets_dx",
            .help = "Gradient of conv2d_sets with respect to its input: a transposed convolution.",
            .inputs = {{"dy"}, {"w"}},
            .outputs = {"dx"},
            .attributes = attributesOfSets({sizeAttribute()}),
            .shape = inferInputGradientOfSets,
            .gradient = differentiateInputGradientOfSets,
            .placementOf =
                [](const Signature& s) {
                    return fmt::format("b (g o) y/ky x/kx, {} -> b (g i) y x",
                                       filterLetters(s.attributes, "y/ky", "x/kx"));
                },
            .letterSizes = lettersOfSets,
            .windows =
                [](const Signature& signature) {
                    return windowsOfSets(signature.attributes, signature.inputs[1].shape).letters();
                },
            .cost =
                [](const Signature& signature) {
                    return productsOfSets(signature.inputs[0].elements(),
                                          signature.inputs[1].shape);
                },
            .samples = samplesOfSets(
                [](const ConvSetCase& one, const Shape& weights) -> std::vector<Shape> {
                    return {one.y, weights};
                },
                "size")};
}

Op weightGradientOfSets() {
    return {
        .name = "conv2d_sets_dw",
        .help = "Gradient of conv2d_sets with respect to its filters: sums over windows that share "
                "a set.",
        .inputs = {{"x"}, {"dy"}},
        .outputs = {"dw"},
        .attributes = attributesOfSets({kernelAttribute()}),
        .shape = inferWeightGradientOfSets,
        .placementOf =
            [](const Signature& s) {
                return fmt::format("b (g i) y:ky x:kx, b (g o) y x -> {}",
                                   filterLetters(s.attributes, "y", "x"));
            },
        .letterSizes = lettersOfSets,
        .windows =
            [](const Signature& signature) { return windowsOf(signature.attributes).letters(); },
        .cost =
            [](const Signature& signature) {
                return productsOfSets(signature.inputs[1].elements(), signature.outputs[0].shape);
            },
        .samples = samplesOfSets(
            [](const ConvSetCase& one, const Shape&) -> std::vector<Shape> {
                return {one.x, one.y};
            },
            "kernel")};
}

} // namespace

void conv2d_sets(OpList& list) {
    list.add(convolutionOfSets());
    list.add(inputGradientOfSets());
    list.add(weightGradientOfSets());
}

} // namespace weft::ops
