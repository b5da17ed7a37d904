// SPDX-License-Identifier: Apache-2.0
#include "design/edit/editing.h"
#include "design/file/document.h"
#include "design/names.h"
#include "design/ports.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

// Returns the given port, or the first that the layer's kind or group declares, or "x" or "y" if
// that is unknown.
std::string portOr(const std::string& given, const std::vector<PortInfo>* ports,
                   const char* otherwise) {
    if (!given.empty() || ports == nullptr || ports->empty()) {
        return given.empty() && ports == nullptr ? otherwise : given;
    }
    return ports->front().variadic ? variadicPort(ports->front().name, 0) : ports->front().name;
}

Edited noWireTo(const Network& network, const Endpoint& to) {
    return refused(fmt::format("no wire ends at {}", toString(network, to)),
                   "choose a wire of this network");
}

} // namespace

Edited connect(Design& design, const NetworkPath& path, Endpoint from, Endpoint to) {
    Network& network = networkAt(design, path);
    if (auto missing = missingLayer(network, {from.layer, to.layer})) {
        return *missing;
    }
    if (!isPortName(from.port) || !isPortName(to.port)) {
        return refused("a wire needs a port at both ends", "name both ports",
                       findLayer(network, isPortName(from.port) ? to.layer : from.layer));
    }
    const auto there = std::ranges::find(network.wires, to, &Wire::to);
    if (there != network.wires.end() && there->from == from) {
        return done({to.layer});
    }
    removeFeed(design, path, to);
    network.wires.push_back({std::move(from), std::move(to)});
    return done({network.wires.back().to.layer});
}

Edited disconnect(Design& design, const NetworkPath& path, const Endpoint& from,
                  const Endpoint& to) {
    Network& network = networkAt(design, path);
    const auto isThat = [&](const Wire& wire) { return wire.from == from && wire.to == to; };
    if (std::erase_if(network.wires, isThat) == 0) {
        return refused(fmt::format("there is no wire {}", toString(network, Wire{from, to})),
                       "choose a wire of this network");
    }
    return done({to.layer});
}

Edited setScheme(Design& design, const NetworkPath& path, const Endpoint& to, std::string scheme) {
    Network& network = networkAt(design, path);
    const auto wire = std::ranges::find(network.wires, to, &Wire::to);
    if (wire == network.wires.end()) {
        return noWireTo(network, to);
    }
    wire->scheme = std::move(scheme);
    return done({to.layer});
}

Edited setVia(Design& design, const NetworkPath& path, const Endpoint& to, std::vector<Point> via) {
    Network& network = networkAt(design, path);
    const auto wire = std::ranges::find(network.wires, to, &Wire::to);
    if (wire == network.wires.end()) {
        return noWireTo(network, to);
    }
    if (!std::ranges::all_of(via, isFinite)) {
        return notFinite();
    }
    wire->via = std::move(via);
    return done({to.layer});
}

Edited insertBefore(Design& design, const NetworkPath& path, const Endpoint& to, Layer layer,
                    const std::vector<LayerKindInfo>& kinds, const std::string& inputPort,
                    const std::string& outputPort) {
    Network& network = networkAt(design, path);
    GroupDefinition* group = definitionAt(design, path);
    const auto wire = std::ranges::find(network.wires, to, &Wire::to);
    GroupPort* fed = nullptr;
    if (group != nullptr) {
        for (GroupPort& port : group->inputs) {
            fed = std::ranges::find(port.inside, to) == port.inside.end() ? fed : &port;
        }
    }
    if (wire == network.wires.end() && fed == nullptr) {
        return refused(fmt::format("input {} has no wire", toString(network, to)),
                       "choose an input that has a wire");
    }
    const PortTable table(design, kinds);
    const LayerPorts* ports = table.of(layer);
    if (ports != nullptr && (ports->inputs.empty() || ports->outputs.empty())) {
        return refused(
            fmt::format("{} cannot be inserted into a wire: it lacks an input or an output",
                        layer.kind),
            "choose a layer with an input and an output");
    }
    const std::string input = portOr(inputPort, ports == nullptr ? nullptr : &ports->inputs, "x");
    const std::string output =
        portOr(outputPort, ports == nullptr ? nullptr : &ports->outputs, "y");
    const auto at = wire - network.wires.begin();
    Edited made = addLayer(design, path, std::move(layer));
    if (!made.isDone()) {
        return made;
    }
    if (at < static_cast<std::ptrdiff_t>(network.wires.size())) {
        // The old wire keeps its scheme, because it still ends at the consumer; its route is no
        // longer valid.
        Wire& old = network.wires[static_cast<std::size_t>(at)];
        old.via.clear();
        const Endpoint from = old.from;
        old.from = {made.layer(), output};
        network.wires.insert(network.wires.begin() + at, {from, {made.layer(), input}});
        return made;
    }
    std::ranges::replace(fed->inside, to, Endpoint{made.layer(), input});
    network.wires.push_back({{made.layer(), output}, to});
    return made;
}

Edited insertOnWire(Design& design, const NetworkPath& path, const Wire& wire, Layer layer,
                    const std::vector<LayerKindInfo>& kinds, const std::string& inputPort,
                    const std::string& outputPort) {
    const Network& network = networkAt(design, path);
    const auto there = std::ranges::find_if(network.wires, [&](const Wire& each) {
        return each.from == wire.from && each.to == wire.to;
    });
    if (there == network.wires.end()) {
        return refused(fmt::format("there is no wire {}", toString(network, wire)),
                       "choose a wire of this network");
    }
    return insertBefore(design, path, wire.to, std::move(layer), kinds, inputPort, outputPort);
}

} // namespace weft
