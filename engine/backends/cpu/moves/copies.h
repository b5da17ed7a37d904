// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernel of ops that only move elements.

#include "device/copy_pieces.h"

namespace weft::cpu {

[[nodiscard]] KernelChoice chooseCopyOfPieces(const KernelRequest& request,
                                              std::vector<CopyPiece> pieces, Filling filling);

} // namespace weft::cpu
