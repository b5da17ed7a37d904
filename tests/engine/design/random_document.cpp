// SPDX-License-Identifier: Apache-2.0
#include "random_document.h"

#include "design/names.h"

#include <set>

namespace weft::test {

namespace {

using rc::gen::arbitrary;
using rc::gen::element;
using rc::gen::inRange;

template <class T>
std::vector<T> someOf(const rc::Gen<T>& entry, std::size_t most) {
    return *rc::gen::resize(static_cast<int>(most), rc::gen::container<std::vector<T>>(entry));
}

double anyReal() { return static_cast<double>(*inRange(-4000, 4000)) / 8; }

Point anyPoint() { return {anyReal(), anyReal()}; }

Attributes anyAttributes() {
    Attributes attributes;
    for (const std::string& name :
         someOf(element<std::string>("units", "kernel", "as", "a b", "id"), 3)) {
        attributes.set(name, *anyAttributeValue());
    }
    return attributes;
}

std::string anyUnknown() {
    return *element<std::string>("", "", R"({"later":[1,{"x":null}]})", R"({"zz":"text"})");
}

Assignment anyAssignment() {
    Assignment assignment;
    for (int i = *inRange(0, 3); i > 0; --i) {
        assignment.words.push_back(static_cast<AxisWord>(*inRange(0, 8)));
    }
    assignment.devices = someOf(element<std::string>("cpu:0", "cpu:1", "cuda:0/1"), 3);
    if (!assignment.devices.empty() && *arbitrary<bool>()) {
        assignment.mesh = {*inRange<std::int64_t>(1, 4), *inRange<std::int64_t>(1, 4)};
    }
    return assignment;
}

Layer anyLayer(const std::vector<std::string>& groups) {
    Layer layer;
    layer.kind = *element<std::string>("dense", "conv2d", "relu", "add", "");
    if (!groups.empty() && *inRange(0, 3) == 0) {
        layer.kind = "group";
        layer.group = *rc::gen::elementOf(groups);
        layer.repeat = *inRange(1, 13);
    }
    layer.attributes = anyAttributes();
    if (*arbitrary<bool>()) {
        layer.expressions["units"] = *element<std::string>("4*256", "width", "2 +");
        // An expression that can be evaluated is stored with its value.
        if (layer.expressions["units"] == "4*256") {
            layer.attributes.set("units", *anyAttributeValue());
        }
    }
    layer.muted = *arbitrary<bool>();
    layer.bypassed = *arbitrary<bool>();
    layer.pinned = *arbitrary<bool>();
    if (*arbitrary<bool>()) {
        layer.assignment = anyAssignment();
    }
    layer.note = *anyText();
    layer.unknown = anyUnknown();
    return layer;
}

Endpoint anyEndpoint(const Network& network) {
    const auto index = *inRange<std::size_t>(0, network.layers.size());
    return {network.layers[index].id, *element<std::string>("x", "y", "x0", "")};
}

void addWires(Network& network) {
    std::set<Endpoint> ends;
    for (int i = *inRange(0, 8); i > 0 && !network.layers.empty(); --i) {
        Wire wire{anyEndpoint(network), anyEndpoint(network)};
        wire.scheme = *element<std::string>("", "", "whole");
        for (int points = *inRange(-2, 3); points > 0; --points) {
            wire.via.push_back(anyPoint());
        }
        wire.unknown = anyUnknown();
        if (wire.to.port.empty() || ends.insert(wire.to).second) {
            network.wires.push_back(wire);
        }
    }
}

std::vector<GroupPort> anyPorts(const Network& network, std::set<Endpoint>* fed) {
    std::vector<GroupPort> ports;
    for (int i = *inRange(0, 3); i > 0; --i) {
        GroupPort port{"p" + std::to_string(i), {}};
        for (int j = *inRange(0, fed == nullptr ? 2 : 3); j > 0 && !network.layers.empty(); --j) {
            const Endpoint endpoint = anyEndpoint(network);
            if (fed == nullptr || endpoint.port.empty() || fed->insert(endpoint).second) {
                port.inside.push_back(endpoint);
            }
        }
        ports.push_back(port);
    }
    return ports;
}

void addSettings(Design& design) {
    for (const std::string& name :
         someOf(element<std::string>("cpu:0", "cuda:0/1", "odd name"), 3)) {
        design.devices.push_back({.name = name,
                                  .cores = *inRange(0, 5),
                                  .colour = *inRange(-1, 4),
                                  .sheet = *element<std::string>("", "h200"),
                                  .unknown = anyUnknown()});
    }
    design.assignment = anyAssignment();
    design.data.source = *element<std::string>("", "idx", "digits");
    design.data.attributes = anyAttributes();
    design.data.feeds = {{"data", "images"}, {*anyText(), *anyText()}};
    design.data.batch = *inRange(1, 100);
    design.data.validation = anyReal();
    design.data.order = *element<std::string>("shuffled", "file");
    design.data.unknown = anyUnknown();
    design.training.optimizer = *element<std::string>("sgd", "adam", "");
    design.training.optimizerAttributes = anyAttributes();
    design.training.scheduleAttributes = anyAttributes();
    design.training.learningRate = anyReal();
    design.training.epochs = anyReal();
    design.training.targetMetric = *element<std::string>("", "accuracy");
    design.training.target = anyReal();
    design.training.seed = *inRange<std::int64_t>(-5, 5);
    design.training.unknown = anyUnknown();
}

} // namespace

rc::Gen<std::string> anyText() {
    return element<std::string>(
        "", "plain", "two\nlines", R"("quoted" -> \ )", "\xc3\xa4 \xe2\x82\xac",
        std::string("nul\0in", 6),
        "a text long enough to need a line of its own, and then some more of it, "
        "so that the layout has to break the object that it stands in somewhere "
        "before or behind it");
}

rc::Gen<AttributeValue> anyAttributeValue() {
    return rc::gen::exec([]() -> AttributeValue {
        switch (*inRange(0, 6)) {
        case 0: return *arbitrary<bool>();
        case 1: return *arbitrary<std::int64_t>();
        case 2: return *element(0.1, -1e300, 5e-324, 3.0, 1e15);
        case 3: return *anyText();
        case 4: return *arbitrary<std::vector<std::int64_t>>();
        default: return std::vector<double>{anyReal() + 0.01, anyReal()};
        }
    });
}

rc::Gen<Network> anyNetwork(const std::vector<std::string>& groups) {
    return rc::gen::exec([groups] {
        Network network;
        NameMaker names;
        std::uint32_t id = 0;
        // All are placed or none is: in a file where some are, the others are at the origin.
        const bool arePlaced = *arbitrary<bool>();
        for (int i = *inRange(0, 7); i > 0; --i) {
            Layer layer = anyLayer(groups);
            id += *inRange(1, 3);
            layer.id = LayerId{id};
            if (arePlaced) {
                layer.position = *arbitrary<bool>() ? anyPoint() : Point{};
            }
            layer.name = names.unique(
                *element<std::string>("conv", "conv1", "a.b", "a", "fc 6", "odd -> one", "x/y"));
            network.layers.push_back(layer);
        }
        addWires(network);
        for (int i = *inRange(0, 3); i > 0; --i) {
            Frame frame{*anyText(), anyPoint(), anyPoint()};
            frame.colour = *inRange(0, 3);
            for (const Layer& layer : network.layers) {
                if (*arbitrary<bool>()) {
                    frame.layers.push_back(layer.id);
                }
            }
            frame.unknown = anyUnknown();
            network.frames.push_back(frame);
            network.comments.push_back({*anyText(), anyPoint(), anyUnknown()});
        }
        return network;
    });
}

rc::Gen<Design> anyDesign() {
    return rc::gen::exec([] {
        Design design;
        design.name = *anyText();
        design.note = *anyText();
        std::vector<std::string> groups = {"block", "stem.2", "odd [group]"};
        groups.resize(*inRange<std::size_t>(0, 4));
        for (const std::string& name : groups) {
            GroupDefinition group;
            group.name = name;
            group.network = *anyNetwork(groups);
            std::set<Endpoint> fed;
            for (const Wire& wire : group.network.wires) {
                fed.insert(wire.to);
            }
            group.inputs = anyPorts(group.network, &fed);
            group.outputs = anyPorts(group.network, nullptr);
            group.parameters = anyAttributes();
            group.unknown = anyUnknown();
            design.groups.push_back(group);
        }
        design.network = *anyNetwork(groups);
        if (*arbitrary<bool>()) {
            addSettings(design);
        }
        design.unknown = anyUnknown();
        return design;
    });
}

} // namespace weft::test
