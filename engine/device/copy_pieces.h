// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ops that but move elements, as boxes that are copied. Which go where, and in which order of the
// dims, is the same for every backend, which only copies them.

#include "device/box_copy.h"
#include "device/kernel.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft {

/// A box, with the offsets in elements of its first.
struct CopyPiece {
    BoxCopy copy;
    std::size_t input = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
};

/// A backend's kernel: the first `zeroed` elements of the result become zero, then the pieces are
/// copied. What lies where it belongs stays.
using CopyPieces = std::function<KernelChoice(const KernelRequest&, std::vector<CopyPiece> pieces,
                                              std::int64_t zeroed)>;

/// Makers of concat, slice and pad: any element type, any one order of the dims.
void addConcats(KernelList& list, const std::string& implementation, const CopyPieces& copy);
/// Makers of flatten, unflatten, heads_apart and heads_together. `ofMaps`: in which the backend's
/// convolutions like their maps best.
void addFlattens(KernelList& list, const std::string& implementation, const CopyPieces& copy,
                 const Format& ofMaps);

} // namespace weft
