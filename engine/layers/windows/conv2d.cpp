// SPDX-License-Identifier: Apache-2.0
// conv2d: y[o] = sum over channels and taps of w[o] x, plus b[o]
#include "layers/layer.h"
#include "layers/windows/windows.h"

#include <fmt/format.h>

#include <optional>

namespace weft::layers {

namespace {

std::vector<AttributeSpec> convolutionAttributes() {
    return withParameterAttributes(withSetAttributes(
        {{.name = "filters",
          .defaultValue = std::int64_t{16},
          .help = "Number of output channels.",
          .least = 1,
          .required = true},
         kernelSpec(),
         strideSpec({1, 1}),
         paddingSpec(),
         {.name = "pad",
          .defaultValue = std::string("explicit"),
          .help = "explicit: use `padding`; same: pad so that rows and columns keep their size.",
          .choices = {"explicit", "same"}},
         {.name = "dilation",
          .defaultValue = Shape{1, 1},
          .help = "Dilation of the filter in rows and columns; one number for both.",
          .least = 1,
          .count = 2},
         {.name = "groups",
          .defaultValue = std::int64_t{1},
          .help = "Number of groups. Each filter sees only the input channels of its group.",
          .least = 1},
         {.name = "bias",
          .defaultValue = true,
          .help = "Add a learned bias to each output channel."}},
        "pixel of the output"));
}

/// Returns [top, left, bottom, right], or none if refused.
std::optional<Shape> paddingOf(Lowering& lowering) {
    const Attributes& attributes = lowering.attributes();
    if (attributes.text("pad") != "same") {
        return evenPadding(attributes);
    }
    if (rowsAndColumns(attributes, "stride") != Shape{1, 1}) {
        lowering.refuse("pad: same requires stride 1: set pad to explicit and give padding", "x");
        return {};
    }
    const Shape kernel = rowsAndColumns(attributes, "kernel");
    const Shape dilation = rowsAndColumns(attributes, "dilation");
    const std::int64_t rows = dilation[0] * (kernel[0] - 1);
    const std::int64_t columns = dilation[1] * (kernel[1] - 1);
    return Shape{rows / 2, columns / 2, rows - rows / 2, columns - columns / 2};
}

/// Returns rows and columns of the output; the op refuses what does not fit.
Shape outputSize(Lowering& lowering, const Shape& padding) {
    const Attributes& attributes = lowering.attributes();
    const Shape& x = lowering.shape(lowering.input("x"));
    const Shape kernel = rowsAndColumns(attributes, "kernel");
    const Shape stride = rowsAndColumns(attributes, "stride");
    const Shape dilation = rowsAndColumns(attributes, "dilation");
    Shape size(2);
    for (std::size_t side = 0; side < 2; ++side) {
        const std::int64_t room = x[side + 2] + padding[side] + padding[side + 2] -
                                  dilation[side] * (kernel[side] - 1) - 1;
        size[side] = room < 0 ? 1 : room / stride[side] + 1;
    }
    return size;
}

void lowerConv2d(Lowering& lowering) {
    if (!lowering.hasRank("x", 4, "conv2d expects [batch, channels, rows, columns]")) {
        return;
    }
    const Attributes& attributes = lowering.attributes();
    const std::int64_t channels = lowering.shape(lowering.input("x"))[1];
    const std::int64_t filters = attributes.integer("filters");
    const std::int64_t groups = attributes.integer("groups");
    if (channels % groups != 0 || filters % groups != 0) {
        lowering.refuse(fmt::format("{} channels and {} filters do not divide into {} groups: use "
                                    "a number of groups that divides both",
                                    channels, filters, groups),
                        "x");
        return;
    }
    const std::optional<Shape> padding = paddingOf(lowering);
    if (!padding) {
        return;
    }
    const Shape kernel = rowsAndColumns(attributes, "kernel");
    const std::int64_t taps = kernel[0] * kernel[1];
    const std::int64_t fanIn = channels / groups * taps;
    const WeightSets sets =
        lowering.sets(lowering.shape(lowering.input("x"))[0], outputSize(lowering, *padding));
    const ValueId weight =
        lowering.parameter("weight", {filters, channels / groups, kernel[0], kernel[1]},
                           lowering.initialiser(fanIn, filters * taps), sets);
    ValueId y = lowering.add(sets.op("conv2d"), {lowering.input("x"), weight},
                             sets.with({{"stride", rowsAndColumns(attributes, "stride")},
                                        {"padding", *padding},
                                        {"dilation", rowsAndColumns(attributes, "dilation")},
                                        {"groups", groups}}));
    if (groups > 1) {
        lowering.builder().setLetters(y, {{"model.stack", "g"}, {"model.add", ""}});
    }
    if (attributes.boolean("bias")) {
        const ValueId bias =
            lowering.parameter("bias", {filters}, lowering.biasInitialiser(fanIn), sets);
        y = lowering.add(sets.hasSeveralSets() ? "bias_sets" : "bias_add", {y, bias},
                         sets.with({{"dim", std::int64_t{1}}}));
    }
    lowering.output("y", y);
}

} // namespace

void conv2d(LayerList& list) {
    list.add(
        {.info =
             {.kind = "conv2d",
              .title = "Convolution",
              .category = "convolution",
              .help =
                  "2-D convolution (cross-correlation), with groups, stride, padding and dilation. "
                  "Weights are [filters, channels / groups, rows, columns]. pad: same is PyTorch's "
                  "padding=\"same\" (stride 1; odd padding goes to the bottom and right). There "
                  "can be a set of filters per batch element (per_element), per output position "
                  "(per_position), or both. PyTorch: Conv2d; ONNX: Conv.",
              .synonyms = {"conv", "convolution", "cross-correlation", "filters"},
              .inputs = {{.name = "x", .help = "[batch, channels, rows, columns]"}},
              .outputs = {{.name = "y", .help = "[batch, filters, rows, columns]"}},
              .attributes = convolutionAttributes(),
              .parameters =
                  {{.name = "weight",
                    .help = "[filters, channels / groups, rows, columns]; per_element adds batch "
                            "as the first dim, per_position adds output rows and output columns "
                            "before filters"},
                   {.name = "bias",
                    .help =
                        "[filters]; per_element and per_position add the same dims as to weight"}}},
         .lower = lowerConv2d,
         .samples = {{.inputs = {{3, 4, 7, 6}},
                      .attributes = {{"filters", std::int64_t{6}}, {"padding", Shape{1, 1}}}},
                     {.inputs = {{2, 3, 9, 8}},
                      .attributes = {{"filters", std::int64_t{5}},
                                     {"kernel", Shape{3, 2}},
                                     {"stride", Shape{2, 1}},
                                     {"bias", false}}},
                     {.inputs = {{2, 6, 6, 5}},
                      .attributes = {{"filters", std::int64_t{9}},
                                     {"groups", std::int64_t{3}},
                                     {"dilation", std::int64_t{2}},
                                     {"pad", std::string("same")}}},
                     {.inputs = {{2, 3, 5, 5}},
                      .attributes = {{"filters", std::int64_t{3}},
                                     {"groups", std::int64_t{3}},
                                     {"kernel", std::int64_t{2}},
                                     {"pad", std::string("same")}}},
                     {.inputs = {{5, 3, 5, 4}},
                      .attributes = {{"filters", std::int64_t{4}}, {"per_element", true}}},
                     {.inputs = {{3, 4, 5, 6}},
                      .attributes = {{"filters", std::int64_t{4}},
                                     {"stride", Shape{2, 2}},
                                     {"padding", Shape{1, 1}},
                                     {"groups", std::int64_t{2}},
                                     {"per_position", true}}},
                     {.inputs = {{4, 2, 4, 5}},
                      .attributes = {{"filters", std::int64_t{3}},
                                     {"kernel", Shape{3, 2}},
                                     {"per_element", true},
                                     {"per_position", true}}}}});
}

} // namespace weft::layers
