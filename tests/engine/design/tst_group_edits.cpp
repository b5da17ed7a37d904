// SPDX-License-Identifier: Apache-2.0
#include "design/edit/verify.h"
#include "small_documents.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/group_edits.h>

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

QString portsOf(const GroupDefinition& group, const std::vector<GroupPort>& ports) {
    QStringList list;
    for (const GroupPort& port : ports) {
        QStringList inside;
        for (const Endpoint& end : port.inside) {
            inside << QString::fromStdString(findLayer(group.network, end.layer)->name + "." +
                                             end.port);
        }
        list << QString::fromStdString(port.name) + "=" + inside.join("+");
    }
    return list.join(" ");
}

Design residual() {
    return designOf("'data': {'feeds': {'a': 'images'}}, 'layers': [{'name': 'a', 'kind': "
                    "'input'}, {'name': 'p', 'kind': 'dense', 'at': [100, 0]},"
                    "{'name': 'q', 'kind': 'relu', 'at': [200, 0]}, {'name': 's', 'kind': 'add', "
                    "'at': [300, 30]}, {'name': 'z', 'kind': 'relu'}],"
                    "'wires': ['a.y -> p.x', 'p.y -> q.x', 'q.y -> s.x0', 'a.y -> s.x1', 's.y -> "
                    "z.x', 'q.y -> z.mask'],"
                    "'frames': [{'title': 'in', 'layers': ['p', 'q']}, {'title': 'half', 'layers': "
                    "['q', 'z']}]");
}

Design repeated() {
    return designOf(
        "'groups': [{'name': 'g', 'parameters': {'w': 2}, 'inputs': {'x': 'd.x', 'm': ['d.mask', "
        "'e.mask']}, 'outputs': {'y': 'e.y'},"
        "'layers': [{'name': 'd', 'kind': 'dense', 'with': {'units': {'as': 'w*3', 'value': 6}}}, "
        "{'name': 'e', 'kind': 'relu', 'with': {'share': 'd'}, 'at': [100, 0]}],"
        "'wires': ['d.y -> e.x']}],"
        "'layers': [{'name': 'a', 'kind': 'input'}, {'name': 'k', 'kind': 'input'},"
        "{'name': 'b', 'kind': 'group', 'group': 'g', 'repeat': 2, 'with': {'w': 5}, 'assign': "
        "'data', 'at': [1000, 0]}, {'name': 'd', 'kind': 'relu'}],"
        "'wires': ['a.y -> b.x', 'k.y -> b.m', 'b.y -> d.x'], 'frames': [{'title': 'f', 'layers': "
        "['b']}]");
}

} // namespace

