// SPDX-License-Identifier: Apache-2.0
// reshape, squeeze and unsqueeze: other sizes for the same elements in the same order
#include "layers/moves/moves.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::layers {

namespace {

/// Returns the sizes with -1 replaced by what is left of the elements; nothing if they do not fit.
std::optional<Dims> completedSizes(Dims sizes, std::int64_t elements) {
    std::int64_t known = 1;
    for (const std::int64_t size : sizes) {
        if (size < -1 || size == 0 || (size > 0 && size > elements / known)) {
            return std::nullopt;
        }
        known *= size > 0 ? size : 1;
    }
    const auto open = std::ranges::find(sizes, std::int64_t{-1});
    if (open != sizes.end()) {
        *open = elements / known;
        known *= *open;
    }
    const bool isOneOpen = std::ranges::find(sizes, std::int64_t{-1}) == sizes.end();
    return isOneOpen && known == elements ? std::optional(sizes) : std::nullopt;
}

void lowerReshape(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    const Dims given = lowering.attributes().integers("shape");
    const std::optional<Dims> sizes = completedSizes(given, elementsOf(restOf(lowering, x)));
    if (!sizes) {
        lowering.refuse(fmt::format("input is {}: shape {} does not have its {} elements per "
                                    "example",
                                    toString(lowering.shape(x)), toString(given),
                                    elementsOf(restOf(lowering, x))),
                        "x");
        return;
    }
    lowering.output("y", reshaped(lowering, x, *sizes));
}

void lowerSqueeze(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    const Shape shape = lowering.shape(x);
    const Dims given = lowering.attributes().integers("dims");
    const auto dims = dimsAfterBatch(lowering, given, shape.size(), "input is " + toString(shape));
    if (!dims) {
        return;
    }
    Dims rest;
    for (std::size_t dim = 1; dim < shape.size(); ++dim) {
        const bool isNamed =
            std::ranges::find(*dims, static_cast<std::int64_t>(dim)) != dims->end();
        if (isNamed && shape[dim] != 1) {
            lowering.refuse(fmt::format("input is {}: dim {} has size {}, not 1", toString(shape),
                                        dim, shape[dim]),
                            "x");
            return;
        }
        if (!isNamed && (shape[dim] != 1 || !given.empty())) {
            rest.push_back(shape[dim]);
        }
    }
    lowering.output("y", reshaped(lowering, x, rest));
}

void lowerUnsqueeze(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    const Shape shape = lowering.shape(x);
    const Dims given = lowering.attributes().integers("dims");
    const std::size_t rank = shape.size() + given.size();
    const auto dims = dimsAfterBatch(lowering, given, rank, fmt::format("y has {} dims", rank));
    if (!dims) {
        return;
    }
    Dims rest;
    std::size_t next = 1;
    for (std::size_t dim = 1; dim < rank; ++dim) {
        const bool isNew = std::ranges::find(*dims, static_cast<std::int64_t>(dim)) != dims->end();
        rest.push_back(isNew ? 1 : shape[next++]);
    }
    lowering.output("y", reshaped(lowering, x, rest));
}

AttributeSpec list(const char* name, Dims initial, const char* help) {
    return {.name = name, .defaultValue = std::move(initial), .help = help};
}

struct Texts {
    const char* kind;
    const char* title;
    const char* help;
    std::vector<std::string> synonyms;
    const char* y;
};

void add(LayerList& list, Texts texts, AttributeSpec attribute, void (*lower)(Lowering&),
         std::vector<LayerSample> samples) {
    list.add({.info = {.kind = texts.kind,
                       .title = texts.title,
                       .category = "shape",
                       .help = texts.help,
                       .synonyms = std::move(texts.synonyms),
                       .inputs = {{.name = "x", .help = "[batch, ...]", .type = PortType::any}},
                       .outputs = {{.name = "y", .help = texts.y}},
                       .attributes = {std::move(attribute)},
                       .parameters = {}},
              .lower = lower,
              .samples = std::move(samples)});
}

} // namespace

void reshape(LayerList& kinds) {
    add(kinds,
        {"reshape",
         "Reshape",
         "y has the elements of x in their row-major order, in other dims. The batch stays, "
         "so that shape leaves it out. PyTorch: reshape, view and Unflatten; ONNX: Reshape.",
         {"view", "unflatten", "resize"},
         "[batch, shape...]"},
        list("shape", {-1},
             "Sizes after the batch; one may be -1 and takes the elements that are left."),
        lowerReshape,
        {{.inputs = {{4, 12}}, .attributes = {{"shape", Dims{3, -1}}}},
         {.inputs = {{2, 3, 5, 4}}, .attributes = {{"shape", Dims{-1}}}},
         {.inputs = {{3, 4, 6}}, .attributes = {{"shape", Dims{2, 3, 4}}}}});
    add(kinds,
        {"squeeze",
         "Squeeze",
         "Leaves out dims of size 1. PyTorch: squeeze; ONNX: Squeeze.",
         {"remove dim"},
         "x without the dims"},
        list("dims", {},
             "Dims to leave out, counted from the batch, dim 0; -1 is the last. Empty: all "
             "dims of size 1 after the batch."),
        lowerSqueeze,
        {{.inputs = {{4, 1, 6}}}, {.inputs = {{2, 3, 1, 1}}, .attributes = {{"dims", Dims{-1}}}}});
    add(kinds,
        {"unsqueeze",
         "Unsqueeze",
         "Inserts dims of size 1. PyTorch: unsqueeze; ONNX: Unsqueeze.",
         {"insert dim", "expand_dims"},
         "x with the dims"},
        list("dims", {-1},
             "Dims of y that are inserted, counted from the batch, dim 0; -1 is the last of y."),
        lowerUnsqueeze,
        {{.inputs = {{4, 6}}}, {.inputs = {{3, 4, 6}}, .attributes = {{"dims", Dims{1, -1}}}}});
}

} // namespace weft::layers
