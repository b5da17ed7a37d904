// SPDX-License-Identifier: Apache-2.0
#pragma once
// Maps a layer's full name as in spans and checkpoints ("block[2]/conv1") to the design's layer,
// and compares names with a selected layer. Pure.

#include <weft/edits.h>

#include <optional>
#include <string>
#include <string_view>

namespace weft::ui {

struct LayerPlace {
    NetworkPath path; ///< network that contains the layer
    LayerId layer;
    bool operator==(const LayerPlace&) const = default;
};

/// Returns std::nullopt if the design has no such layer.
[[nodiscard]] std::optional<LayerPlace> placeOf(const Design& design, std::string_view fullName);
/// Returns the layer of this network that has this name or contains the named layer; std::nullopt
/// if there is none.
[[nodiscard]] std::optional<LayerId> enclosingLayer(const Design& design, std::string_view fullName,
                                                    const NetworkPath& path);
/// True if the name denotes this layer, or a layer in any copy of this group.
[[nodiscard]] bool isWithin(const Design& design, std::string_view fullName,
                            const LayerPlace& place);

} // namespace weft::ui
