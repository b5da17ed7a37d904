// SPDX-License-Identifier: Apache-2.0
#include "lower/network_index.h"

namespace weft {

NetworkIndex::NetworkIndex(const Network& network, const GroupDefinition* group)
    : network_(&network), group_(group) {
    for (const Layer& layer : network.layers) {
        layersById_.emplace(layer.id, &layer);
        layersByName_.emplace(layer.name, &layer);
    }
    for (const Wire& wire : network.wires) {
        // If two wires enter one port, the first counts; the check reports the second.
        if (sources_.emplace(wire.to, IncomingWire{&wire, 0}).second) {
            wiresInto_[wire.to.layer].push_back(&wire);
        }
    }
    if (group == nullptr) {
        return;
    }
    for (std::size_t port = 0; port < group->inputs.size(); ++port) {
        for (const Endpoint& endpoint : group->inputs[port].inside) {
            if (sources_.emplace(endpoint, IncomingWire{nullptr, port}).second) {
                portsFedByGroup_[endpoint.layer].push_back(endpoint);
            }
        }
    }
}

const Layer* NetworkIndex::layer(LayerId id) const {
    const auto found = layersById_.find(id);
    return found == layersById_.end() ? nullptr : found->second;
}

const Layer* NetworkIndex::layer(std::string_view name) const {
    const auto found = layersByName_.find(name);
    return found == layersByName_.end() ? nullptr : found->second;
}

const IncomingWire* NetworkIndex::feed(const Endpoint& to) const {
    const auto found = sources_.find(to);
    return found == sources_.end() ? nullptr : &found->second;
}

const std::vector<const Wire*>& NetworkIndex::wiresInto(LayerId layer) const {
    static const std::vector<const Wire*> none;
    const auto found = wiresInto_.find(layer);
    return found == wiresInto_.end() ? none : found->second;
}

const std::vector<Endpoint>& NetworkIndex::portsFedByGroup(LayerId layer) const {
    static const std::vector<Endpoint> none;
    const auto found = portsFedByGroup_.find(layer);
    return found == portsFedByGroup_.end() ? none : found->second;
}

} // namespace weft
