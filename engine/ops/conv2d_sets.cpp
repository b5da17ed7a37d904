// SPDX-License-Identifier: Apache-2.0
// conv2d with a set of filters for each element of the batch, for each position of its result (as
// locally connected layers have), or both: w is [batch, rows, columns, outputs, inputs of a group,
// ky, kx], without the dims it is shared over. dx is the transpose in x, dw in w, summed over what
// shares a set. A set per position stays whole: rows of x that two of them see overlap.
#include "graph/builder.h"
#include "ops/elementwise.h"
#include "ops/sets.h"
#include "ops/windows.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

constexpr std::size_t filterDims = 4;

AttributeSpec groupsOfSets() {
    return {.name = "groups", .defaultValue = std::int64_t{1}, .help = "Number of groups.", .least = 1};
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

/// y of x and filters; empty: refused.
Shape windowedBy(Inference& at, const Shape& x, const Shape& filters) {
    const std::int64_t groups = at.attributes().integer("groups");
    if (filters[0] % groups != 0 || x[1] != filters[1] * groups) {
        at.refuse(fmt::format("{} channels and filters {} do not fit in {} groups", x[1],
                              toString(filters), groups));
        return {};
    }
    Shape y;
    if (!inferWindows(at, windowsOfSets(at.attributes(), filters), x, y)) {
        return {};
    }
    y[1] = filters[0];
    return y;
}

bool haveFilters(Inference& at) {
    if (at.shape(1).size() < filterDims) {
        at.refuse(fmt::format("weights are {}; conv2d takes [outputs, inputs of a group, rows, "
                              "columns] in each set",
                              toString(at.shape(1))),
                  1);
    }
    return !at.isRefused();
}

void inferConvolutionOfSets(Inference& at) {
    if (!isPicture(at, 0, "input", "conv2d") || !haveFilters(at)) {
        return;
    }
    const Shape y = windowedBy(at, at.shape(0), lastDims(at.shape(1), filterDims));
    if (!y.empty() && hasLead(at, 1, Sets(at.attributes()).lead(y, 1), filterDims)) {
        at.output(0).shape = y;
    }
}

void inferInputGradientOfSets(Inference& at) {
    if (!isPicture(at, 0, "gradient", "conv2d") || !haveFilters(at)) {
        return;
    }
    const Shape filters = lastDims(at.shape(1), filterDims);
    const auto size = pairOf(at.attributes(), "size");
    const Shape dx{at.shape(0)[0], filters[1] * at.attributes().integer("groups"), size[0],
                   size[1]};
    const Shape dy = windowedBy(at, dx, filters);
    if (!dy.empty() && hasShape(at, 0, dy, "gradient") &&
        hasLead(at, 1, Sets(at.attributes()).lead(dy, 1), filterDims)) {
        at.output(0).shape = dx;
    }
}

void inferWeightGradientOfSets(Inference& at) {
    if (!isPicture(at, 0, "input", "conv2d") || !isPicture(at, 1, "gradient", "conv2d")) {
        return;
    }
    const std::int64_t groups = at.attributes().integer("groups");
    const auto kernel = pairOf(at.attributes(), "kernel");
    const Shape filters{at.shape(1)[1], at.shape(0)[1] / groups, kernel[0], kernel[1]};
    const Shape dy = windowedBy(at, at.shape(0), filters);
    if (!dy.empty() && hasShape(at, 1, dy, "gradient")) {
        at.output(0).shape = joinedDims(Sets(at.attributes()).lead(dy, 1), filters);
    }
}

/// Each element of y, or of dy, meets all taps of one output channel.
Flops productsOfSets(std::int64_t elements, const Shape& weights) {
    return {2 * elements * elementsOf(lastDims(weights, 3))};
}

/// The weights' letters; those of a position as the map has them.
std::string filterLetters(const Attributes& attributes, const char* rows, const char* columns) {
    std::vector<std::string> letters = Sets(attributes).lead({"b", "o", rows, columns}, 1);
    letters.insert(letters.end(), {"(g o)", "i", "ky", "kx"});
    return joined(letters);
}

std::map<std::string, std::int64_t> lettersOfSets(const Signature& at) {
    return {{"g", at.attributes.integer("groups")}};
}

void differentiateConvolutionOfSets(Gradient& at) {
    if (at.wants(0)) {
        Attributes attributes = at.attributes();
        attributes.set("size", List{at.inputShape(0)[2], at.inputShape(0)[3]});
        at.set(0, at.add("conv2d_sets_dx", {at.dy(), at.input(1)}, attributes));
    }
    if (at.wants(1)) {
        Attributes attributes = at.attributes();
        attributes.set("kernel", lastDims(at.inputShape(1), 2));
        at.set(1, at.add("conv2d_sets_dw", {at.input(0), at.dy()}, attributes));
    }
}

/// Linear in both, and its own transpose is the convolution.
void differentiateInputGradientOfSets(Gradient& at) {
    Attributes attributes = at.attributes();
    attributes.remove("size");
    if (at.wants(0)) {
        at.set(0, at.add("conv2d_sets", {at.dy(), at.input(1)}, attributes));
    }
    if (at.wants(1)) {
        attributes.set("kernel", lastDims(at.inputShape(1), 2));
        at.set(1, at.add("conv2d_sets_dw", {at.dy(), at.input(0)}, attributes));
    }
}

/// One convolution: x, filters of a set, y, and how its windows lie.
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
                [](const Signature& at) {
                    return windowsOfSets(at.attributes, at.inputs[1].shape).letters();
                },
            .cost =
                [](const Signature& at) {
                    return productsOfSets(at.outputs[0].elements(), at.inputs[1].shape);
                },
            .samples = samplesOfSets(
                [](const ConvSetCase& one, const Shape& weights) -> std::vector<Shape> {
                    return {one.x, weights};
                },
                "")};
}

Op inputGradientOfSets() {
    return {.name = "conv2d_sets_dx",
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
                [](const Signature& at) {
                    return windowsOfSets(at.attributes, at.inputs[1].shape).letters();
                },
            .cost =
                [](const Signature& at) {
                    return productsOfSets(at.inputs[0].elements(), at.inputs[1].shape);
                },
            .samples = samplesOfSets(
                [](const ConvSetCase& one, const Shape& weights) -> std::vector<Shape> {
                    return {one.y, weights};
                },
                "size")};
}

Op weightGradientOfSets() {
    return {.name = "conv2d_sets_dw",
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
            .windows = [](const Signature& at) { return windowsOf(at.attributes).letters(); },
            .cost =
                [](const Signature& at) {
                    return productsOfSets(at.inputs[1].elements(), at.outputs[0].shape);
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
