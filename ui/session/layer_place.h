// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a layer's full name, as spans and checkpoints carry it ("block[2]/conv1"), to the layer of
// the design, and back from what is selected. Pure.

#include <weft/edits.h>

#include <optional>
#include <string>
#include <string_view>

namespace weft::ui {

struct LayerPlace {
    NetworkPath path;
    LayerId layer;
    bool operator==(const LayerPlace&) const = default;
};

/// Nothing where the design has no such layer.
[[nodiscard]] std::optional<LayerPlace> placeOf(const Design& design, std::string_view fullName);
/// The layer of one network that the named one is, or lies within; nothing where it is elsewhere.
[[nodiscard]] std::optional<LayerId> placeWithin(const Design& design, std::string_view fullName,
                                                 const NetworkPath& path);
/// Whether the named layer is that one, or lies within it where that one is a group; any copy.
[[nodiscard]] bool isWithin(const Design& design, std::string_view fullName,
                            const LayerPlace& place);

} // namespace weft::ui
