// SPDX-License-Identifier: Apache-2.0
#include <weft/design.h>

#include <algorithm>

namespace weft {

const GroupDefinition* Design::group(std::string_view name) const {
    const auto found = std::ranges::find(groups, name, &GroupDefinition::name);
    return found == groups.end() ? nullptr : &*found;
}

const Layer* findLayer(const Network& network, LayerId id) {
    const auto found = std::ranges::find(network.layers, id, &Layer::id);
    return found == network.layers.end() ? nullptr : &*found;
}

const Layer* findLayer(const Network& network, std::string_view name) {
    const auto found = std::ranges::find(network.layers, name, &Layer::name);
    return found == network.layers.end() ? nullptr : &*found;
}

} // namespace weft
