// SPDX-License-Identifier: Apache-2.0
#include "lower/network_index.h"

namespace weft {

NetworkIndex::NetworkIndex(const Network& network, const GroupDefinition* group)
    : network_(&network), group_(group) {
    for (const Layer& layer : network.layers) {
        layers_.emplace(layer.id, &layer);
        named_.emplace(layer.name, &layer);
    }
    for (const Wire& wire : network.wires) {
        // If two wires enter one port, the first counts; the check reports the second.
        if (feeds_.emplace(wire.to, IncomingWire{&wire, 0}).second) {
            wires_[wire.to.layer].push_back(&wire);
        }
    }
    if (group == nullptr) {
        return;
    }
    for (std::size_t port = 0; port < group->inputs.size(); ++port) {
        for (const Endpoint& endpoint : group->inputs[port].inside) {
            if (feeds_.emplace(endpoint, IncomingWire{nullptr, port}).second) {
                grouped_[endpoint.layer].push_back(endpoint);
            }
        }
    }
}

const Layer* NetworkIndex::layer(LayerId id) const {
    const auto found = layers_.find(id);
    return found == layers_.end() ? nullptr : found->second;
}

const Layer* NetworkIndex::layer(std::string_view name) const {
    const auto found = named_.find(name);
    return found == named_.end() ? nullptr : found->second;
}

const IncomingWire* NetworkIndex::feed(const Endpoint& to) const {
    const auto found = feeds_.find(to);
    return found == feeds_.end() ? nullptr : &found->second;
}

const std::vector<const Wire*>& NetworkIndex::wiresInto(LayerId layer) const {
    static const std::vector<const Wire*> none;
    const auto found = wires_.find(layer);
    return found == wires_.end() ? none : found->second;
}

const std::vector<Endpoint>& NetworkIndex::portsFedByGroup(LayerId layer) const {
    static const std::vector<Endpoint> none;
    const auto found = grouped_.find(layer);
    return found == grouped_.end() ? none : found->second;
}

} // namespace weft
