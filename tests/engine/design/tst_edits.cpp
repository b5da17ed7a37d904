// SPDX-License-Identifier: Apache-2.0
#include "design/edit/verify.h"
#include "small_documents.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/edits.h>
#include <weft/group_edits.h>

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

const Layer& layerOf(const Design& design, std::string_view name, const NetworkPath& path = top) {
    return *findLayer(networkAt(design, path), name);
}

Design chain() {
    return designOf(
        "'layers': [{'name': 'a', 'kind': 'input'}, {'name': 'b', 'kind': 'dense', 'with': "
        "{'units': 4}},"
        "{'name': 'c', 'kind': 'relu'}, {'name': 'd', 'kind': 'dense', 'with': {'units': 2}}],"
        "'wires': ['a.y -> b.x', 'b.y -> c.x', 'c.y -> d.x']");
}

QString refusal(const Edited& edited) {
    return edited.isDone() ? QString() : QString::fromStdString(toString(*edited.refusal));
}

} // namespace

class TestEdits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesNewLayersByCounting() {
        Design design = chain();
        QCOMPARE(addLayer(design, top, {.kind = "relu"}).name, std::string("relu1"));
        QCOMPARE(addLayer(design, top, {.kind = "relu"}).name, std::string("relu2"));
        QCOMPARE(addLayer(design, top, {.name = "c", .kind = "relu"}).name, std::string("c2"));
        QVERIFY(!addLayer(design, top, {.name = "x/y", .kind = "relu"}).isDone());
        QVERIFY(!addLayer(design, top, {.name = "x"}).isDone());
        QVERIFY(!addLayer(design, top, {.kind = "relu", .repeat = 2}).isDone());
        QVERIFY(!addLayer(design, top, {.kind = "relu", .position = Point{NAN, 0}}).isDone());
        QCOMPARE(namesOf(design.network), QString("a b c d relu1 relu2 c2"));
        verify(design);
    }

    void removesWiresWithTheirLayers() {
        Design design = chain();
        design.data.feeds = {{"a", "images"}};
        QVERIFY(addFrame(design, top, {.title = "f", .layers = {id(design, "a"), id(design, "b")}})
                    .isDone());
        QVERIFY(removeLayers(design, top, {id(design, "a"), id(design, "c")}).isDone());
        QCOMPARE(namesOf(design.network), QString("b d"));
        QCOMPARE(wiresOf(design.network), QString());
        QCOMPARE(design.network.frames[0].layers, std::vector{id(design, "b")});
        QVERIFY(design.data.feeds.empty());
        verify(design);
    }

    void dissolvesAndWiresAcross() {
        Design design = chain();
        QVERIFY(dissolve(design, top, {id(design, "b"), id(design, "c")}).isDone());
        QCOMPARE(wiresOf(design.network), QString("a.y -> d.x"));
        QVERIFY(dissolve(design, top, {id(design, "a")}).isDone());
        QCOMPARE(wiresOf(design.network), QString());
        verify(design);
    }

    void dissolvesInsideAGroup() {
        Design design =
            designOf("'groups': [{'name': 'g', 'inputs': {'x': 'p.x'}, 'outputs': {'y': 'q.y'},"
                     "'layers': [{'name': 'p', 'kind': 'relu'}, {'name': 'q', 'kind': 'relu'}, "
                     "{'name': 'r', 'kind': 'relu'}],"
                     "'wires': ['p.y -> q.x', 'p.y -> r.x']}]");
        const NetworkPath inside{"g"};
        QVERIFY(dissolve(design, inside, {id(design, "p", inside)}).isDone());
        QCOMPARE(design.groups[0].inputs[0].inside,
                 (std::vector<Endpoint>{{id(design, "q", inside), "x"},
                                        {id(design, "r", inside), "x"}}));
        verify(design);
        QVERIFY(dissolve(design, inside, {id(design, "q", inside)}).isDone());
        QVERIFY(design.groups[0].outputs[0].inside.empty());
        verify(design);
    }

    void renamesWithWhatNamesTheLayer() {
        Design design = chain();
        design.data.feeds = {{"a", "images"}};
        QVERIFY(setAttribute(design, top, id(design, "d"), "share", std::string("b")).isDone());
        QCOMPARE(renameLayer(design, top, id(design, "a"), "c").name, std::string("c2"));
        QCOMPARE(design.data.feeds.at("c2"), std::string("images"));
        QCOMPARE(renameLayer(design, top, id(design, "b"), "fc").name, std::string("fc"));
        QCOMPARE(layerOf(design, "d").attributes.text("share"), std::string("fc"));
        QCOMPARE(wiresOf(design.network), QString("c.y -> d.x, c2.y -> fc.x, fc.y -> c.x"));
        QVERIFY(refusal(renameLayer(design, top, id(design, "d"), "a->b"))
                    .contains("cannot be a name"));
        QVERIFY(refusal(renameLayer(design, top, LayerId{99}, "e")).contains("no layer #99"));
    }

    void setsValuesAndExpressions() {
        Design design = chain();
        const LayerId b = id(design, "b");
        QVERIFY(setExpression(design, top, b, "units", "4*256").isDone());
        QCOMPARE(layerOf(design, "b").attributes.integer("units"), 1024);
        QCOMPARE(layerOf(design, "b").expressions.at("units"), std::string("4*256"));
        const Design before = design;
        QVERIFY(refusal(setExpression(design, top, b, "units", "4*width")).contains("width"));
        QVERIFY(!setAttribute(design, top, b, "rate", std::vector<double>{0.5, INFINITY}).isDone());
        QCOMPARE(design, before);
        QVERIFY(setAttribute(design, top, b, "units", std::int64_t{7}).isDone());
        QVERIFY(layerOf(design, "b").expressions.empty());
        QVERIFY(resetAttribute(design, top, b, "units").isDone());
        QVERIFY(!layerOf(design, "b").attributes.has("units"));
    }

    void connectTakesTheOldWireOff() {
        Design design = chain();
        QVERIFY(
            weft::connect(design, top, {id(design, "a"), "y"}, {id(design, "d"), "x"}).isDone());
        QCOMPARE(wiresOf(design.network), QString("a.y -> b.x, a.y -> d.x, b.y -> c.x"));
        QVERIFY(
            !weft::connect(design, top, {id(design, "a"), ""}, {id(design, "d"), "x"}).isDone());
        QVERIFY(
            weft::disconnect(design, top, {id(design, "a"), "y"}, {id(design, "d"), "x"}).isDone());
        QVERIFY(!weft::disconnect(design, top, {id(design, "a"), "y"}, {id(design, "d"), "x"})
                     .isDone());
        verify(design);
    }

    void connectTakesAGroupInputOff() {
        Design design =
            designOf("'groups': [{'name': 'g', 'inputs': {'x': ['p.x', 'q.x']},"
                     "'layers': [{'name': 'p', 'kind': 'relu'}, {'name': 'q', 'kind': 'relu'}]}]");
        const NetworkPath inside{"g"};
        QVERIFY(weft::connect(design, inside, {id(design, "p", inside), "y"},
                              {id(design, "q", inside), "x"})
                    .isDone());
        QCOMPARE(design.groups[0].inputs[0].inside.size(), std::size_t{1});
        verify(design);
    }

    void insertsOnAWire() {
        Design design = chain();
        QVERIFY(setScheme(design, top, {id(design, "c"), "x"}, "whole").isDone());
        const Wire wire = design.network.wires[1];
        QCOMPARE(insertOnWire(design, top, wire, {.kind = "flatten"}).name,
                 std::string("flatten1"));
        QCOMPARE(wiresOf(design.network),
                 QString("a.y -> b.x, b.y -> flatten1.x, c.y -> d.x, flatten1.y -> c.x"));
        QCOMPARE(design.network.wires[2].scheme, std::string("whole"));
        const std::vector<LayerKindInfo> kinds = {{.kind = "add",
                                                   .inputs = {{.name = "in", .variadic = true}},
                                                   .outputs = {{.name = "out"}}},
                                                  {.kind = "loss", .inputs = {{.name = "x"}}}};
        QVERIFY(insertBefore(design, top, {id(design, "d"), "x"}, {.kind = "add"}, kinds).isDone());
        QVERIFY(wiresOf(design.network).contains("add1.out -> d.x"));
        QVERIFY(wiresOf(design.network).contains("c.y -> add1.in0"));
        QVERIFY(refusal(insertBefore(design, top, {id(design, "d"), "x"}, {.kind = "loss"}, kinds))
                    .contains("lacks an input or an output"));
        QVERIFY(!insertOnWire(design, top, wire, {.kind = "flatten"}).isDone());
        verify(design);
    }

    void movesAlignsAndDistributes() {
        Design design = chain();
        const std::vector<LayerId> ids = {id(design, "a"), id(design, "b"), id(design, "c")};
        QVERIFY(placeLayers(design, top, ids, {{0, 5}, {100, 7}, {20, 9}}).isDone());
        QVERIFY(distributeLayers(design, top, ids, true).isDone());
        QCOMPARE(*layerOf(design, "c").position, (Point{50, 9}));
        QVERIFY(alignLayers(design, top, ids, Alignment::middle).isDone());
        QCOMPARE(*layerOf(design, "a").position, (Point{0, 7}));
        QVERIFY(alignLayers(design, top, ids, Alignment::right).isDone());
        QCOMPARE(*layerOf(design, "a").position, (Point{100, 7}));
        QVERIFY(moveLayers(design, top, ids, {-100, 1}).isDone());
        QCOMPARE(*layerOf(design, "b").position, (Point{0, 8}));
        QVERIFY(!moveLayers(design, top, ids, {INFINITY, 0}).isDone());
        QVERIFY(!placeLayers(design, top, ids, {{0, 0}}).isDone());
    }

    void wiresAreLedThroughPoints() {
        Design design = chain();
        const LayerId a = id(design, "a");
        const LayerId b = id(design, "b");
        const Endpoint to{b, "x"};
        const auto via = [&] { return design.network.wires[0].via; };
        QVERIFY(setVia(design, top, to, {{1, 2}, {3, 4}}).isDone());
        QVERIFY(!setVia(design, top, to, {{INFINITY, 2}}).isDone());
        QVERIFY(!setVia(design, top, {a, "x"}, {}).isDone());
        // With one of its ends it stays, with both it moves.
        QVERIFY(moveLayers(design, top, {b}, {10, 10}).isDone());
        QCOMPARE(via(), (std::vector<Point>{{1, 2}, {3, 4}}));
        QVERIFY(moveLayers(design, top, {a, b}, {10, 10}).isDone());
        QCOMPARE(via(), (std::vector<Point>{{11, 12}, {13, 14}}));
        QVERIFY(duplicate(design, top, {a, b}, {100, 0}, false).isDone());
        QCOMPARE(design.network.wires.back().via, (std::vector<Point>{{111, 12}, {113, 14}}));
        // A layer in between is somewhere else.
        QVERIFY(insertBefore(design, top, to, {.kind = "relu"}).isDone());
        QVERIFY(std::ranges::none_of(design.network.wires, [&](const Wire& wire) {
            return (wire.to == to || wire.from.layer == a) && !wire.via.empty();
        }));
        verify(design);
    }

    void whatIsPinnedStays() {
        Design design = chain();
        const std::vector<LayerId> ids = {id(design, "a"), id(design, "b"), id(design, "c")};
        QVERIFY(placeLayers(design, top, ids, {{0, 5}, {100, 7}, {20, 9}}).isDone());
        QVERIFY(setPinned(design, top, {ids[2]}, true).isDone());
        QVERIFY(distributeLayers(design, top, ids, true).isDone());
        QVERIFY(alignLayers(design, top, ids, Alignment::top).isDone());
        QCOMPARE(*layerOf(design, "c").position, (Point{20, 9}));
        QCOMPARE(*layerOf(design, "b").position, (Point{100, 5}));
        QVERIFY(addFrame(design, top, {.title = "f", .layers = ids}).isDone());
        QVERIFY(moveFrame(design, top, 0, {3, 4}).isDone());
        QCOMPARE(*layerOf(design, "c").position, (Point{20, 9}));
        QCOMPARE(*layerOf(design, "a").position, (Point{3, 9}));
    }

    void framesMoveTheirLayers() {
        Design design = chain();
        const LayerId a = id(design, "a");
        QVERIFY(addFrame(design, top, {.title = "f", .layers = {a}}).isDone());
        QVERIFY(moveFrame(design, top, 0, {3, 4}).isDone());
        QCOMPARE(*layerOf(design, "a").position, (Point{3, 4}));
        QCOMPARE(design.network.frames[0].topLeft, (Point{3, 4}));
        QVERIFY(!addFrame(design, top, {.layers = {a, a}}).isDone());
        QVERIFY(!setFrame(design, top, 3, {}).isDone());
        QVERIFY(removeFrame(design, top, 0).isDone());
        QVERIFY(addComment(design, top, {.text = "c"}).isDone());
        QVERIFY(setComment(design, top, 0, {.text = "d"}).isDone());
        QCOMPARE(design.network.comments[0].text, std::string("d"));
        QVERIFY(removeComment(design, top, 0).isDone());
        QVERIFY(!removeComment(design, top, 0).isDone());
    }

    void devicesAreKeptWhileTheyAreUsed() {
        Design design = chain();
        QVERIFY(declareDevice(design, {.name = "cpu:0"}).isDone());
        QVERIFY(!declareDevice(design, {.name = "cpu:0"}).isDone());
        QVERIFY(assign(design, top, {id(design, "b")}, Assignment{.devices = {"cpu:0"}}).isDone());
        QVERIFY(refusal(removeDevice(design, "cpu:0")).contains("used by b"));
        QVERIFY(renameDevice(design, "cpu:0", "cuda:0").isDone());
        QCOMPARE(layerOf(design, "b").assignment->devices, std::vector<std::string>{"cuda:0"});
        QVERIFY(assign(design, top, {id(design, "b")}, std::nullopt).isDone());
        QVERIFY(removeDevice(design, "cuda:0").isDone());
        QVERIFY(design.devices.empty());
    }

    void setsWhatIsTypedOnACommandLine() {
        Design design = chain();
        QVERIFY(applySetting(design, "training.learning_rate", "0.5").isDone());
        QCOMPARE(design.training.learningRate, 0.5);
        QVERIFY(applySetting(design, "training.optimizer.with.momentum", "0.8").isDone());
        QCOMPARE(design.training.optimizerAttributes.real("momentum"), 0.8);
        QCOMPARE(design.training.optimizer, std::string("sgd"));
        QVERIFY(applySetting(design, "training.optimizer", "adam").isDone());
        QVERIFY(applySetting(design, "data.batch", "64").isDone());
        QCOMPARE(design.data.batch, 64);
        QVERIFY(applySetting(design, "b.units", "9").isDone());
        QCOMPARE(layerOf(design, "b").attributes.integer("units"), 9);
        const Design before = design;
        QVERIFY(refusal(applySetting(design, "data.batch", "many")).contains("batch is a text"));
        QVERIFY(refusal(applySetting(design, "training.speed", "9"))
                    .contains("the setting training.speed does not exist"));
        QVERIFY(refusal(applySetting(design, "batch", "9"))
                    .contains("the setting batch does not exist"));
        QCOMPARE(design, before);
    }

    void appliesFixes() {
        Design design = chain();
        const std::vector<LayerKindInfo> kinds = {
            {.kind = "flatten", .inputs = {{.name = "x"}}, .outputs = {{.name = "y"}}}};
        QVERIFY(applyFix(design, {"", {{"insert", {"flatten", "c.y -> d.x"}}}}, kinds).isDone());
        QVERIFY(applyFix(design, {"",
                                  {{"set", {"b", "units", "12"}},
                                   {"set", {"b", "pad", "same"}},
                                   {"rename_attribute", {"b", "pad", "padding"}}}})
                    .isDone());
        QCOMPARE(layerOf(design, "b").attributes.integer("units"), 12);
        QCOMPARE(layerOf(design, "b").attributes.text("padding"), std::string("same"));
        QVERIFY(applyFix(
                    design,
                    {"", {{"assign", {"b", R"(["data", "model.stack"])"}}, {"declare", {"cpu:0"}}}})
                    .isDone());
        QCOMPARE(layerOf(design, "b").assignment->words.size(), std::size_t{2});
        QVERIFY(applyFix(design, {"", {{"rename_port", {"c.y", "output", "z"}}}}).isDone());
        QVERIFY(wiresOf(design.network).contains("c.z -> flatten1.x"));
        QVERIFY(
            applyFix(design, {"", {{"disconnect", {"a.y -> b.x"}}, {"connect", {"a.y -> c.x"}}}})
                .isDone());
        QVERIFY(wiresOf(design.network).contains("a.y -> c.x"));
        QVERIFY(applyFix(design, {"",
                                  {{"kind", {"b", "conv2d"}},
                                   {"rename", {"b", "conv"}},
                                   {"mute", {"conv"}},
                                   {"training", {"epochs", "3"}},
                                   {"data", {"batch", "8"}}}})
                    .isDone());
        QVERIFY(layerOf(design, "conv").muted);
        QCOMPARE(design.training.epochs, 3.0);
        const Design before = design;
        QVERIFY(!applyFix(design, {"", {{"remove", {"conv"}}, {"remove", {"nobody"}}}}).isDone());
        QVERIFY(!applyFix(design, {"by hand", {}}).isDone());
        QVERIFY(!applyFix(design, {"", {{"explode", {"conv"}}}}).isDone());
        QVERIFY(!applyFix(design, {"", {{"set", {"conv"}}}}).isDone());
        QCOMPARE(design, before);
        verify(design);
    }

    void appliesFixesInsideGroups() {
        Design design =
            designOf("'groups': [{'name': 'g', 'inputs': {'x': 'p.x'}, 'layers': [{'name': 'p', "
                     "'kind': 'relu'}, {'name': 'q', 'kind': 'dense'}],"
                     "'wires': ['p.y -> q.x']}], 'layers': [{'name': 'a', 'kind': 'input'}, "
                     "{'name': 'b', 'group': 'g', 'repeat': 3}], 'wires': ['a.y -> b.x']");
        const NetworkPath inside{"g"};
        QVERIFY(applyFix(design, {"",
                                  {{"set", {"b[2]/q", "units", "3"}},
                                   {"insert", {"flatten", "b[1]/p.y -> b[1]/q.x"}},
                                   {"insert", {"gelu", "a.y -> b[1]/p.x"}}}})
                    .isDone());
        QCOMPARE(layerOf(design, "q", inside).attributes.integer("units"), 3);
        QCOMPARE(wiresOf(design.groups[0].network),
                 QString("flatten1.y -> q.x, gelu1.y -> p.x, p.y -> flatten1.x"));
        QCOMPARE(design.groups[0].inputs[0].inside[0],
                 (Endpoint{id(design, "gelu1", inside), "x"}));
        verify(design);
    }

    void refusesNetworksThatAreNotThere() {
        Design design = chain();
        QVERIFY(!hasNetwork(design, {"nowhere"}));
        QVERIFY(hasNetwork(design, top));
    }
};

std::unique_ptr<QObject> makeTestEdits() { return std::make_unique<TestEdits>(); }

#include "tst_edits.moc"
