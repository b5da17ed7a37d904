// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fast lookups in a network while it is expanded: layers by id, the source of a port. Refers to the
// design, which must not change meanwhile.

#include "design/ports.h"
#include <weft/design.h>

#include <map>
#include <string_view>
#include <unordered_map>

namespace weft {

/// The source of a port: a wire or, inside a group, input number `port` of the group's definition.
struct IncomingWire {
    const Wire* wire = nullptr; ///< nullptr: an input of the group is the source
    std::size_t port = 0;       ///< index of that input; valid if there is no wire
};

class NetworkIndex {
public:
    explicit NetworkIndex(const Network& network, const GroupDefinition* group = nullptr);

    [[nodiscard]] const Network& network() const { return *network_; }
    [[nodiscard]] const GroupDefinition* group() const { return group_; } ///< nullptr: top level
    [[nodiscard]] const Layer* layer(LayerId id) const;
    [[nodiscard]] const Layer* layer(std::string_view name) const;
    [[nodiscard]] const IncomingWire* feed(const Endpoint& to) const; ///< nullptr: unconnected
    /// Returns the wires that end at a layer, in the order of the file.
    [[nodiscard]] const std::vector<const Wire*>& wiresInto(LayerId layer) const;
    /// Returns the ports of a layer that inputs of the group feed.
    [[nodiscard]] const std::vector<Endpoint>& portsFedByGroup(LayerId layer) const;

private:
    const Network* network_;
    const GroupDefinition* group_;
    std::unordered_map<LayerId, const Layer*> layersById_;
    std::unordered_map<std::string_view, const Layer*> layersByName_;
    std::unordered_map<LayerId, std::vector<const Wire*>> wiresInto_;
    std::unordered_map<LayerId, std::vector<Endpoint>> portsFedByGroup_;
    std::map<Endpoint, IncomingWire> sources_; ///< by the input port that they feed
};

} // namespace weft
