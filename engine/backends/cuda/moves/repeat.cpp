// SPDX-License-Identifier: Apache-2.0
// stack: y[n, ..] = x_n[..]; round: y[..] = x[position, ..], zeros if another part holds that
// position; unround: zeros except y[position, ..] = x
#include "backends/cuda/moves/copies.h"

namespace weft::cuda {

void repeat(KernelList& list);

namespace {

/// Copies contiguous elements of operand `input`.
CopyPiece runOf(std::int64_t elements, std::size_t input, std::int64_t from, std::int64_t to) {
    return {boxCopy({elements}, {1}, {1}), input, from, to};
}

ChoiceOrRefusal chooseStack(const KernelRequest& request) {
    const std::int64_t one = request.inputs[0].elements();
    std::vector<CopyPiece> pieces;
    for (std::size_t k = 0; k < request.inputs.size(); ++k) {
        pieces.push_back(runOf(one, k, 0, static_cast<std::int64_t>(k) * one));
    }
    return allPlain(request, chooseCopyOfPieces(request, std::move(pieces)));
}

ChoiceOrRefusal chooseRound(const KernelRequest& request) {
    const TensorPart& x = request.inputs[0];
    const std::int64_t one = request.outputs[0].elements();
    const std::int64_t first = x.begin.empty() ? 0 : x.begin.front();
    const std::int64_t local = request.attributes.integer("position") - first;
    const bool isHeld = local >= 0 && local < x.shape.front();
    return allPlain(request, isHeld ? chooseCopyOfPieces(request, {runOf(one, 0, local * one, 0)})
                                    : chooseCopyOfPieces(request, {}, {.elements = one}));
}

ChoiceOrRefusal chooseUnround(const KernelRequest& request) {
    const std::int64_t one = request.inputs[0].elements();
    const std::int64_t to = request.attributes.integer("position") * one;
    return allPlain(request, chooseCopyOfPieces(request, {runOf(one, 0, 0, to)},
                                                {.elements = request.outputs[0].elements()}));
}

} // namespace

void repeat(KernelList& list) {
    list.add({"stack", "cuda", chooseStack, anyType});
    list.add({"round", "cuda", chooseRound, anyType});
    list.add({"unround", "cuda", chooseUnround, anyType});
}

} // namespace weft::cuda
