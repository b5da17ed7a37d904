// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/moves/copies.h"

#include "backends/cpu/moves/box_copy.h"
#include "backends/cpu/request.h"

#include <algorithm>
#include <utility>

namespace weft::cpu {

namespace {

template <class T>
void runPieces(const std::vector<CopyPiece>& pieces, const KernelArguments& arguments,
               Filling filling, int cores) {
    T* const y = output<T>(arguments, 0);
    std::fill_n(y, filling.elements, static_cast<T>(filling.bits));
    for (const CopyPiece& piece : pieces) {
        const T* const from = input<T>(arguments, piece.input) + piece.from;
        if (from != y + piece.to) {
            runCopy(piece.copy, from, y + piece.to, cores);
        }
    }
}

} // namespace

KernelChoice chooseCopyOfPieces(const KernelRequest& request, std::vector<CopyPiece> pieces,
                                Filling filling) {
    const std::size_t size = byteSize(request.outputs[0].dtype);
    return choiceOf(
        [=, cores = request.cores, pieces = std::move(pieces)](const KernelArguments& arguments) {
            switch (size) {
            case 1: runPieces<std::uint8_t>(pieces, arguments, filling, cores); break;
            case 2: runPieces<std::uint16_t>(pieces, arguments, filling, cores); break;
            case 4: runPieces<std::uint32_t>(pieces, arguments, filling, cores); break;
            default: runPieces<std::uint64_t>(pieces, arguments, filling, cores); break;
            }
        });
}

} // namespace weft::cpu
