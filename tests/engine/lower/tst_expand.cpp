// SPDX-License-Identifier: Apache-2.0
#include "lower/expand.h"
#include "some_kinds.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;

namespace {

ExpandedDesign expanded(std::string_view text) {
    return expand(test::designOf(text), test::someKinds());
}

// "fc<a.y relu<fc.y": layers in order and what feeds them.
QString flow(const ExpandedDesign& design) {
    QStringList layers;
    for (const ExpandedLayer& layer : design.layers) {
        QStringList inputs;
        for (const ExpandedInput& input : layer.inputs) {
            const bool isPlain = input.port == "x";
            inputs << QString::fromStdString((isPlain ? "" : input.port + "=") +
                                             design.layers.at(input.from).name + "." +
                                             input.fromPort);
        }
        layers << QString::fromStdString(layer.name) +
                      (inputs.isEmpty() ? QString() : "<" + inputs.join(","));
    }
    return layers.join(" ");
}

QString said(const ExpandedDesign& design) {
    QStringList texts;
    for (const Diagnostic& problem : design.problems) {
        texts << QString::fromStdString(toString(problem));
    }
    return texts.join(" | ");
}

const ExpandedLayer& layerOf(const ExpandedDesign& design, std::string_view name) {
    for (const ExpandedLayer& layer : design.layers) {
        if (layer.name == name) {
            return layer;
        }
    }
    throw std::invalid_argument("no layer " + std::string(name));
}

constexpr const char* block =
    "'groups': [{'name': 'block', 'parameters': {'width': 8}, 'inputs': {'x': 'fc.x'},"
    "  'outputs': {'y': 'act.y'}, 'layers': ["
    "    {'name': 'fc', 'kind': 'dense', 'with': {'units': {'as': '2*width'}}},"
    "    {'name': 'act', 'kind': 'relu'}], 'wires': ['fc.y -> act.x']}],";

} // namespace

