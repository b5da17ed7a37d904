// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/copies.h"

#include "backends/cuda/box_copy.h"

namespace weft::cuda {

KernelChoice choiceOfPieces(const KernelRequest& request, std::vector<CopyPiece> pieces,
                            std::int64_t filled, std::uint64_t bits) {
    const std::size_t size = byteSize(request.outputs[0].dtype);
    return choiceOf([=, pieces = std::move(pieces)](const KernelArguments& at) {
        auto* const y = output<std::byte>(at, 0);
        if (filled > 0) {
            launchFill(bits, size, y, filled, streamOf(at));
        }
        for (const CopyPiece& piece : pieces) {
            const auto* const from =
                input<std::byte>(at, piece.input) + static_cast<std::size_t>(piece.from) * size;
            auto* const to = y + static_cast<std::size_t>(piece.to) * size;
            if (from != to) {
                launchBoxCopy(piece.copy, size, from, to, streamOf(at));
            }
        }
    });
}

KernelChoice copyPieces(const KernelRequest& request, std::vector<CopyPiece> pieces,
                        std::int64_t zeroed) {
    return choiceOfPieces(request, std::move(pieces), zeroed);
}

} // namespace weft::cuda
