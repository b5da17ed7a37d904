// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is asked of a network again and again while it is expanded: layers by id, what feeds a port.
// Points into the design, which may not change meanwhile.

#include "design/ports.h"
#include <weft/design.h>

#include <map>
#include <string_view>
#include <unordered_map>

namespace weft {

/// A port of a group's instance from inside: input number `port` of the definition.
struct IncomingWire {
    const Wire* wire = nullptr;
    std::size_t port = 0; ///< where there is no wire
};

class NetworkIndex {
public:
    explicit NetworkIndex(const Network& network, const GroupDefinition* group = nullptr);

    [[nodiscard]] const Network& network() const { return *network_; }
    [[nodiscard]] const GroupDefinition* group() const { return group_; }
    [[nodiscard]] const Layer* layer(LayerId id) const;
    [[nodiscard]] const Layer* layer(std::string_view name) const;
    /// The wire, or the group's input, that ends at a port; nullptr where none does.
    [[nodiscard]] const IncomingWire* feed(const Endpoint& to) const;
    /// Wires that end at a layer, in the order of the file.
    [[nodiscard]] const std::vector<const Wire*>& wiresInto(LayerId layer) const;
    /// Ports of a layer that inputs of the group feed.
    [[nodiscard]] const std::vector<Endpoint>& portsFedByGroup(LayerId layer) const;

private:
    const Network* network_;
    const GroupDefinition* group_;
    std::unordered_map<LayerId, const Layer*> layers_;
    std::unordered_map<std::string_view, const Layer*> named_;
    std::unordered_map<LayerId, std::vector<const Wire*>> wires_;
    std::unordered_map<LayerId, std::vector<Endpoint>> grouped_;
    std::map<Endpoint, IncomingWire> feeds_;
};

} // namespace weft