class TestGroupEdits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void groupingMakesAPortPerSource() {
        Design design = residual();
        const Edited made =
            makeGroup(design, top, {id(design, "p"), id(design, "q"), id(design, "s")}, "block");
        QCOMPARE(made.name, std::string("block"));
        QCOMPARE(namesOf(design.network), QString("a block1 z"));
        QCOMPARE(wiresOf(design.network),
                 QString("a.y -> block1.x, block1.y -> z.x, block1.y2 -> z.mask"));
        const GroupDefinition& group = design.groups.at(0);
        QCOMPARE(portsOf(group, group.inputs), QString("x=p.x+s.x1"));
        QCOMPARE(portsOf(group, group.outputs), QString("y=s.y y2=q.y"));
        QCOMPARE(wiresOf(group.network), QString("p.y -> q.x, q.y -> s.x0"));
        QCOMPARE(group.network.frames.size(), std::size_t{1});
        QCOMPARE(design.network.frames.size(), std::size_t{1});
        QCOMPARE(*findLayer(design.network, made.layer())->position, (Point{200, 10}));
        verify(design);
    }

    void ungroupingUndoesGrouping() {
        const Design before = residual();
        Design design = before;
        const Edited made =
            makeGroup(design, top, {id(design, "p"), id(design, "q"), id(design, "s")}, "");
        QVERIFY(ungroup(design, top, {made.layer()}).isDone());
        QVERIFY(design.groups.empty());
        QCOMPARE(namesOf(design.network), namesOf(before.network));
        QCOMPARE(wiresOf(design.network), wiresOf(before.network));
        verify(design);
    }

    void groupsTheInputsOfData() {
        Design design = residual();
        const Edited made = makeGroup(design, top, {id(design, "a"), id(design, "p")}, "stem");
        QCOMPARE(design.data.feeds.at("stem1/a"), std::string("images"));
        QVERIFY(ungroup(design, top, {made.layer()}).isDone());
        QCOMPARE(design.data.feeds.at("a"), std::string("images"));
    }

    void groupsInsideAGroupWithItsPortsAndParameters() {
        Design design = repeated();
        const NetworkPath inside{"g"};
        const Edited made = makeGroup(design, inside, {id(design, "d", inside)}, "core");
        QVERIFY(made.isDone());
        verify(design);
        const GroupDefinition& group = *design.group("g");
        QCOMPARE(portsOf(group, group.inputs), QString("x=core1.x m=e.mask+core1.mask"));
        QCOMPARE(design.group("core")->parameters.integer("w"), 2);
        QCOMPARE(findLayer(group.network, "core1")->expressions.at("w"), std::string("w"));
        QCOMPARE(findLayer(group.network, "e")->attributes.text("share"), std::string("core1/d"));
        QVERIFY(ungroup(design, inside, {made.layer()}).isDone());
        QCOMPARE(findLayer(design.group("g")->network, "d")->expressions.at("units"),
                 std::string("w*3"));
        QCOMPARE(findLayer(design.group("g")->network, "e")->attributes.text("share"),
                 std::string("d"));
        verify(design);
    }

    void ungroupingARepeatLaysItsCopiesInARow() {
        Design design = repeated();
        const Edited made = ungroup(design, top, {id(design, "b")});
        QCOMPARE(made.layers.size(), std::size_t{4});
        QCOMPARE(namesOf(design.network), QString("a k d2 e d3 e2 d"));
        QCOMPARE(
            wiresOf(design.network),
            QString(
                "a.y -> d2.x, d2.y -> e.x, d3.y -> e2.x, e.y -> d3.x, e2.y -> d.x, k.y -> d2.mask, "
                "k.y -> d3.mask, k.y -> e.mask, k.y -> e2.mask"));
        const Layer& d3 = *findLayer(design.network, "d3");
        QCOMPARE(d3.attributes.integer("units"), 15);
        QVERIFY(d3.expressions.empty());
        QCOMPARE(d3.assignment->words, std::vector{AxisWord::data});
        QCOMPARE(findLayer(design.network, "e2")->attributes.text("share"), std::string("d3"));
        QCOMPARE(design.network.frames[0].layers.size(), std::size_t{4});
        QVERIFY(design.groups.empty());
        verify(design);
    }

    void refusesWhatCannotBeGrouped() {
        Design design = repeated();
        const Design before = design;
        QVERIFY(!makeGroup(design, top, {}, "x").isDone());
        QVERIFY(!makeGroup(design, top, {LayerId{99}}, "x").isDone());
        QVERIFY(!makeGroup(design, top, {id(design, "a")}, "x/y").isDone());
        QVERIFY(!ungroup(design, top, {id(design, "a")}).isDone());
        QVERIFY(!addInstance(design, {"g"}, "g", {}).isDone());
        QVERIFY(!addInstance(design, top, "nowhere", {}).isDone());
        QVERIFY(!setRepeat(design, top, id(design, "a"), 2).isDone());
        QVERIFY(!setRepeat(design, top, id(design, "b"), 0).isDone());
        QCOMPARE(design, before);
        QVERIFY(setBypassed(design, top, {id(design, "b")}, true).isDone());
        QVERIFY(!ungroup(design, top, {id(design, "b")}).isDone());
    }

    void aSingleInstanceLeavesTheOthersAlone() {
        Design design = repeated();
        const Edited second = addInstance(design, top, "g", {5, 5});
        QCOMPARE(second.name, std::string("g1"));
        QCOMPARE(giveOwnDefinition(design, top, second.layer()).name, std::string("g2"));
        QCOMPARE(findLayer(design.network, "g1")->group, std::string("g2"));
        QCOMPARE(design.group("g2")->network, design.group("g")->network);
        QVERIFY(setGroup(design, top, second.layer(), "g").isDone());
        verify(design);
    }

    /// Otherwise what layers inside have of their own would make the choice do nothing.
    void aGroupIsAssignedAsAWhole() {
        Design design = repeated();
        const Assignment data{.words = {AxisWord::data}};
        const Assignment alone{.devices = {"cpu:0"}};
        QVERIFY(assign(design, {"g"}, {id(design, "d", {"g"})}, data).isDone());
        QVERIFY(assign(design, top, {id(design, "b")}, alone).isDone());
        QCOMPARE(design.groups.size(), std::size_t{1});
        QVERIFY(findLayer(design.network, "b")->assignment == alone);
        QVERIFY(!findLayer(design.group("g")->network, "d")->assignment);
        verify(design);
        QVERIFY(assign(design, {"g"}, {id(design, "d", {"g"})}, data).isDone());
        QVERIFY(assign(design, top, {id(design, "b")}, std::nullopt).isDone());
        QVERIFY(!findLayer(design.group("g")->network, "d")->assignment);
        verify(design);
    }

    void assigningAnInstanceLeavesTheOthersAlone() {
        Design design = repeated();
        const Assignment data{.words = {AxisWord::data}};
        const Assignment alone{.devices = {"cpu:0"}};
        QVERIFY(assign(design, {"g"}, {id(design, "d", {"g"})}, data).isDone());
        const Edited second = addInstance(design, top, "g", {5, 5});
        QVERIFY(assign(design, top, {second.layer()}, alone).isDone());
        const Layer& assigned = *findLayer(design.network, second.name);
        QVERIFY(assigned.group != "g");
        QVERIFY(!findLayer(design.group(assigned.group)->network, "d")->assignment);
        QCOMPARE(findLayer(design.network, "b")->group, std::string("g"));
        QVERIFY(findLayer(design.group("g")->network, "d")->assignment == data);
        verify(design);
        // Both together need no second definition.
        Design both = repeated();
        QVERIFY(assign(both, {"g"}, {id(both, "d", {"g"})}, data).isDone());
        const LayerId other = addInstance(both, top, "g", {5, 5}).layer();
        QVERIFY(assign(both, top, {id(both, "b"), other}, alone).isDone());
        QCOMPARE(both.groups.size(), std::size_t{1});
        verify(both);
    }

    void definitionsAreRenamedEverywhere() {
        Design design = repeated();
        QCOMPARE(renameGroup(design, "g", "stage").name, std::string("stage"));
        QCOMPARE(findLayer(design.network, "b")->group, std::string("stage"));
        QVERIFY(renamePort(design, "stage", PortSide::input, "m", "mask").isDone());
        QVERIFY(wiresOf(design.network).contains("k.y -> b.mask"));
        QVERIFY(!renamePort(design, "stage", PortSide::input, "x", "mask").isDone());
        QVERIFY(removePort(design, "stage", PortSide::input, "mask").isDone());
        QVERIFY(!wiresOf(design.network).contains("k.y"));
        verify(design);
    }

    void portsTakeOverWhatTheyStandFor() {
        Design design = repeated();
        const LayerId e = id(design, "e", {"g"});
        QVERIFY(setPort(design, "g", PortSide::input, "z", {{e, "x"}}).isDone());
        QCOMPARE(wiresOf(design.groups[0].network), QString());
        QVERIFY(setPort(design, "g", PortSide::output, "y2", {{e, "y"}}).isDone());
        QVERIFY(!setPort(design, "g", PortSide::output, "y2", {{e, "y"}, {e, "z"}}).isDone());
        QVERIFY(!setPort(design, "g", PortSide::input, "q", {{e, "x"}, {e, "x"}}).isDone());
        QVERIFY(!setPort(design, "g", PortSide::input, "q", {{LayerId{77}, "x"}}).isDone());
        verify(design);
    }

    void parametersRefreshWhatIsEvaluated() {
        Design design = repeated();
        QVERIFY(setParameter(design, "g", "w", std::int64_t{10}).isDone());
        QCOMPARE(findLayer(design.groups[0].network, "d")->attributes.integer("units"), 30);
        QVERIFY(!removeParameter(design, "g", "w").isDone());
        QVERIFY(!setParameter(design, "g", "2w", std::int64_t{1}).isDone());
        QVERIFY(setParameter(design, "g", "v", 0.5).isDone());
        QVERIFY(removeParameter(design, "g", "v").isDone());
        verify(design);
    }

    void whoUsesAParameterFollowsItsName() {
        Design design = repeated();
        QVERIFY(setParameter(design, "g", "v", 0.5).isDone());
        QVERIFY(!renameParameter(design, "g", "w", "v").isDone());
        QVERIFY(!renameParameter(design, "g", "w", "2w").isDone());
        QVERIFY(!renameParameter(design, "g", "none", "wide").isDone());
        QVERIFY(renameParameter(design, "g", "w", "wide_1").isDone());
        QVERIFY(!design.groups[0].parameters.has("w"));
        QCOMPARE(design.groups[0].parameters.integer("wide_1"), 2);
        const Layer& inside = *findLayer(design.groups[0].network, "d");
        QCOMPARE(inside.expressions.at("units"), std::string("wide_1*3"));
        const Layer& instance = *findLayer(design.network, "b");
        QCOMPARE(instance.attributes.integer("wide_1"), 5);
        QVERIFY(!instance.attributes.has("w"));
        verify(design);
        // An instance's own expression is kept.
        QVERIFY(setExpression(design, top, instance.id, "v", "1/4").isDone());
        QVERIFY(renameParameter(design, "g", "v", "rate").isDone());
        QCOMPARE(findLayer(design.network, "b")->expressions.at("rate"), std::string("1/4"));
        verify(design);
    }

    void duplicatesWithTheWiresAmongThem() {
        Design design = residual();
        const Edited made = duplicate(design, top, {id(design, "p"), id(design, "q")}, {0, 50});
        QCOMPARE(namesOf(design.network), QString("a p q s z p2 q2"));
        QVERIFY(wiresOf(design.network).contains("p2.y -> q2.x"));
        QVERIFY(!wiresOf(design.network).contains("a.y -> p2.x"));
        QCOMPARE(*findLayer(design.network, made.layer())->position, (Point{100, 50}));
        QVERIFY(duplicate(design, top, {id(design, "p")}, {}, true).isDone());
        QVERIFY(wiresOf(design.network).contains("a.y -> p3.x"));
        verify(design);
    }

    void pastesBetweenDesigns() {
        const Design source = repeated();
        const std::string text = copyText(source, top, {id(source, "b"), id(source, "d")});
        Design design = residual();
        QVERIFY(paste(design, top, text, {10, 10}).isDone());
        QVERIFY(wiresOf(design.network).contains("b.y -> d.x"));
        QVERIFY(design.group("g") != nullptr);
        QVERIFY(paste(design, top, text, {20, 20}).isDone());
        QCOMPARE(design.groups.size(), std::size_t{1});
        QVERIFY(setParameter(design, "g", "w", std::int64_t{7}).isDone());
        QVERIFY(paste(design, top, text, {30, 30}).isDone());
        QCOMPARE(design.groups.size(), std::size_t{2});
        QCOMPARE(findLayer(design.network, "b3")->group, std::string("g2"));
        verify(design);
    }

    void pastesNoGroupIntoItself() {
        Design design = repeated();
        const std::string text = copyText(design, top, {id(design, "b")});
        const Design before = design;
        QVERIFY(!paste(design, {"g"}, text, {}).isDone());
        QVERIFY(!paste(design, top, "hello", {}).isDone());
        QVERIFY(!paste(design, top, "{\"weft\": 1}", {}).isDone());
        QCOMPARE(design, before);
    }
};

std::unique_ptr<QObject> makeTestGroupEdits() { return std::make_unique<TestGroupEdits>(); }

#include "tst_group_edits.moc"
