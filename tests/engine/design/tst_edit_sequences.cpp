// SPDX-License-Identifier: Apache-2.0
// Whatever is done to a design, in whatever order, it keeps its promises; what is refused changes
// nothing.
#include "design/edit/verify.h"
#include "random_document.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/group_edits.h>

#include <QTest>
#include <algorithm>

using namespace weft;

namespace {

using rc::gen::arbitrary;
using rc::gen::element;
using rc::gen::inRange;

/// Where some layers of a network have a place, a file says [0, 0] of the others.
Design asRead(Design design) {
    const auto settle = [](Network& network) {
        const bool areSome = std::ranges::any_of(
            network.layers, [](const Layer& layer) { return layer.position.has_value(); });
        for (Layer& layer : network.layers) {
            layer.position = areSome ? layer.position.value_or(Point{}) : layer.position;
        }
    };
    settle(design.network);
    for (GroupDefinition& group : design.groups) {
        settle(group.network);
    }
    return design;
}

NetworkPath anyPath(const Design& design) {
    const auto index = *inRange<std::size_t>(0, design.groups.size() + 1);
    return index == 0 ? NetworkPath{} : NetworkPath{design.groups[index - 1].name};
}

LayerId anyLayerOf(const Network& network) {
    return network.layers.empty() || *inRange(0, 30) == 0
               ? LayerId{4711}
               : network.layers[*inRange<std::size_t>(0, network.layers.size())].id;
}

std::vector<LayerId> someLayersOf(const Network& network) {
    std::vector<LayerId> layers;
    for (int i = *inRange(0, 4); i > 0; --i) {
        layers.push_back(anyLayerOf(network));
    }
    return layers;
}

Endpoint anyEnd(const Network& network) {
    return {anyLayerOf(network), *element<std::string>("x", "y", "x1", "")};
}

std::string anyName() {
    return *element<std::string>("a", "conv", "conv1", "b.c", "block", "x/y", "", "g 2");
}

std::string anyGroupName(const Design& design) {
    return design.groups.empty()
               ? "none"
               : design.groups[*inRange<std::size_t>(0, design.groups.size())].name;
}

Point anyOffset() { return {static_cast<double>(*inRange(-50, 50)), 10}; }

Edited editLayers(Design& design, const NetworkPath& path) {
    const Network& network = networkAt(design, path);
    switch (*inRange(0, 11)) {
    case 0:
        return addLayer(design, path,
                        {.name = anyName(), .kind = *element<std::string>("relu", "dense")});
    case 1: return removeLayers(design, path, someLayersOf(network));
    case 2: return dissolve(design, path, someLayersOf(network));
    case 3: return renameLayer(design, path, anyLayerOf(network), anyName());
    case 4:
        return setExpression(design, path, anyLayerOf(network), "units",
                             *element<std::string>("2*3", "as*2", "1/0", "("));
    case 5:
        return setAttribute(design, path, anyLayerOf(network), "units", *test::anyAttributeValue());
    case 6: return moveLayers(design, path, someLayersOf(network), anyOffset());
    case 7: return setBypassed(design, path, someLayersOf(network), *arbitrary<bool>());
    case 8: return setPinned(design, path, someLayersOf(network), *arbitrary<bool>());
    case 9:
        return setKind(design, path, anyLayerOf(network), *element<std::string>("relu", "group"));
    default:
        return assign(design, path, someLayersOf(network), Assignment{.mesh = {*inRange(0, 3)}});
    }
}

Edited editWires(Design& design, const NetworkPath& path) {
    const Network& network = networkAt(design, path);
    switch (*inRange(0, 6)) {
    case 0: return disconnect(design, path, anyEnd(network), anyEnd(network));
    case 1: return insertBefore(design, path, anyEnd(network), {.kind = "relu"});
    case 2: return setScheme(design, path, anyEnd(network), "whole");
    case 3: return setVia(design, path, anyEnd(network), {anyOffset(), anyOffset()});
    default: return connect(design, path, anyEnd(network), anyEnd(network));
    }
}

Edited editGroups(Design& design, const NetworkPath& path) {
    const Network& network = networkAt(design, path);
    const auto side = *element(PortSide::input, PortSide::output);
    switch (*inRange(0, 12)) {
    case 0:
    case 1: return makeGroup(design, path, someLayersOf(network), anyName());
    case 2:
    case 3: return ungroup(design, path, {anyLayerOf(network)});
    case 4: return duplicate(design, path, someLayersOf(network), anyOffset(), *arbitrary<bool>());
    case 5: return setRepeat(design, path, anyLayerOf(network), *inRange(0, 4));
    case 6: return addInstance(design, path, anyGroupName(design), anyOffset());
    case 7: return giveOwnDefinition(design, path, anyLayerOf(network));
    case 8: return renameGroup(design, anyGroupName(design), anyName());
    case 9: {
        const std::string group = anyGroupName(design);
        return setPort(design, group, side, anyName(),
                       hasNetwork(design, {group}) ? std::vector{anyEnd(networkAt(design, {group}))}
                                                   : std::vector<Endpoint>());
    }
    case 10:
        return renamePort(design, anyGroupName(design), side, *element<std::string>("p1", "x"),
                          anyName());
    default:
        return removePort(design, anyGroupName(design), side,
                          *element<std::string>("p1", "x", "y"));
    }
}

Edited editText(Design& design, const NetworkPath& path) {
    const NetworkPath source = anyPath(design);
    const std::string text = copyText(design, source, someLayersOf(networkAt(design, source)));
    return paste(design, path, text, anyOffset());
}

Edited anyEdit(Design& design) {
    const NetworkPath path = anyPath(design);
    switch (*inRange(0, 7)) {
    case 0: return editText(design, path);
    case 1:
    case 2: return editWires(design, path);
    case 3:
    case 4: return editGroups(design, path);
    default: return editLayers(design, path);
    }
}

} // namespace

class TestEditSequences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anySequenceOfEditsKeepsTheDesignWhole() {
        QVERIFY(rc::check("every edit is whole or refused", [] {
            Design design = *test::anyDesign();
            for (int step = *inRange(1, 20); step > 0; --step) {
                const Design before = design;
                const Edited edited = anyEdit(design);
                const std::string broken = brokenInvariant(design);
                RC_ASSERT(broken == std::string());
                if (!edited.isDone()) {
                    RC_ASSERT(design == before);
                    RC_ASSERT(!edited.refusal->text.empty() && !edited.refusal->fix.text.empty());
                }
                if (design.groups.size() > 30 || design.network.layers.size() > 200) {
                    break;
                }
            }
            RC_ASSERT(parseDesign(toText(design)).design == asRead(design));
        }));
    }
};

std::unique_ptr<QObject> makeTestEditSequences() { return std::make_unique<TestEditSequences>(); }

#include "tst_edit_sequences.moc"
