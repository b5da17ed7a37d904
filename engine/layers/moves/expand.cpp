// SPDX-License-Identifier: Apache-2.0
// expand repeats dims of size 1; tile repeats whole dims: a dim of size 1 before each, which is
// expanded and joined with it
#include "layers/moves/moves.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::layers {

namespace {

/// Returns x with dims of size 1 after the batch, so that `count` dims follow the batch.
ValueId withDims(Lowering& lowering, ValueId x, std::size_t count) {
    Dims rest = restOf(lowering, x);
    if (rest.size() < count) {
        rest.insert(rest.begin(), count - rest.size(), 1);
    }
    return reshaped(lowering, x, rest);
}

void lowerExpand(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    Dims sizes = lowering.attributes().integers("shape");
    const std::size_t count = restOf(lowering, x).size();
    if (sizes.size() < count) {
        sizes.insert(sizes.begin(), count - sizes.size(), -1);
    }
    Dims from = restOf(lowering, x);
    from.insert(from.begin(), sizes.size() - count, 1);
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        const bool isKept = sizes[k] == -1 || sizes[k] == 1;
        if (!isKept && (sizes[k] < 1 || (from[k] != 1 && from[k] != sizes[k]))) {
            lowering.refuse(fmt::format("input is {}: shape {} repeats a dim whose size is not 1",
                                        toString(lowering.shape(x)),
                                        toString(lowering.attributes().integers("shape"))),
                            "x");
            return;
        }
        sizes[k] = isKept ? from[k] : sizes[k];
    }
    const ValueId aligned = withDims(lowering, x, sizes.size());
    if (!lowering.builder().hasNoShape(aligned)) {
        lowering.output("y", repeated(lowering, aligned, sizes));
    }
}

void lowerTile(Lowering& lowering) {
    Dims repeats = lowering.attributes().integers("repeats");
    if (std::ranges::any_of(repeats, [](std::int64_t times) { return times < 1; })) {
        lowering.refuse(fmt::format("repeats {} holds a number below 1", toString(repeats)), "x");
        return;
    }
    const ValueId x = withDims(lowering, lowering.input("x"), repeats.size());
    if (lowering.builder().hasNoShape(x)) {
        return;
    }
    const Dims rest = restOf(lowering, x);
    repeats.insert(repeats.begin(), rest.size() - repeats.size(), 1);
    Dims apart; // each dim that is repeated, after its repeats
    Dims sizes;
    for (std::size_t k = 0; k < rest.size(); ++k) {
        if (repeats[k] > 1) {
            apart.push_back(1);
            sizes.push_back(repeats[k]);
        }
        apart.push_back(rest[k]);
        sizes.push_back(rest[k]);
    }
    const ValueId y = repeated(lowering, reshaped(lowering, x, apart), sizes);
    if (lowering.builder().hasNoShape(y)) {
        return; // too many elements: products of sizes could overflow
    }
    Dims together;
    for (std::size_t k = 0; k < rest.size(); ++k) {
        together.push_back(rest[k] * repeats[k]);
    }
    lowering.output("y", reshaped(lowering, y, together));
}

} // namespace

void expand(LayerList& list) {
    list.add(
        {.info = {.kind = "expand",
                  .title = "Expand",
                  .category = "shape",
                  .help = "Repeats dims of size 1, as numpy broadcasts. PyTorch: expand; ONNX: "
                          "Expand.",
                  .synonyms = {"broadcast", "broadcast_to", "repeat"},
                  .inputs = {{.name = "x", .help = "[batch, ...]"}},
                  .outputs = {{.name = "y", .help = "[batch, shape...]"}},
                  .attributes = {{.name = "shape",
                                  .defaultValue = Dims{-1},
                                  .help =
                                      "Sizes after the batch; -1 or 1 keeps that of x. If there "
                                      "are more than dims of x, dims are added after the "
                                      "batch; if fewer, the first dims stay."}},
                  .parameters = {}},
         .lower = lowerExpand,
         .samples = {{.inputs = {{4, 1}}, .attributes = {{"shape", Dims{6}}}},
                     {.inputs = {{2, 3, 1, 5}}, .attributes = {{"shape", Dims{-1, 4, -1}}}},
                     {.inputs = {{3, 5}}, .attributes = {{"shape", Dims{4, 5}}}}}});
    list.add(
        {.info = {.kind = "tile",
                  .title = "Tile",
                  .category = "shape",
                  .help = "Repeats x along dims, one whole copy after the other. PyTorch: tile and "
                          "repeat; ONNX: Tile.",
                  .synonyms = {"repeat", "copies"},
                  .inputs = {{.name = "x", .help = "[batch, ...]"}},
                  .outputs = {{.name = "y", .help = "sizes of x times repeats"}},
                  .attributes = {{.name = "repeats",
                                  .defaultValue = Dims{2},
                                  .help = "Number of copies along each of the last dims. If there "
                                          "are more than dims after the batch, dims are added."}},
                  .parameters = {}},
         .lower = lowerTile,
         .samples = {{.inputs = {{4, 6}}},
                     {.inputs = {{2, 3, 5}}, .attributes = {{"repeats", Dims{2, 3}}}},
                     {.inputs = {{3, 4}}, .attributes = {{"repeats", Dims{2, 1}}}}}});
}

} // namespace weft::layers
