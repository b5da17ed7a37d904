// SPDX-License-Identifier: Apache-2.0
#include "runs/layer_place.h"

#include <functional>

namespace weft::ui {

namespace {

/// Removes the copy index: "block[2]" becomes "block".
std::string_view withoutCopy(std::string_view part) {
    const std::size_t bracket = part.find('[');
    return bracket == std::string_view::npos ? part : part.substr(0, bracket);
}

/// Visits the layers on the path, outermost first, until `take` returns true or the name ends.
bool walk(const Design& design, std::string_view fullName,
          const std::function<bool(const LayerPlace&, bool isLast)>& take) {
    NetworkPath path;
    while (!fullName.empty()) {
        const std::size_t slash = fullName.find('/');
        const bool isLast = slash == std::string_view::npos;
        const std::string_view part = withoutCopy(fullName.substr(0, slash));
        const Layer* layer = findLayer(networkAt(design, path), part);
        if (layer == nullptr) {
            return false;
        }
        if (take({path, layer->id}, isLast)) {
            return true;
        }
        if (isLast || design.group(layer->group) == nullptr) {
            return false;
        }
        path.group = layer->group;
        fullName.remove_prefix(slash + 1);
    }
    return false;
}

} // namespace

std::optional<LayerPlace> placeOf(const Design& design, std::string_view fullName) {
    std::optional<LayerPlace> found;
    walk(design, fullName, [&](const LayerPlace& place, bool isLast) {
        found = isLast ? std::optional(place) : std::nullopt;
        return isLast;
    });
    return found;
}

std::optional<LayerId> enclosingLayer(const Design& design, std::string_view fullName,
                                      const NetworkPath& path) {
    std::optional<LayerId> found;
    walk(design, fullName, [&](const LayerPlace& place, bool) {
        found = place.path == path ? std::optional(place.layer) : std::nullopt;
        return found.has_value();
    });
    return found;
}

bool isWithin(const Design& design, std::string_view fullName, const LayerPlace& place) {
    return walk(design, fullName, [&](const LayerPlace& at, bool) { return at == place; });
}

} // namespace weft::ui
