// SPDX-License-Identifier: Apache-2.0
// Whatever an edit changes is said in lines that make the same change; what no line says is told.
#include "macros/edit_as_lines.h"
#include "support/test_main.h"
#include <weft/data_edits.h>
#include <weft/group_edits.h>

#include <QMetaType>
#include <QSet>
#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::ui;

namespace {

using Change = std::function<Edited(Design&)>;

/// input -> conv -> relu -> fc, two devices; conv is selected.
struct Chain {
    Chain() {
        std::optional<Endpoint> last;
        for (const auto& [name, kind] : {std::pair{"picture", "input"},
                                         {"conv", "conv2d"},
                                         {"act", "relu"},
                                         {"fc", "dense"}}) {
            const double down = 96.0 * static_cast<double>(design.network.layers.size());
            const LayerId id =
                addLayer(design, {}, {.name = name, .kind = kind, .position = Point{0, down}})
                    .layer();
            if (last) {
                (void)connect(design, {}, *last, {id, "x"});
            }
            last = Endpoint{id, "y"};
        }
        design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
    }
    [[nodiscard]] LayerId id(const char* name) const {
        return findLayer(design.network, std::string_view(name))->id;
    }
    Design design;
    std::vector<LayerKindInfo> kinds = catalogue();
};

QString textOf(const EditAsLines& told) {
    QStringList lines;
    for (const QStringList& words : told.lines) {
        lines << joinWords(words);
    }
    return lines.join('\n');
}

/// Tells one edit made while `selected` are selected.
EditAsLines told(const Chain& chain, const Change& change, const std::vector<LayerId>& selected) {
    Design after = chain.design;
    (void)change(after);
    return linesOfEdit(chain.design, after, MacroState::atStart({}, selected), {}, selected,
                       chain.kinds);
}

} // namespace

Q_DECLARE_METATYPE(Change)

