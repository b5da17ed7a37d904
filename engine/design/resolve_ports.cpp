// SPDX-License-Identifier: Apache-2.0
#include "design/ports.h"

#include <set>
#include <unordered_map>

namespace weft {

namespace {

// Sets the ports that the ends of a network's wires leave out.
class Resolution {
public:
    Resolution(const PortTable& table, const Network& network) : table_(table) {
        for (const Layer& layer : network.layers) {
            layers_.emplace(layer.id, &layer);
        }
        for (const Wire& wire : network.wires) {
            taken_.insert(wire.to);
        }
    }

    void take(const std::vector<GroupPort>& inputs) {
        for (const GroupPort& port : inputs) {
            taken_.insert(port.inside.begin(), port.inside.end());
        }
    }

    void giveOutput(Endpoint& endpoint) const {
        const LayerPorts* ports = table_.of(*layers_.at(endpoint.layer));
        if (endpoint.port.empty() && ports != nullptr && ports->outputs.size() == 1 &&
            !ports->outputs.front().variadic) {
            endpoint.port = ports->outputs.front().name;
        }
    }

    void giveInput(Endpoint& endpoint) {
        const LayerPorts* ports = table_.of(*layers_.at(endpoint.layer));
        const PortInfo* meant =
            endpoint.port.empty() && ports != nullptr ? onlyInput(*ports) : nullptr;
        if (meant == nullptr) {
            return;
        }
        endpoint.port = meant->variadic ? nextOf(endpoint.layer, meant->name) : meant->name;
        if (!taken_.insert(endpoint).second) {
            endpoint.port.clear();
        }
    }

private:
    static const PortInfo* onlyInput(const LayerPorts& ports) {
        const PortInfo* meant = nullptr;
        for (const PortInfo& port : ports.inputs) {
            if (!port.optional) {
                if (meant != nullptr) {
                    return nullptr;
                }
                meant = &port;
            }
        }
        return meant == nullptr && ports.inputs.size() == 1 ? &ports.inputs.front() : meant;
    }

    std::string nextOf(LayerId layer, const std::string& stem) {
        std::size_t& next = next_[layer];
        while (taken_.contains({layer, variadicPort(stem, next)})) {
            ++next;
        }
        return variadicPort(stem, next);
    }

    const PortTable& table_;
    std::unordered_map<LayerId, const Layer*> layers_;
    std::unordered_map<LayerId, std::size_t> next_;
    std::set<Endpoint> taken_;
};

} // namespace

void resolvePorts(Design& design, const std::vector<LayerKindInfo>& kinds) {
    // Names of layers, groups and group ports do not change, so the table stays valid.
    const PortTable table(design, kinds);
    for (GroupDefinition& group : design.groups) {
        Resolution resolution(table, group.network);
        resolution.take(group.inputs);
        for (Wire& wire : group.network.wires) {
            resolution.giveOutput(wire.from);
            resolution.giveInput(wire.to);
        }
        for (GroupPort& port : group.inputs) {
            for (Endpoint& endpoint : port.inside) {
                resolution.giveInput(endpoint);
            }
        }
        for (GroupPort& port : group.outputs) {
            for (Endpoint& endpoint : port.inside) {
                resolution.giveOutput(endpoint);
            }
        }
    }
    Resolution resolution(table, design.network);
    for (Wire& wire : design.network.wires) {
        resolution.giveOutput(wire.from);
        resolution.giveInput(wire.to);
    }
}

} // namespace weft
