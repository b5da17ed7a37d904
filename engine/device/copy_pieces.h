// SPDX-License-Identifier: Apache-2.0
#pragma once
// Expresses ops that only move elements as box copies. The boxes and the order of the dims are the
// same for every backend; a backend only implements the copy.

#include "device/box_copy.h"
#include "device/kernel.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft {

/// A box copy with the offsets, in elements, of the box's first element.
struct CopyPiece {
    BoxCopy copy;
    std::size_t input = 0; ///< index of the operand to copy from
    std::int64_t from = 0; ///< offset in the operand, in elements
    std::int64_t to = 0;   ///< offset in the result, in elements
};

/// Makes a backend's kernel: zeroes the first `zeroed` elements of the result, then copies the
/// pieces. Pieces that are already in place are not copied.
using PieceCopyMaker = std::function<KernelChoice(
    const KernelRequest&, std::vector<CopyPiece> pieces, std::int64_t zeroed)>;

/// Adds makers of concat, slice and pad, for any element type. The dims may have any order that all
/// operands and results share.
void addConcats(KernelList& list, const std::string& implementation, const PieceCopyMaker& copy);
/// Adds makers of flatten, unflatten, heads_apart and heads_together. `ofMaps`: the format that the
/// backend's convolutions prefer.
void addFlattens(KernelList& list, const std::string& implementation, const PieceCopyMaker& copy,
                 const Format& ofMaps);

} // namespace weft