namespace {

void row(const char* name, const Change& change, const char* lines) {
    QTest::newRow(name) << change << QString::fromUtf8(lines);
}

void addRowsOfWires(const Chain& chain) {
    const LayerId conv = chain.id("conv");
    const LayerId act = chain.id("act");
    row(
        "a wire taken off",
        [=](Design& design) {
            return weft::disconnect(design, {}, {conv, "y"}, {act, "x"});
        },
        "wire.remove $1>.x");
    row(
        "a wire led",
        [=](Design& design) {
            return setVia(design, {}, {act, "x"}, {{10, 150}, {20, 160}});
        },
        "wire.lead $1>.x 10 -42 20 -32");
    row(
        "how a wire crosses",
        [=](Design& design) {
            return setScheme(design, {}, {act, "x"}, "whole");
        },
        "wire.scheme $1>.x whole");
    row(
        "a setting",
        [](Design& design) { return applySetting(design, "training.learning_rate", "0.1"); },
        "design.set training.learning_rate 0.1");
    row(
        "a source of data",
        [](Design& design) {
            return setSource(design, "idx", findSetting(settings(), "data.source")->kinds);
        },
        "design.set data.source idx");
    row(
        "a folder that is called as a number",
        [](Design& design) {
            design.data.source = "idx";
            return setSourceAttribute(design, "folder", std::string("2024"));
        },
        R"(design.set data.source "{\"kind\":\"idx\",\"with\":{\"folder\":\"2024\"}}")");
    row(
        "a field that feeds an input",
        [kinds = chain.kinds, picture = chain.id("picture")](Design& design) {
            return feedInput(design, picture, {.name = "images", .shape = {1, 28, 28}}, kinds);
        },
        "layer.set dtype f32 for $1<\nlayer.set shape [1,28,28] for $1<\n"
        "design.set data.feeds \"{\\\"picture\\\":\\\"images\\\"}\"");
    row(
        "a device", [](Design& design) { return declareDevice(design, {.name = "cpu:2"}); },
        "device.declare cpu:2");
    row(
        "a device less", [](Design& design) { return removeDevice(design, "cpu:1"); },
        "device.remove cpu:1");
}

void addRowsOfTheRest(const Chain& chain) {
    const LayerId conv = chain.id("conv");
    row(
        "a comment",
        [](Design& design) {
            return addComment(design, {}, {.text = "look here", .position = {8, 16}});
        },
        "layer.comment \"look here\" 8 16");
    row(
        "the design's name",
        [](Design& design) {
            design.name = "digits at night";
            return Edited{};
        },
        "design.rename \"digits at night\"");
    row(
        "what layers without an assignment do",
        [](Design& design) {
            design.assignment = {{"cpu:0", "cpu:1"}, {}, {AxisWord::data}};
            return Edited{};
        },
        "design.assign data on cpu:0 cpu:1");
    row(
        "a frame",
        [=](Design& design) {
            return addFrame(design, {},
                            {.title = "Head",
                             .topLeft = {-8, 0},
                             .size = {200, 90},
                             .colour = 2,
                             .layers = {conv}});
        },
        "frame.add Head -8 0 200 90 colour 2 for $1");
}

/// A chain whose conv and act are a group with a parameter, of which conv has its filters.
struct Grouped : Chain {
    Grouped() {
        block = makeGroup(design, {}, {id("conv"), id("act")}, "block").layer();
        conv = inside("conv");
        act = inside("act");
        (void)setParameter(design, "block", "wide", std::int64_t{8});
        (void)setExpression(design, path, conv, "filters", "2 * wide");
    }
    [[nodiscard]] LayerId inside(const char* name) const {
        return findLayer(networkAt(design, path), std::string_view(name))->id;
    }
    [[nodiscard]] std::string port(PortSide side) const {
        const GroupDefinition& group = *design.group("block");
        return (side == PortSide::input ? group.inputs : group.outputs).front().name;
    }
    NetworkPath path{"block"};
    LayerId block;
    LayerId conv;
    LayerId act;
};

/// Edits of a group, told from the top level.
void addRowsOfGroups() {
    const Grouped chain;
    const std::string in = chain.port(PortSide::input);
    const std::string out = chain.port(PortSide::output);
    const auto inGroup = [](const QString& lines) {
        return QStringLiteral("layer.enter block\n") + lines + QStringLiteral("\nlayer.enter /");
    };
    const auto add = [&](const char* name, const Change& change, const QString& lines) {
        QTest::newRow(name) << change << inGroup(lines);
    };
    add(
        "a parameter", [](Design& d) { return setParameter(d, "block", "deep", 0.5); },
        "parameter.set deep 0.5");
    add(
        "another default",
        [](Design& d) { return setParameter(d, "block", "wide", std::int64_t{9}); },
        "parameter.set wide 9");
    add(
        "a parameter called otherwise",
        [](Design& d) { return renameParameter(d, "block", "wide", "broad"); },
        "parameter.rename wide broad");
    add(
        "a parameter less",
        [conv = chain.conv, path = chain.path](Design& d) {
            (void)setAttribute(d, path, conv, "filters", std::int64_t{4});
            return removeParameter(d, "block", "wide");
        },
        "layer.set filters 4 for conv\nparameter.remove wide");
    add(
        "a port called otherwise",
        [out](Design& d) { return renamePort(d, "block", PortSide::output, out, "picture"); },
        "port.rename output " + QString::fromStdString(out) + " picture");
    add(
        "a port more",
        [conv = chain.conv](Design& d) {
            return setPort(d, "block", PortSide::output, "early", {{conv, "y"}});
        },
        "port.set output early conv.y");
    add(
        "a port of a layer that is new",
        [path = chain.path](Design& d) {
            const LayerId made =
                addLayer(d, path, {.name = "late", .kind = "relu", .position = Point{8, 16}})
                    .layer();
            return setPort(d, "block", PortSide::output, "extra", {{made, "y"}});
        },
        "layer.add relu named late at 8 16\n"
        "port.set output extra +1.y");
    add(
        "a port less", [in](Design& d) { return removePort(d, "block", PortSide::input, in); },
        "port.remove input " + QString::fromStdString(in));
}

} // namespace

class TestEditAsLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEditIsToldInLines_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("lines");
        const Chain chain;
        const LayerId conv = chain.id("conv");
        const LayerId act = chain.id("act");
        const LayerId fc = chain.id("fc");
        const auto sets = [&](LayerId layer) -> Change {
            return [layer](Design& design) {
                return setAttribute(design, {}, layer, "filters", std::int64_t{64});
            };
        };
        row("of what is selected", sets(conv), "layer.set filters 64");
        row(
            "of what is selected, by a sum",
            [=](Design& design) { return setExpression(design, {}, conv, "filters", "4 * 16"); },
            "layer.set filters \"=4 * 16\"");
        row(
            "of its neighbour", [=](Design& design) { return setMuted(design, {}, {act}, true); },
            "layer.mute on for $1>");
        row(
            "of several alike",
            [=](Design& design) {
                return assign(design, {}, {conv, fc}, Assignment{{}, {}, {AxisWord::data}});
            },
            "layer.assign data for $1 $1>>");
        row(
            "an assignment taken away",
            [=](Design& design) { return assign(design, {}, {conv}, std::nullopt); }, "");
        row(
            "a move",
            [=](Design& design) {
                return moveLayers(design, {}, {conv}, {24, -48});
            },
            "layer.move 24 -48");
        row(
            "a name", [=](Design& design) { return renameLayer(design, {}, conv, "first one"); },
            "layer.rename \"first one\"");
        row(
            "a layer inserted",
            [=](Design& design) {
                return insertOnWire(design, {}, {{conv, "y"}, {act, "x"}},
                                    {.kind = "dropout", .position = Point{0, 144}}, catalogue());
            },
            "layer.add dropout by 0 48\nwire.connect +1.y -> $1>.x\nwire.connect $1.y -> +1.x");
        row(
            "layers deleted",
            [=](Design& design) {
                return removeLayers(design, {}, {act, fc});
            },
            "edit.delete $1> $1>>");
        addRowsOfWires(chain);
        addRowsOfTheRest(chain);
    }
    void anEditIsToldInLines() {
        QFETCH(const Change, change);
        QFETCH(const QString, lines);
        const Chain chain;
        const EditAsLines edit = told(chain, change, {chain.id("conv")});
        QVERIFY(edit.isExact);
        QCOMPARE(textOf(edit), lines);
    }

    void whatDefinesAGroupIsToldInLines_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("lines");
        addRowsOfGroups();
    }
    void whatDefinesAGroupIsToldInLines() {
        QFETCH(const Change, change);
        QFETCH(const QString, lines);
        const Grouped chain;
        const EditAsLines edit = told(chain, change, {});
        QCOMPARE(textOf(edit), lines);
        QVERIFY(edit.isExact);
    }

    void insideAGroupItsPortsAreToldWithoutLeavingIt() {
        const Grouped chain;
        Design after = chain.design;
        (void)setPort(after, "block", PortSide::output, "early", {{chain.conv, "y"}});
        const EditAsLines edit =
            linesOfEdit(chain.design, after, MacroState::atStart(chain.path, {chain.conv}),
                        chain.path, {chain.conv}, chain.kinds);
        QCOMPARE(textOf(edit), QStringLiteral("port.set output early $1.y"));
        QVERIFY(edit.isExact);
    }

    void aDefaultAssignmentTakenAwayIsTold() {
        Chain chain;
        chain.design.assignment.words = {AxisWord::data};
        const EditAsLines edit = told(chain,
                                      [](Design& design) {
                                          design.assignment = {};
                                          return Edited{};
                                      },
                                      {});
        QCOMPARE(textOf(edit), QStringLiteral("design.assign none"));
        QVERIFY(edit.isExact);
    }

    /// A text that parses as a number stays a text.
    void textsOfTheSourceStayTexts() {
        Chain from;
        from.design.data.source = "idx";
        from.design.data.attributes.set("folder", std::string("here"));
        for (const char* text : {"2024", "true", "null", "[1]", "1, 2", "a, b", "", "say \"so\""}) {
            Design after = from.design;
            (void)setSourceAttribute(after, "folder", std::string(text));
            const EditAsLines edit = linesOfEdit(from.design, after, {}, {}, {}, from.kinds);
            QVERIFY2(edit.isExact, text);
        }
    }

    void settingsComeAndGo_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        for (const auto& [key, value] :
             {std::pair{"training.optimizer", R"({"kind":"sgd","with":{"momentum":0.8}})"},
              {"training.schedule", R"({"kind":"step","with":{"every":10}})"},
              {"training.clip_norm", "2"},
              {"training.steps", "100"},
              {"training.epochs", "3.5"},
              {"training.seconds", "60"},
              {"training.evaluate_every", "5"},
              {"training.checkpoint_every", "5"},
              {"training.seed", "7"},
              {"training.order", "depth"},
              {"training.streams", "2"},
              {"training.bucket_megabytes", "4"},
              {"training.precision", "tf32"},
              {"training.update_period", "2"},
              {"training.first_update", "3"},
              {"training.sync_every", "4"},
              {"training.sync", "one period late"},
              {"training.target", R"({"metric":"accuracy","value":0.9})"},
              {"data.source", R"({"kind":"digits","with":{"count":640}})"},
              {"data.batch", "8"},
              {"data.validation", "0.2"},
              {"data.order", "file"},
              {"data.last_batch", "drop"},
              {"data.feeds", R"({"picture":"images"})"}}) {
            QTest::newRow(key) << QString::fromUtf8(key) << QString::fromUtf8(value);
        }
    }
    void settingsComeAndGo() {
        QFETCH(const QString, key);
        QFETCH(const QString, value);
        const Chain plain;
        Chain other;
        const Edited set = applySetting(other.design, key.toStdString(), value.toStdString());
        QVERIFY2(set.isDone(), set.refusal ? set.refusal->text.c_str() : "");
        for (const auto& [from, to] :
             {std::pair{plain.design, other.design}, {other.design, plain.design}}) {
            const EditAsLines edit = linesOfEdit(from, to, {}, {}, {}, plain.kinds);
            QVERIFY2(edit.isExact, qPrintable(textOf(edit)));
            QCOMPARE(edit.lines.size(), std::size_t{1});
        }
    }

    void theSelectionIsToldOnlyWhereALineIsAboutIt() {
        const Chain chain;
        const LayerId act = chain.id("act");
        Design after = chain.design;
        (void)setBypassed(after, {}, {act}, true);
        const MacroState state = MacroState::atStart({}, {chain.id("conv")});
        const EditAsLines edit = linesOfEdit(chain.design, after, state, {}, {act}, chain.kinds);
        QCOMPARE(textOf(edit), QStringLiteral("edit.select $1>\nlayer.bypass on"));
        QVERIFY(edit.isExact);
        QCOMPARE(edit.state.selected, std::vector{act});
    }

    void anEditInsideAGroupEntersIt() {
        Chain chain;
        const LayerId group = makeGroup(chain.design, {}, {chain.id("act")}, "block").layer();
        QVERIFY(group != LayerId{});
        const NetworkPath inside{"block"};
        Design after = chain.design;
        const LayerId act = networkAt(after, inside).layers.front().id;
        (void)setPinned(after, inside, {act}, true);
        const EditAsLines edit = linesOfEdit(chain.design, after, {}, inside, {act}, chain.kinds);
        QCOMPARE(textOf(edit), QStringLiteral("layer.enter block\nedit.select act\nlayer.pin on"));
        QVERIFY(edit.isExact);
    }

    void whatNoLineSaysIsAGap() {
        const Chain chain;
        const EditAsLines edit = told(chain,
                                      [](Design& design) {
                                          design.groups.push_back({.name = "empty"});
                                          return Edited{};
                                      },
                                      {});
        QVERIFY(!edit.isExact);
    }

    void wrongLinesChangeNothingAndSayWhy_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("why");
        QTest::newRow("attribute") << "layer.set units 3"
                                   << "conv has no attribute units";
        QTest::newRow("layer") << "layer.mute on for nobody"
                               << "there is no layer nobody here";
        QTest::newRow("kind") << "layer.add nonsense"
                              << "there is no layer kind nonsense";
        QTest::newRow("output") << "wire.connect $1.z -> fc.x"
                                << "there is no output $1.z here";
        QTest::newRow("input") << "wire.connect $1.y -> fc.z"
                               << "there is no input fc.z here";
        QTest::newRow("wire") << "wire.remove picture.x"
                              << "no wire ends at picture.x";
        QTest::newRow("assignment") << "layer.assign sideways"
                                    << "sideways is not an assignment";
        QTest::newRow("flag") << "layer.mute maybe"
                              << "maybe is neither on nor off";
        QTest::newRow("surplus") << "layer.mute on off"
                                 << "off is surplus: the arguments are on|off [for LAYER ...]";
        QTest::newRow("place") << "layer.add relu at 3"
                               << "a position is two numbers";
        QTest::newRow("number") << "frame.remove 1"
                                << "there are 0 here";
        QTest::newRow("no group") << "port.set output y $1.y"
                                  << "enter a group first";
        QTest::newRow("default assignment") << "design.assign sideways"
                                            << "sideways is not an assignment";
        QTest::newRow("setting") << "design.set units 3"
                                 << "a setting begins with training. or data.";
    }
    void wrongLinesChangeNothingAndSayWhy() {
        QFETCH(const QString, line);
        QFETCH(const QString, why);
        Chain chain;
        MacroState state = MacroState::atStart({}, {chain.id("conv")});
        const QStringList words = splitLine(line).value();
        Design after = chain.design;
        const Edited edited =
            runLine(*findLine(words.front()), {after, state, chain.kinds}, words.mid(1));
        QVERIFY(edited.refusal.has_value());
        QCOMPARE(QString::fromStdString(edited.refusal->text), why);
    }

    void everyLineSaysWhatItTakesAndDoes() {
        QSet<QString> ids;
        for (const MacroLine& line : lineTable()) {
            QVERIFY2(!ids.contains(QLatin1String(line.id)), line.id);
            ids << QLatin1String(line.id);
            QVERIFY2(QByteArray(line.id).contains('.'), line.id);
            QVERIFY2(QByteArray(line.help).size() > 10, line.id);
            QVERIFY2(line.least > 0 || QByteArray(line.arguments).startsWith('['), line.id);
        }
    }
};

std::unique_ptr<QObject> makeTestEditAsLines() { return std::make_unique<TestEditAsLines>(); }

#include "tst_edit_as_lines.moc"
