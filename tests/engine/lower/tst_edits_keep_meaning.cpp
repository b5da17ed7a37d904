// SPDX-License-Identifier: Apache-2.0
// Edits that only rearrange a design (group, ungroup, rename, save and load) leave what it computes
// as it was.
#include "lower/expand.h"
#include "some_kinds.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/group_edits.h>

#include <rapidcheck.h>

#include <QTest>
#include <set>

using namespace weft;

namespace {

using rc::gen::arbitrary;
using rc::gen::inRange;

// Returns a hash per layer of its kind, its attributes and everything that feeds it, ignoring
// names.
std::multiset<std::size_t> meaning(const Design& design) {
    const ExpandedDesign expanded = expand(design, test::someKinds());
    std::vector<std::size_t> each;
    for (const ExpandedLayer& layer : expanded.layers) {
        std::string text = layer.kind + toString(layer.assignment);
        for (const auto& [name, value] : layer.attributes.entries()) {
            text += name + toString(value);
        }
        for (const ExpandedInput& input : layer.inputs) {
            text += input.port + std::to_string(each[input.from]) + input.fromPort;
        }
        each.push_back(std::hash<std::string>()(text));
    }
    return {each.begin(), each.end()};
}

// Each layer is fed by earlier ones only.
Design anyNetwork() {
    Design design;
    for (std::uint32_t i = 1; i <= *inRange<std::uint32_t>(2, 10); ++i) {
        Layer layer;
        layer.id = LayerId{i};
        layer.name = "l" + std::to_string(i);
        layer.kind =
            i == 1 ? "input" : *rc::gen::element<std::string>("dense", "relu", "add", "mask");
        layer.attributes.set(i == 1 ? "shape" : "units",
                             i == 1 ? AttributeValue(Shape{4}) : AttributeValue(std::int64_t{i}));
        if (layer.kind != "input" && layer.kind != "dense") {
            layer.attributes = {};
        }
        layer.bypassed = i > 1 && *inRange(0, 8) == 0;
        layer.muted = i > 1 && *inRange(0, 12) == 0;
        if (*inRange(0, 4) == 0) {
            layer.assignment = Assignment{.words = {AxisWord::data}};
        }
        const auto earlier = [&] { return Endpoint{LayerId{*inRange<std::uint32_t>(1, i)}, "y"}; };
        if (layer.kind == "add") {
            design.network.wires.push_back({earlier(), {layer.id, "x0"}});
            design.network.wires.push_back({earlier(), {layer.id, "x1"}});
        } else if (i > 1) {
            design.network.wires.push_back({earlier(), {layer.id, "x"}});
        }
        if (layer.kind == "mask" && *arbitrary<bool>()) {
            design.network.wires.push_back({earlier(), {layer.id, "mask"}});
        }
        design.network.layers.push_back(std::move(layer));
    }
    return design;
}

std::vector<LayerId> someLayers(const Network& network) {
    std::vector<LayerId> layers;
    for (const Layer& layer : network.layers) {
        if (*arbitrary<bool>()) {
            layers.push_back(layer.id);
        }
    }
    return layers;
}

NetworkPath anyPath(const Design& design) {
    const auto index = *inRange<std::size_t>(0, design.groups.size() + 1);
    return index == 0 ? NetworkPath{} : NetworkPath{design.groups[index - 1].name};
}

void rearrange(Design& design) {
    const NetworkPath path = anyPath(design);
    const std::vector<LayerId> layers = someLayers(networkAt(design, path));
    switch (*inRange(0, 5)) {
    case 0:
    case 1: makeGroup(design, path, layers, "block"); break;
    case 2:
        for (const LayerId layer : layers) {
            ungroup(design, path, {layer});
        }
        break;
    case 3:
        for (const LayerId layer : layers) {
            renameLayer(design, path, layer, "renamed");
        }
        break;
    default: design = parseDesign(toText(design)).design;
    }
}

} // namespace

class TestEditsKeepMeaning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rearrangingChangesNothingThatIsComputed() {
        QVERIFY(rc::check("rearranged designs mean the same", [] {
            Design design = anyNetwork();
            const auto before = meaning(design);
            RC_ASSERT(!before.empty());
            for (int step = *inRange(1, 8); step > 0; --step) {
                rearrange(design);
            }
            RC_ASSERT(meaning(design) == before);
        }));
    }

    void ungroupingARepeatChangesNothingThatIsComputed() {
        QVERIFY(rc::check("a repeat means its copies in a row", [] {
            Design design =
                test::designOf("'groups': [{'name': 'g', 'parameters': {'w': 3}, 'inputs': {'x': "
                               "['d.x', 's.x0'], 'm': 'k.mask'},"
                               "'outputs': {'y': 's.y'}, 'layers': [{'name': 'd', 'kind': 'dense', "
                               "'with': {'units': {'as': '2*w'}}},"
                               "{'name': 'k', 'kind': 'mask'}, {'name': 's', 'kind': 'add'}], "
                               "'wires': ['d.y -> k.x', 'k.y -> s.x1']}],"
                               "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}}, "
                               "{'name': 'g1', 'group': 'g', 'with': {'w': 5}},"
                               "{'name': 'end', 'kind': 'relu'}], 'wires': ['a.y -> g1.x', 'a.y -> "
                               "g1.m', 'g1.y -> end.x']");
            const LayerId instance = findLayer(design.network, "g1")->id;
            RC_ASSERT(setRepeat(design, {}, instance, *inRange(1, 5)).isDone());
            const auto before = meaning(design);
            RC_ASSERT(ungroup(design, {}, {instance}).isDone());
            RC_ASSERT(meaning(design) == before);
        }));
    }
};

std::unique_ptr<QObject> makeTestEditsKeepMeaning() {
    return std::make_unique<TestEditsKeepMeaning>();
}

#include "tst_edits_keep_meaning.moc"
