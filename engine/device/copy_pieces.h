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

/// What a kernel writes before it copies its pieces.
struct Filling {
    std::int64_t elements = 0; ///< number of elements, from the first of the result on
    std::uint64_t bits = 0;    ///< bits of each element
};

/// Returns the bits of a number as an element of that type; infinity gives the largest integer.
[[nodiscard]] std::uint64_t bitsOf(DType dtype, double number);

/// Makes a backend's kernel: fills the result, then copies the pieces. Pieces that are already in
/// place are not copied.
using PieceCopyMaker = std::function<KernelChoice(const KernelRequest&,
                                                  std::vector<CopyPiece> pieces, Filling filling)>;

/// Adds makers of concat, slice and pad, for any element type. The dims may have any order that all
/// operands and results share.
void addConcats(KernelList& list, const std::string& implementation, const PieceCopyMaker& copy);
/// Adds makers of flatten, unflatten, transpose, heads_apart and heads_together. `ofMaps`: the
/// format that the backend's convolutions prefer.
void addFlattens(KernelList& list, const std::string& implementation, const PieceCopyMaker& copy,
                 const Format& ofMaps);

} // namespace weft
