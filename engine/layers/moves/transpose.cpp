// SPDX-License-Identifier: Apache-2.0
// transpose; depth_to_space and space_to_depth, which transpose the factors of dims
#include "layers/moves/moves.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::layers {

namespace {

void lowerTranspose(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    const Shape shape = lowering.shape(x);
    const Dims given = lowering.attributes().integers("order");
    if (!given.empty() && given.size() + 1 != shape.size()) {
        lowering.refuse(fmt::format("input is {}: order {} does not name its {} dims after the "
                                    "batch",
                                    toString(shape), toString(given), shape.size() - 1),
                        "x");
        return;
    }
    std::optional<Dims> order =
        dimsAfterBatch(lowering, given, shape.size(), "input is " + toString(shape));
    if (!order) {
        return;
    }
    for (std::size_t dim = shape.size(); given.empty() && dim-- > 1;) {
        order->push_back(static_cast<std::int64_t>(dim));
    }
    order->insert(order->begin(), 0);
    lowering.output("y", transposed(lowering, x, *order));
}

/// Sizes of [batch, channels, rows, columns] with the factors of a block apart.
struct Blocks {
    std::int64_t channels, rows, columns; ///< with channels of the shallow side, blocks per side
    std::int64_t block;
    bool areDepthsFirst; ///< DCR: the place in a block is the major factor of the channels

    [[nodiscard]] Dims deep() const {
        return areDepthsFirst ? Dims{block, block, channels, rows, columns}
                              : Dims{channels, block, block, rows, columns};
    }
    /// Dims of `deep`, with the batch, in the order of [channels, rows, block, columns, block].
    [[nodiscard]] Dims order() const {
        return areDepthsFirst ? Dims{0, 3, 4, 1, 5, 2} : Dims{0, 1, 4, 2, 5, 3};
    }
};

bool isDcr(const Lowering& lowering) { return lowering.attributes().text("mode") == "DCR"; }

void lowerDepthToSpace(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    if (!lowering.hasRank("x", 4, "[batch, channels, rows, columns]")) {
        return;
    }
    const Shape shape = lowering.shape(x);
    const std::int64_t block = lowering.attributes().integer("block");
    if (block > shape[1] || shape[1] % (block * block) != 0) {
        lowering.refuse(fmt::format("input is {}: its {} channels are no multiple of block * "
                                    "block, with block {}",
                                    toString(shape), shape[1], block),
                        "x");
        return;
    }
    const Blocks blocks{shape[1] / (block * block), shape[2], shape[3], block, isDcr(lowering)};
    const ValueId apart = reshaped(lowering, x, blocks.deep());
    lowering.output("y", reshaped(lowering, transposed(lowering, apart, blocks.order()),
                                  {blocks.channels, shape[2] * block, shape[3] * block}));
}

void lowerSpaceToDepth(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    if (!lowering.hasRank("x", 4, "[batch, channels, rows, columns]")) {
        return;
    }
    const Shape shape = lowering.shape(x);
    const std::int64_t block = lowering.attributes().integer("block");
    if (shape[2] % block != 0 || shape[3] % block != 0) {
        lowering.refuse(fmt::format("input is {}: its rows and columns are no multiples of "
                                    "block, {}",
                                    toString(shape), block),
                        "x");
        return;
    }
    const Blocks blocks{shape[1], shape[2] / block, shape[3] / block, block, isDcr(lowering)};
    const Dims order = blocks.order();
    Dims back(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        back[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(k);
    }
    const ValueId apart =
        reshaped(lowering, x, {shape[1], blocks.rows, block, blocks.columns, block});
    lowering.output("y", reshaped(lowering, transposed(lowering, apart, back),
                                  {shape[1] * block * block, blocks.rows, blocks.columns}));
}

std::vector<AttributeSpec> blockAttributes(const char* initialMode) {
    return {{.name = "block",
             .defaultValue = std::int64_t{2},
             .help = "Rows and columns of the block that the channels of one place become.",
             .least = 1,
             .most = 1 << 15},
            {.name = "mode",
             .defaultValue = std::string(initialMode),
             .help = "Order of the channels. CRD: those of one block beside each other, as in "
                     "PyTorch; DCR: those of one place in the blocks beside each other, as in "
                     "TensorFlow.",
             .choices = {"CRD", "DCR"}}};
}

std::vector<LayerSample> blockSamples(const Shape& x, const Shape& other) {
    return {{.inputs = {x}, .attributes = {{"mode", std::string("CRD")}}},
            {.inputs = {x}, .attributes = {{"mode", std::string("DCR")}}},
            {.inputs = {other}, .attributes = {{"block", std::int64_t{3}}}}};
}

} // namespace

void transpose(LayerList& list) {
    list.add(
        {.info = {.kind = "transpose",
                  .title = "Transpose",
                  .category = "shape",
                  .help = "y has the dims of x in another order; the batch stays first. PyTorch: "
                          "permute, transpose and movedim; ONNX: Transpose.",
                  .synonyms = {"permute", "movedim", "swapaxes"},
                  .inputs = {{.name = "x", .help = "[batch, ...]", .type = PortType::any}},
                  .outputs = {{.name = "y", .help = "[batch, dims in that order]"}},
                  .attributes = {{.name = "order",
                                  .defaultValue = Dims{},
                                  .help = "The dim of x that becomes dim 1 of y, dim 2 and so on; "
                                          "2, 3, 1 makes [batch, rows, columns, channels] of "
                                          "[batch, channels, rows, columns]. Empty: the dims after "
                                          "the batch in reverse order."}},
                  .parameters = {}},
         .lower = lowerTranspose,
         .samples = {{.inputs = {{3, 5, 4}}},
                     {.inputs = {{2, 3, 5, 7}}, .attributes = {{"order", Dims{2, 3, 1}}}},
                     {.inputs = {{2, 3, 5, 7}}, .attributes = {{"order", Dims{1, -1, 2}}}}}});
    list.add({.info = {.kind = "depth_to_space",
                       .title = "Depth to space",
                       .category = "shape",
                       .help = "Makes a block of rows and columns of block * block channels, to "
                               "raise the resolution. PyTorch: PixelShuffle; ONNX: DepthToSpace.",
                       .synonyms = {"PixelShuffle", "pixel shuffle", "upsample"},
                       .inputs = {{.name = "x",
                                   .help = "[batch, channels * block * block, rows, columns]",
                                   .type = PortType::any}},
                       .outputs = {{.name = "y",
                                    .help = "[batch, channels, rows * block, columns * block]"}},
                       .attributes = blockAttributes("CRD"),
                       .parameters = {}},
              .lower = lowerDepthToSpace,
              .samples = blockSamples({2, 12, 3, 5}, {2, 9, 2, 3})});
    list.add({.info = {.kind = "space_to_depth",
                       .title = "Space to depth",
                       .category = "shape",
                       .help = "Makes block * block channels of each block of rows and columns, "
                               "the reverse of depth_to_space. PyTorch: PixelUnshuffle; ONNX: "
                               "SpaceToDepth, whose mode is DCR.",
                       .synonyms = {"PixelUnshuffle", "pixel unshuffle", "downsample"},
                       .inputs = {{.name = "x",
                                   .help = "[batch, channels, rows * block, columns * block]",
                                   .type = PortType::any}},
                       .outputs = {{.name = "y",
                                    .help = "[batch, channels * block * block, rows, columns]"}},
                       .attributes = blockAttributes("CRD"),
                       .parameters = {}},
              .lower = lowerSpaceToDepth,
              .samples = blockSamples({2, 3, 4, 6}, {2, 1, 6, 9})});
}

} // namespace weft::layers
