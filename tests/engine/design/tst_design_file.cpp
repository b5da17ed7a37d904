// SPDX-License-Identifier: Apache-2.0
#include "design/edit/verify.h"
#include "design/file/migrate.h"
#include "random_document.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/edits.h>
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <fstream>
#include <sstream>

namespace {

using namespace weft;

std::filesystem::path golden(const std::string& name) {
    return test::sourceFolder() / "tests/engine/design/golden" / name;
}

std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::vector<LayerKindInfo> someKinds() {
    return {
        {.kind = "input", .outputs = {{.name = "y"}}},
        {.kind = "dense", .inputs = {{.name = "x"}}, .outputs = {{.name = "y"}}},
        {.kind = "add", .inputs = {{.name = "x", .variadic = true}}, .outputs = {{.name = "y"}}},
        {.kind = "loss",
         .inputs = {{.name = "x"}, {.name = "target"}},
         .outputs = {{.name = "y"}}}};
}

std::string codes(const LoadedDesign& loaded) {
    std::string text;
    for (const Diagnostic& diagnostic : loaded.diagnostics) {
        text += diagnostic.code + " ";
    }
    return text;
}

} // namespace

class TestDesignFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void savesACanonicalFileByteForByte() {
        const std::string text = bytesOf(golden("lenet.weft"));
        const LoadedDesign loaded = loadDesign(golden("lenet.weft"));
        QCOMPARE(QString::fromStdString(codes(loaded)), QString());
        QCOMPARE(QString::fromStdString(toText(loaded.design)), QString::fromStdString(text));
        QCOMPARE(loaded.readVersion, 1);
    }

    /// Settings that were renamed are read by their former names too, and written by the new ones.
    void readsFormerNamesOfSettings() {
        LoadedDesign loaded = parseDesign(
            R"({"weft": 1, "training": {"lanes": 3, "room": "host"}, "layers": []})", someKinds());
        QCOMPARE(QString::fromStdString(codes(loaded)), QString());
        QCOMPARE(loaded.design.training.streams, std::int64_t{3});
        QCOMPARE(loaded.design.training.communicator, std::string("host"));
        const std::string text = toText(loaded.design);
        QVERIFY(text.find("\"streams\": 3") != std::string::npos);
        QVERIFY(text.find("\"communicator\": \"host\"") != std::string::npos);
        QVERIFY(text.find("lanes") == std::string::npos && text.find("room") == std::string::npos);
        QVERIFY(applySetting(loaded.design, "training.lanes", "2").isDone());
        QCOMPARE(loaded.design.training.streams, std::int64_t{2});
    }

    void readsEveryFieldOfTheFile() {
        const Design design = loadDesign(golden("lenet.weft")).design;
        QCOMPARE(design.name, std::string("lenet"));
        QCOMPARE(design.devices.size(), std::size_t{3});
        QCOMPARE(design.devices[1].cores, 2);
        QCOMPARE(design.assignment.words, std::vector{AxisWord::data});
        QCOMPARE(design.data.source, std::string("idx"));
        QCOMPARE(design.data.feeds.at("label"), std::string("labels"));
        QCOMPARE(design.data.lastBatch, std::string("drop"));
        QCOMPARE(design.training.optimizerAttributes.real("momentum"), 0.9);
        QCOMPARE(design.training.targetMetric, std::string("accuracy"));
        const GroupDefinition* stage = design.group("stage");
        QVERIFY(stage != nullptr);
        QCOMPARE(stage->network.layers[0].expressions.at("filters"), std::string("width"));
        QCOMPARE(stage->inputs[0].inside[0], (Endpoint{LayerId{1}, "x"}));
        const Layer* fc1 = findLayer(design.network, "fc1");
        QCOMPARE(fc1->assignment->devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
        QCOMPARE(fc1->assignment->words, std::vector{AxisWord::modelStack});
        QVERIFY(findLayer(design.network, "relu1")->bypassed);
        QVERIFY(findLayer(design.network, "relu1")->pinned);
        QCOMPARE(design.network.wires[3].scheme, std::string("whole"));
        QCOMPARE(design.network.wires[3].via, (std::vector<Point>{{700, 60}, {760, 60.5}}));
        QCOMPARE(design.network.frames[0].layers.size(), std::size_t{3});
        verify(design);
    }

    void whereNothingIsPlacedNoPlaceIsWritten() {
        const std::string text =
            "{\"weft\": 1,\n \"layers\": [\n  {\"id\": 1, \"name\": \"a\", \"kind\": \"input\"},\n"
            "  {\"id\": 2, \"name\": \"b\", \"kind\": \"loss\"}]}\n";
        const Design design = parseDesign(text, someKinds()).design;
        QVERIFY(!design.network.layers[0].position);
        QVERIFY(!design.network.layers[1].position);
        QCOMPARE(QString::fromStdString(toText(design)), QString::fromStdString(text));
    }

    void whereSomeArePlacedTheOthersAreAtTheOrigin() {
        const Design design = parseDesign(R"({"weft": 1, "layers": [{"name": "a", "kind": "input"},
            {"name": "b", "kind": "loss", "at": [8, 0]}, {"name": "c", "kind": "input", "at": "x"}],
            "groups": [{"name": "g", "layers": [{"name": "d", "kind": "input"}]}]})",
                                          someKinds())
                                  .design;
        QCOMPARE(*design.network.layers[0].position, Point{});
        QCOMPARE(*design.network.layers[1].position, (Point{8, 0}));
        // An invalid position is kept, and nothing overwrites it.
        QVERIFY(!design.network.layers[2].position);
        QVERIFY(!design.group("g")->network.layers[0].position);
        const std::string text = toText(design);
        QVERIFY2(text.find(R"("kind": "input", "at": [0, 0])") != std::string::npos, text.c_str());
        QVERIFY2(text.find(R"("at": "x")") != std::string::npos, text.c_str());
        QVERIFY(parseDesign(text, someKinds()).design == design);
    }

    void keepsLinesWithin160Columns() {
        std::istringstream lines(toText(loadDesign(golden("lenet.weft")).design));
        for (std::string line; std::getline(lines, line);) {
            QVERIFY2(line.size() <= 160, line.c_str());
        }
    }

    void isWrittenByHandWithoutIdsAndPorts() {
        const LoadedDesign loaded = parseDesign(R"({"weft": 1, "layers": [
            {"name": "a", "kind": "input"}, {"name": "b", "kind": "dense", "with": {"units": 4}},
            {"kind": "add"}, {"kind": "loss"}, {"id": 1, "name": "t", "kind": "input"}],
            "wires": ["a->b", "a -> add1", "b -> add1", "add1 -> loss1.x", "t -> loss1.target"]})",
                                                someKinds());
        QCOMPARE(QString::fromStdString(codes(loaded)), QString());
        const Network& network = loaded.design.network;
        QCOMPARE(network.layers[4].id, LayerId{1});
        QCOMPARE(network.layers[0].id, LayerId{2});
        QCOMPARE(network.layers[2].name, std::string("add1"));
        QCOMPARE(network.wires[1].to.port, std::string("x0"));
        QCOMPARE(network.wires[2].to.port, std::string("x1"));
        QVERIFY(toText(loaded.design).find("\"add1.y -> loss1.x\"") != std::string::npos);
    }

    void leavesAPortOpenThatCouldBeTwo() {
        const LoadedDesign loaded = parseDesign(
            R"({"weft": 1, "layers": [{"name": "a", "kind": "input"}, {"name": "l", "kind": "loss"}],
               "wires": ["a -> l"]})",
            someKinds());
        QCOMPARE(loaded.design.network.wires[0].to.port, std::string());
        QVERIFY(toText(loaded.design).find("\"a.y -> l\"") != std::string::npos);
    }

    void namesWithDotsAreTold() {
        const LoadedDesign loaded = parseDesign(R"({"weft": 1, "layers": [
            {"name": "a", "kind": "input"}, {"name": "a.b", "kind": "dense"}],
            "wires": ["a.y -> a.b.x"]})");
        QCOMPARE(QString::fromStdString(codes(loaded)), QString());
        QCOMPARE(loaded.design.network.wires[0].to, (Endpoint{LayerId{2}, "x"}));
    }

    void evaluatesAnExpressionWithoutAValue() {
        const LoadedDesign loaded = parseDesign(R"({"weft": 1,
            "groups": [{"name": "g", "parameters": {"w": 8}, "layers": [
                {"name": "d", "kind": "dense", "with": {"units": {"as": "2*w"}}}]}],
            "layers": [{"name": "d", "kind": "dense", "with": {"units": {"as": "4*256"}}}]})");
        QCOMPARE(QString::fromStdString(codes(loaded)), QString());
        QCOMPARE(loaded.design.network.layers[0].attributes.integer("units"), 1024);
        QCOMPARE(loaded.design.groups[0].network.layers[0].attributes.integer("units"), 16);
    }

    void keepsWhatItDoesNotKnow() {
        const std::string text = R"({"weft": 1,
 "devices": [{"name": "cpu:0", "speed": 3}],
 "assign": {"axes": "data", "weights": [1, 2]},
 "data": {"source": {"kind": "idx", "cache": true}, "batch": 32, "augment": {"flip": true}},
 "training": {"optimizer": {"kind": "sgd", "fused": true}, "learning_rate": 0.01, "later": null},
 "groups": [
  {"name": "g",
   "layers": [
    {"id": 1, "name": "r", "kind": "relu", "stage": {"number": 2}}], "help": "text"}],
 "layers": [
  {"id": 1, "name": "a", "kind": "dense", "with": {"units": {"value": 3, "tied": true}, "list": ["x"]}, "stage": 2}],
 "wires": [
  {"from": "a.y", "to": "a.x", "delay": 1}],
 "frames": [
  {"title": "t", "at": [0, 0], "size": [1, 1], "shadow": true}],
 "comments": [
  {"text": "c", "at": [0, 0], "author": "me"}],
 "zebra": {"stripes": [1, 2.5]}}
)";
        const LoadedDesign loaded = parseDesign(text);
        QVERIFY(!hasErrors(loaded.diagnostics) || codes(loaded).find("E101") != std::string::npos);
        QCOMPARE(QString::fromStdString(toText(loaded.design)), QString::fromStdString(text));
    }

    void warnsOfAKeyThatMeansNothing() {
        const LoadedDesign loaded = parseDesign(
            R"({"weft": 1, "layers": [{"name": "a", "kind": "relu", "asign": "data"}]})");
        QCOMPARE(loaded.diagnostics.size(), std::size_t{1});
        QCOMPARE(loaded.diagnostics[0].code, std::string("W102"));
        QCOMPARE(loaded.diagnostics[0].layerName, std::string("a"));
        QCOMPARE(loaded.diagnostics[0].fix.text, std::string("write assign"));
    }

    void opensABrokenDesignAsFarAsItCan_data() {
        QTest::addColumn<QString>("inside");
        QTest::addColumn<QString>("expected");
        QTest::newRow("wire to nowhere") << R"("layers": [{"name": "a"}], "wires": ["a.y -> b.x"])"
                                         << "E103 ";
        QTest::newRow("no wire") << R"("wires": ["a.y to b.x", 7, {"from": "a"}])"
                                 << "E102 E102 E102 ";
        QTest::newRow("layer is a number") << R"("layers": [7])"
                                           << "E102 ";
        QTest::newRow("layers is a text") << R"("layers": "many")"
                                          << "E101 ";
        QTest::newRow("id twice") << R"("layers": [{"id": 1}, {"id": 1}])"
                                  << "W101 ";
        QTest::newRow("name twice") << R"("layers": [{"name": "a"}, {"name": "a"}])"
                                    << "E007 ";
        QTest::newRow("two wires into one port")
            << R"("layers": [{"name": "a"}], "wires": ["a.y -> a.x", "a.z -> a.x"])"
            << "E010 ";
        QTest::newRow("a wire led through a number")
            << R"("layers": [{"name": "a"}], "wires": [{"from": "a", "to": "a.x", "via": [[1, 2], 3]}])"
            << "E101 ";
        QTest::newRow("muted is a text") << R"("layers": [{"name": "a", "muted": "yes"}])"
                                         << "E101 ";
        QTest::newRow("odd word") << R"("layers": [{"name": "a", "assign": "modle.stack"}])"
                                  << "E032 ";
        QTest::newRow("epochs is a text") << R"("training": {"epochs": "ten"})"
                                          << "E101 ";
        QTest::newRow("attribute is null") << R"("layers": [{"name": "a", "with": {"b": null}}])"
                                           << "E101 ";
        QTest::newRow("group twice") << R"("groups": [{"name": "g"}, {"name": "g"}])"
                                     << "E007 ";
        QTest::newRow("group port to nowhere")
            << R"("groups": [{"name": "g", "outputs": {"y": "a.y"}}])"
            << "E103 ";
        QTest::newRow("frame of nothing") << R"("frames": [{"title": "f", "layers": ["a"]}])"
                                          << "W103 ";
        QTest::newRow("repeated dense")
            << R"("layers": [{"name": "a", "kind": "dense", "repeat": 3}])"
            << "E101 ";
        QTest::newRow("batch in words") << R"("data": {"batch": "many"})"
                                        << "E101 ";
        QTest::newRow("feeds in one word") << R"("data": {"feeds": "images"})"
                                           << "E101 ";
        QTest::newRow("feeds that are numbers")
            << R"("data": {"feeds": {"a": 3, "b": "images", "c": null}})"
            << "E101 E101 ";
    }
    void opensABrokenDesignAsFarAsItCan() {
        QFETCH(QString, inside);
        QFETCH(QString, expected);
        const LoadedDesign loaded =
            parseDesign(R"({"weft": 1, "name": "kept", )" + inside.toStdString() + "}");
        QCOMPARE(QString::fromStdString(codes(loaded)), expected);
        QCOMPARE(loaded.design.name, std::string("kept"));
        QCOMPARE(brokenInvariant(loaded.design), std::string());
        for (const Diagnostic& diagnostic : loaded.diagnostics) {
            QVERIFY2(!diagnostic.fix.text.empty(), diagnostic.text.c_str());
        }
        // Content that could not be read survives saving and loading.
        const LoadedDesign again = parseDesign(toText(loaded.design));
        if (expected.startsWith("E1") || expected.startsWith("E032")) {
            QCOMPARE(QString::fromStdString(codes(again)), expected);
        }
        QCOMPARE(again.design, loaded.design);
    }

    void aNumberThatIsRefusedIsTold() {
        const LoadedDesign loaded =
            parseDesign(R"({"weft": 1, "devices": [{"name": "a", "cores": -1}]})");
        QCOMPARE(loaded.diagnostics.size(), std::size_t{1});
        QCOMPARE(loaded.diagnostics.front().text,
                 std::string("device: cores is -1; expected a whole number of at least 0"));
    }

    void aSettingOutOfRangeIsKeptForTheCheckToSay() {
        const LoadedDesign loaded = parseDesign(R"({"weft": 1, "data": {"batch": -3}})");
        QVERIFY(loaded.diagnostics.empty());
        QCOMPARE(loaded.design.data.batch, std::int64_t{-3});
    }

    void refusesWhatIsNoDesign_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << ""
                                 << "not valid JSON";
        QTest::newRow("half") << R"({"weft": 1,)"
                              << "not valid JSON";
        QTest::newRow("a list") << "[1]"
                                << "not a design";
        QTest::newRow("no version") << R"({"layers": []})"
                                    << "not a design";
        QTest::newRow("version in words") << R"({"weft": "one"})"
                                          << "not a design";
        QTest::newRow("version of tomorrow") << R"({"weft": 2})"
                                             << "newer Weft";
        QTest::newRow("version beyond numbers") << R"({"weft": 18446744073709551615})"
                                                << "newer Weft";
        QTest::newRow("version before the first") << R"({"weft": 0})"
                                                  << "versions count from 1";
        QTest::newRow("version before all") << R"({"weft": -1})"
                                            << "versions count from 1";
    }
    void refusesWhatIsNoDesign() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        try {
            static_cast<void>(parseDesign(text.toStdString(), {}, "some.weft"));
            QFAIL("was opened");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::format);
            QVERIFY2(QString(error.what()).contains(says), error.what());
            QVERIFY2(QString(error.what()).contains("some.weft"), error.what());
        }
    }

    void saysTheLineOfABrokenText() {
        try {
            static_cast<void>(parseDesign("{\"weft\": 1,\n \"name\": \"a\",\n \"layers\": [}\n"));
            QFAIL("was opened");
        } catch (const Error& error) {
            QCOMPARE(error.where().line, 3);
            QVERIFY(error.where().offset > 25);
        }
    }

    /// There is one version so far: how the next will take the files of this one.
    void bringsOlderFilesForwardStepByStep() {
        const std::array<MigrationStep, 2> steps = {
            [](Json& document) { document["layers"] = std::move(document["nodes"]); },
            [](Json& document) { document["second"] = document["layers"].size(); }};
        Json document = {{"weft", 1}, {"nodes", {1, 2, 3}}};
        QCOMPARE(migrate(document, "old.weft", steps), std::int64_t{1});
        QCOMPARE(document["weft"].get<int>(), 3);
        QCOMPARE(document["second"].get<int>(), 3);
        document = {{"weft", 2}, {"layers", {1}}};
        QCOMPARE(migrate(document, "newer.weft", steps), std::int64_t{2});
        QCOMPARE(document["second"].get<int>(), 1);
        document["weft"] = 4;
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(migrate(document, "a.weft", steps)));
    }

    void replacesTheFileWhole() {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("a.weft").toStdString();
        Design design = loadDesign(golden("lenet.weft")).design;
        saveDesign(design, file);
        design.name = "second";
        saveDesign(design, file);
        QCOMPARE(loadDesign(file).design, design);
        QVERIFY_THROWS_EXCEPTION(Error, saveDesign(design, "/nowhere/a.weft"));
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(loadDesign("/nowhere/a.weft")));
    }

    void carriesEveryDesignThroughTheFile() {
        QVERIFY(rc::check("load(save(design)) is the design, save(load(text)) the text", [] {
            const Design design = *test::anyDesign();
            RC_ASSERT(brokenInvariant(design) == std::string());
            const std::string text = toText(design);
            const LoadedDesign loaded = parseDesign(text);
            RC_ASSERT(toText(loaded.design) == text);
            RC_ASSERT(loaded.design == design);
            RC_ASSERT(!hasErrors(loaded.diagnostics));
        }));
    }
};

std::unique_ptr<QObject> makeTestDesignFile() { return std::make_unique<TestDesignFile>(); }

#include "tst_design_file.moc"
