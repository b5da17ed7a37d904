// SPDX-License-Identifier: Apache-2.0
// a = T(v); dv = T'(v) da; y[b] = sum of the costs of the element's codes, in double
#include "backends/cuda/sparse/transfer.h"

#include "backends/cuda/request.h"
#include "graph/transfer_function.h"

#include <cmath>
#include <limits>

namespace weft::cuda {

void transfer(KernelList& list);

namespace {

/// Returns the smallest float not below the number, so that comparisons of floats with it are
/// exact.
float notBelow(double number) {
    const auto nearest = static_cast<float>(number);
    return static_cast<double>(nearest) < number
               ? std::nextafterf(nearest, std::numeric_limits<float>::infinity())
               : nearest;
}

TransferPiece pieceOf(const TransferFunction::Piece& piece) {
    return {notBelow(piece.from), static_cast<float>(piece.origin),
            static_cast<float>(piece.offset), static_cast<float>(piece.slope), 0};
}
TransferPiece pieceOf(const TransferFunction::CostPiece& price) {
    return {notBelow(price.from), static_cast<float>(price.from), static_cast<float>(price.base),
            static_cast<float>(price.linear), static_cast<float>(price.quadratic)};
}

/// Returns nothing if there are more pieces than a kernel takes.
template <class Piece>
std::optional<TransferPieces> piecesOf(const TransferFunction& transfer,
                                       const std::vector<Piece>& pieces) {
    TransferPieces made;
    if (pieces.size() > TransferPieces::most) {
        return std::nullopt;
    }
    for (const Piece& piece : pieces) {
        made.of[static_cast<std::size_t>(made.count++)] = pieceOf(piece);
    }
    made.isTwoSided = transfer.isTwoSided();
    return made;
}

constexpr const char* tooManyPoints =
    "the transfer function has more points than the kernel supports";

/// Chooses the kernel that calls run(arguments, pieces, elements), with operands in one format.
template <class Run>
ChoiceOrRefusal transferWith(const KernelRequest& request, Run run) {
    const TransferFunction transfer(request.attributes);
    const auto pieces = piecesOf(transfer, transfer.pieces());
    const auto format = formatForAll(request, request.outputs[0].shape);
    if (!pieces || !format) {
        return refuse(pieces ? "operands have different memory formats" : tooManyPoints);
    }
    const std::int64_t n = request.outputs[0].elements();
    return inOneFormat(request, *format,
                       choiceOf([=, codes = *pieces](const KernelArguments& arguments) {
                           run(arguments, codes, n);
                       }));
}

ChoiceOrRefusal chooseTransfer(const KernelRequest& request) {
    return transferWith(
        request, [](const KernelArguments& arguments, const TransferPieces& codes, std::int64_t n) {
            launchTransfer(codes, input<float>(arguments, 0), output<float>(arguments, 0), n,
                           streamOf(arguments));
        });
}

ChoiceOrRefusal chooseTransferGradient(const KernelRequest& request) {
    return transferWith(
        request, [](const KernelArguments& arguments, const TransferPieces& codes, std::int64_t n) {
            launchTransferGradient(codes, input<float>(arguments, 0), input<float>(arguments, 1),
                                   output<float>(arguments, 0), n, streamOf(arguments));
        });
}

ChoiceOrRefusal chooseTransferCost(const KernelRequest& request) {
    const TensorPart& a = request.inputs[0];
    const TransferFunction transfer(request.attributes);
    const auto pieces = piecesOf(transfer, transfer.costPieces());
    const auto format = batchContiguousFormat(request, a.shape);
    if (!pieces || !format) {
        return refuse(pieces ? "batch elements are not contiguous in memory" : tooManyPoints);
    }
    const std::int64_t rows = a.shape[0];
    const std::int64_t d = a.elements() / std::max<std::int64_t>(1, rows);
    return withFormats(request, choiceOf([=, prices = *pieces](const KernelArguments& arguments) {
                           launchTransferCost(prices, input<float>(arguments, 0), rows, d,
                                              output<float>(arguments, 0), streamOf(arguments));
                       }),
                       {*format}, {});
}

} // namespace

void transfer(KernelList& list) {
    list.add({"transfer", "cuda", chooseTransfer});
    list.add({"transfer_gradient", "cuda", chooseTransferGradient});
    list.add({"transfer_cost", "cuda", chooseTransferCost});
}

} // namespace weft::cuda
