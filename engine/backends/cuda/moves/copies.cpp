// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/moves/copies.h"

#include "backends/cuda/kernels/box_copy.h"

#include <algorithm>

namespace weft::cuda {

namespace {

bool isHalved(const TensorPart& part) { return part.format.isHalved(); }

ChoiceOrRefusal chooseMoveOfBf16(const KernelRequest& request, const KernelMaker& maker) {
    ChoiceOrRefusal choice = maker.choose(withBf16AsItLies(request));
    const auto halve = [](std::vector<Format>& formats, const std::vector<TensorPart>& parts) {
        for (std::size_t k = 0; k < formats.size(); ++k) {
            formats[k] = halved(formats[k], parts[k].shape.size());
        }
    };
    if (choice) {
        halve(choice->inputFormats, request.inputs);
        halve(choice->outputFormats, request.outputs);
    }
    return choice;
}

} // namespace

KernelRequest withBf16AsItLies(const KernelRequest& request) {
    KernelRequest asked = request;
    for (auto* parts : {&asked.inputs, &asked.outputs}) {
        for (TensorPart& part : *parts) {
            part.dtype = DType::bf16;
            part.format = widened(part.format);
        }
    }
    return asked;
}

KernelChoice chooseCopyOfPieces(const KernelRequest& request, std::vector<CopyPiece> pieces,
                                Filling filling) {
    const std::size_t size = byteSize(request.outputs[0].dtype);
    return choiceOf([=, pieces = std::move(pieces)](const KernelArguments& arguments) {
        auto* const y = output<std::byte>(arguments, 0);
        if (filling.elements > 0) {
            launchFill(filling.bits, size, y, filling.elements, streamOf(arguments));
        }
        for (const CopyPiece& piece : pieces) {
            const auto* const from = input<std::byte>(arguments, piece.input) +
                                     static_cast<std::size_t>(piece.from) * size;
            auto* const to = y + static_cast<std::size_t>(piece.to) * size;
            if (from != to) {
                launchBoxCopy(piece.copy, size, from, to, streamOf(arguments));
            }
        }
    });
}

void addMoves(KernelList& list, const std::function<void(KernelList&)>& add) {
    KernelList makers;
    add(makers);
    for (const std::string& op : makers.ops()) {
        for (const KernelMaker& maker : makers.ownOf(op)) {
            KernelMaker both = maker; // uses the maker for f32 if not all operands are bf16
            both.takesBf16 = true;
            both.choose = [maker](const KernelRequest& request) {
                const bool areBf16 =
                    std::ranges::all_of(request.inputs, isHalved) &&
                    (request.mayChooseFormats || std::ranges::all_of(request.outputs, isHalved));
                return areBf16 ? chooseMoveOfBf16(request, maker) : maker.choose(request);
            };
            list.add(std::move(both));
        }
    }
}

} // namespace weft::cuda