class TestExpand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ordersLayersAsTheyCanBeComputed() {
        const ExpandedDesign design =
            expanded("'layers': [{'name': 'b', 'kind': 'relu'}, {'name': 'c', 'kind': 'relu'},"
                     "{'name': 'a', 'kind': 'input', 'with': {'shape': []}}],"
                     "'wires': ['b.y -> c.x', 'a.y -> b.x']");
        QCOMPARE(said(design), QString());
        QCOMPARE(flow(design), QString("a b<a.y c<b.y"));
        QCOMPARE(design.layers[1].origin, (Origin{LayerId{1}, 0}));
    }

    void completesAndEvaluatesAttributes() {
        const ExpandedDesign design = expanded(
            "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}},"
            "{'name': 'fc', 'kind': 'dense', 'with': {'units': {'as': '4*256', 'value': 3},"
            "'stride': 2, 'rate': 1}}], 'wires': ['a.y -> fc.x']");
        QCOMPARE(said(design), QString());
        const Attributes& attributes = layerOf(design, "fc").attributes;
        QCOMPARE(attributes.integer("units"), 1024);
        QCOMPARE(attributes.boolean("bias"), true);
        QCOMPARE(attributes.real("rate"), 1.0);
        QCOMPARE(attributes.integers("stride"), (Shape{2, 2}));
    }

    void givesEveryInstanceLayersOfItsOwn() {
        const ExpandedDesign design =
            expanded(std::string(block) +
                     "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}},"
                     "{'name': 'one', 'kind': 'group', 'group': 'block'},"
                     "{'name': 'two', 'kind': 'group', 'group': 'block', 'with': {'width': 3}}],"
                     "'wires': ['a.y -> one.x', 'one.y -> two.x']");
        QCOMPARE(said(design), QString());
        QCOMPARE(flow(design), QString("a one/fc<a.y one/act<one/fc.y two/fc<one/act.y "
                                       "two/act<two/fc.y"));
        QCOMPARE(layerOf(design, "one/fc").attributes.integer("units"), 16);
        QCOMPARE(layerOf(design, "two/fc").attributes.integer("units"), 6);
        QVERIFY(layerOf(design, "one/fc").origin.layer == layerOf(design, "two/fc").origin.layer);
        QVERIFY(layerOf(design, "one/fc").origin != layerOf(design, "two/fc").origin);
    }

    void repeatsInARow() {
        const ExpandedDesign design =
            expanded(std::string(block) +
                     "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}},"
                     "{'name': 'b', 'kind': 'group', 'group': 'block', 'repeat': 3},"
                     "{'name': 'end', 'kind': 'relu'}], 'wires': ['a.y -> b.x', 'b.y -> end.x']");
        QCOMPARE(said(design), QString());
        QCOMPARE(flow(design),
                 QString("a b[1]/fc<a.y b[1]/act<b[1]/fc.y b[2]/fc<b[1]/act.y b[2]/act<b[2]/fc.y "
                         "b[3]/fc<b[2]/act.y b[3]/act<b[3]/fc.y end<b[3]/act.y"));
    }

    void givesEveryCopyTheInputsThatNoOutputReaches() {
        const ExpandedDesign design =
            expanded("'groups': [{'name': 'g', 'inputs': {'x': 'm.x', 'mask': 'm.mask'},"
                     "'outputs': {'y': 'm.y'}, 'layers': [{'name': 'm', 'kind': 'mask'}]}],"
                     "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}},"
                     "{'name': 'k', 'kind': 'input', 'with': {'shape': [4]}},"
                     "{'name': 'b', 'kind': 'group', 'group': 'g', 'repeat': 2}],"
                     "'wires': ['a.y -> b.x', 'k.y -> b.mask']");
        QCOMPARE(said(design), QString());
        QCOMPARE(flow(design), QString("a k b[1]/m<a.y,mask=k.y b[2]/m<b[1]/m.y,mask=k.y"));
    }

    void nestsGroups() {
        const ExpandedDesign design = expanded(
            "'groups': [{'name': 'outer', 'parameters': {'w': 2}, 'inputs': {'x': 'i.x'}, "
            "'outputs': {'y': 'i.y'},"
            "'layers': [{'name': 'i', 'kind': 'group', 'group': 'inner', 'repeat': 2, 'with': "
            "{'u': {'as': 'w+1'}}}]},"
            "{'name': 'inner', 'parameters': {'u': 1}, 'inputs': {'x': 'fc.x'}, 'outputs': {'y': "
            "'fc.y'},"
            "'layers': [{'name': 'fc', 'kind': 'dense', 'with': {'units': {'as': 'u*10'}}}]}],"
            "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}},"
            "{'name': 'o', 'kind': 'group', 'group': 'outer', 'with': {'w': 5}, 'assign': 'data'}],"
            "'wires': ['a.y -> o.x']");
        QCOMPARE(said(design), QString());
        QCOMPARE(flow(design), QString("a o/i[1]/fc<a.y o/i[2]/fc<o/i[1]/fc.y"));
        QCOMPARE(layerOf(design, "o/i[2]/fc").attributes.integer("units"), 60);
        QVERIFY(layerOf(design, "o/i[2]/fc").isAssigned);
        QCOMPARE(layerOf(design, "o/i[2]/fc").assignment.words, std::vector{AxisWord::data});
        QVERIFY(!layerOf(design, "a").isAssigned);
    }

    void handsThroughWhatIsBypassed() {
        const ExpandedDesign design = expanded(
            std::string(block) +
            "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}},"
            "{'name': 'r', 'kind': 'relu', 'bypassed': true},"
            "{'name': 'g', 'kind': 'group', 'group': 'block', 'bypassed': true, 'repeat': 2},"
            "{'name': 's', 'kind': 'add', 'bypassed': true},"
            "{'name': 'end', 'kind': 'relu'}],"
            "'wires': ['a.y -> r.x', 'r.y -> g.x', 'g.y -> s.x1', 'a.y -> s.x2', 's.y -> end.x']");
        QCOMPARE(said(design), QString());
        QCOMPARE(flow(design), QString("a end<a.y"));
    }

    void leavesOutWhatOnlyAMutedLayerFeeds() {
        const ExpandedDesign design =
            expanded("'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}},"
                     "{'name': 'm', 'kind': 'relu', 'muted': true}, {'name': 'n', 'kind': 'relu'},"
                     "{'name': 's', 'kind': 'add'}, {'name': 'l', 'kind': 'loss'},"
                     "{'name': 'k', 'kind': 'mask'}],"
                     "'wires': ['a.y -> m.x', 'm.y -> n.x', 'a.y -> s.x0', 'n.y -> s.x1',"
                     "'n.y -> l.x', 'a.y -> l.target', 'a.y -> k.x', 'm.y -> k.mask']");
        QCOMPARE(said(design), QString());
        QCOMPARE(flow(design), QString("a s<x0=a.y k<a.y"));
    }

    void putsInputsInTheOrderOfThePorts() {
        const ExpandedDesign design =
            expanded("'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}}, {'name': "
                     "'s', 'kind': 'add'},"
                     "{'name': 'l', 'kind': 'loss'}],"
                     "'wires': ['a.y -> s.x10', 'a.y -> s.x2', 'a.y -> l.target', 's.y -> l.x']");
        QCOMPARE(flow(design), QString("a s<x2=a.y,x10=a.y l<s.y,target=a.y"));
    }

    void resolvesSharedWeightsInsideTheCopy() {
        const ExpandedDesign design = expanded(
            "'groups': [{'name': 'g', 'inputs': {'x': 'p.x'}, 'outputs': {'y': 'q.y'}, 'layers': ["
            "{'name': 'p', 'kind': 'dense', 'with': {'units': 4}},"
            "{'name': 'q', 'kind': 'dense', 'with': {'units': 4, 'share': 'p'}},"
            "{'name': 'o', 'kind': 'dense', 'with': {'units': 4, 'share': 'top'}}],"
            "'wires': ['p.y -> q.x', 'p.y -> o.x']}],"
            "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}},"
            "{'name': 'top', 'kind': 'dense', 'with': {'units': 4}},"
            "{'name': 'b', 'kind': 'group', 'group': 'g', 'repeat': 2}],"
            "'wires': ['a.y -> top.x', 'top.y -> b.x']");
        QCOMPARE(said(design), QString());
        QCOMPARE(layerOf(design, "b[2]/q").attributes.text("share"), std::string("b[2]/p"));
        QCOMPARE(layerOf(design, "b[2]/o").attributes.text("share"), std::string("top"));
    }

    void namesEveryCycle() {
        const ExpandedDesign design = expanded(
            "'layers': [{'name': 'a', 'kind': 'relu'}, {'name': 'b', 'kind': 'relu'},"
            "{'name': 'c', 'kind': 'relu'}, {'name': 'd', 'kind': 'relu'}, {'name': 'e', 'kind': "
            "'relu'}],"
            "'wires': ['a.y -> b.x', 'b.y -> c.x', 'c.y -> a.x', 'b.y -> d.x', 'e.y -> e.x']");
        QCOMPARE(said(design),
                 QString("E011 a: cycle: a -> b -> c -> a: remove the wire c.y -> a.x | "
                         "E011 e: cycle: e -> e: remove the wire e.y -> e.x"));
        QCOMPARE(design.problems[0].fix.edits,
                 (std::vector<FixEdit>{{"disconnect", {"c.y -> a.x"}}}));
        QVERIFY(design.layers.empty());
    }

    void namesACircleOfBypassedLayers() {
        const ExpandedDesign design = expanded(
            "'layers': [{'name': 'a', 'kind': 'relu', 'bypassed': true},"
            "{'name': 'b', 'kind': 'relu', 'bypassed': true}, {'name': 'c', 'kind': 'relu'}],"
            "'wires': ['a.y -> b.x', 'b.y -> a.x', 'b.y -> c.x']");
        QVERIFY(said(design).startsWith("E011 b: bypassed layers"));
        QVERIFY(design.layers.empty());
    }

    void refusesAGroupThatContainsItself() {
        const ExpandedDesign design =
            expanded("'groups': [{'name': 'p', 'inputs': {'x': 'q.x'}, 'outputs': {'y': 'q.y'}, "
                     "'layers': [{'name': 'q', 'kind': 'group', 'group': 'r'}]},"
                     "{'name': 'r', 'inputs': {'x': 's.x'}, 'outputs': {'y': 's.y'}, 'layers': "
                     "[{'name': 's', 'kind': 'group', 'group': 'p'}]}],"
                     "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}}, {'name': "
                     "'g', 'kind': 'group', 'group': 'p'}], 'wires': ['a.y -> g.x']");
        QCOMPARE(said(design),
                 QString("E022 g/q/s.group: group p would contain itself: p -> r -> p: "
                         "remove this instance"));
    }

    void refusesToGrowWithoutEnd() {
        std::string text = "'groups': [";
        for (int i = 0; i < 6; ++i) {
            text += "{'name': 'g" + std::to_string(i) +
                    "', 'inputs': {'x': 'l.x'}, 'outputs': {'y': 'l.y'}, 'layers': [" +
                    (i == 5 ? std::string("{'name': 'l', 'kind': 'relu'}")
                            : "{'name': 'l', 'group': 'g" + std::to_string(i + 1) +
                                  "', 'repeat': 1000}") +
                    "]}" + (i == 5 ? "]," : ",");
        }
        text += "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}}, {'name': 'g', "
                "'group': 'g0', 'repeat': 1000}], 'wires': ['a.y -> g.x']";
        const ExpandedDesign design = expanded(text);
        QVERIFY(said(design).contains("E025"));
    }

    void refusesToNestWithoutEnd() {
        Design design;
        for (int i = 0; i < 20000; ++i) {
            GroupDefinition group;
            group.name = "g" + std::to_string(i);
            group.network.layers.push_back({.id = LayerId{1},
                                            .name = "l",
                                            .kind = std::string(groupKind),
                                            .group = "g" + std::to_string(i + 1)});
            design.groups.push_back(std::move(group));
        }
        design.network.layers.push_back(
            {.id = LayerId{1}, .name = "l", .kind = std::string(groupKind), .group = "g0"});
        QVERIFY(said(expand(design, test::someKinds())).contains("E025"));
    }

    void resolvesPortsThatAreLeftOut() {
        Design design = test::designOf("'layers': [{'name': 'a', 'kind': 'input', 'with': "
                                       "{'shape': []}}, {'name': 's', 'kind': 'add'}]");
        design.network.wires.push_back({{LayerId{1}, ""}, {LayerId{2}, ""}});
        design.network.wires.push_back({{LayerId{1}, ""}, {LayerId{2}, ""}});
        const ExpandedDesign result = expand(design, test::someKinds());
        QCOMPARE(said(result), QString());
        QCOMPARE(flow(result), QString("a s<x0=a.y,x1=a.y"));
    }

    void keepsTheSchemeOfAWire() {
        const ExpandedDesign design =
            expanded("'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': []}}, {'name': "
                     "'r', 'kind': 'relu'}],"
                     "'wires': [{'from': 'a.y', 'to': 'r.x', 'scheme': 'whole'}]");
        QCOMPARE(layerOf(design, "r").inputs[0].scheme, std::string("whole"));
    }

    void thousandLayersTakeMilliseconds() {
        std::string text = "'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': []}}";
        std::string wires = "'wires': ['a.y -> l0.x'";
        for (int i = 0; i < 1000; ++i) {
            text +=
                ",{'name': 'l" + std::to_string(i) + "', 'kind': 'dense', 'with': {'units': 5}}";
            wires +=
                i == 0 ? "" : ",'l" + std::to_string(i - 1) + ".y -> l" + std::to_string(i) + ".x'";
        }
        const Design design = test::designOf(text + "]," + wires + "]");
        const std::vector<LayerKindInfo> kinds = test::someKinds();
        QBENCHMARK { QCOMPARE(expand(design, kinds).layers.size(), std::size_t{1001}); }
    }
};

std::unique_ptr<QObject> makeTestExpand() { return std::make_unique<TestExpand>(); }

#include "tst_expand.moc"
