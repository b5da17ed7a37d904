// SPDX-License-Identifier: Apache-2.0
#pragma once
// Removes several wires in one edit.

#include <weft/edits.h>

#include <vector>

namespace weft::ui {

inline Edited removeWires(Design& design, const NetworkPath& path, const std::vector<Wire>& wires) {
    Edited edited;
    for (const Wire& wire : wires) {
        edited = weft::disconnect(design, path, wire.from, wire.to);
    }
    return edited;
}

} // namespace weft::ui
