// SPDX-License-Identifier: Apache-2.0
#include "macros/macro_state.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

namespace {

/// a -> b -> c, and c feeds d and e.
struct Fork {
    Fork() {
        for (const char* name : {"a", "b", "c", "d", "e"}) {
            ids[name] = addLayer(design, {}, {.name = name, .kind = "relu"}).layer();
        }
        for (const auto& [from, to] : {std::pair{"a", "b"}, {"b", "c"}, {"c", "d"}, {"c", "e"}}) {
            (void)connect(design, {}, {ids[from], "y"}, {ids[to], "x"});
        }
        state = MacroState::atStart({}, {ids["a"]});
    }
    Design design;
    std::map<std::string, LayerId> ids;
    MacroState state;
};

} // namespace

class TestMacroState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsLeadToLayersAndBack_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("name");
        QTest::newRow("given") << "$1"
                               << "a";
        QTest::newRow("fed by it") << "$1>"
                                   << "b";
        QTest::newRow("two on") << "$1>>"
                                << "c";
        QTest::newRow("behind a fork") << "d"
                                       << "d";
    }
    void wordsLeadToLayersAndBack() {
        QFETCH(const QString, word);
        QFETCH(const QString, name);
        const Fork fork;
        const LayerId layer = fork.ids.at(name.toStdString());
        QCOMPARE(resolveLayer(fork.design, fork.state, word), layer);
        QCOMPARE(referenceTo(fork.design, fork.state, layer), word);
    }

    void whereThereIsAChoiceNoLayerIsMeant() {
        const Fork fork;
        QVERIFY(!resolveLayer(fork.design, fork.state, "$1>>>"));
        QVERIFY(!resolveLayer(fork.design, fork.state, "$1<"));
        QVERIFY(!resolveLayer(fork.design, fork.state, "$2"));
        QVERIFY(!resolveLayer(fork.design, fork.state, "+1"));
        QVERIFY(!resolveLayer(fork.design, fork.state, "nobody"));
    }

    void whatIsMadeHasANumberUntilItGoes() {
        Fork fork;
        const Design before = fork.design;
        const LayerId made = addLayer(fork.design, {}, {.kind = "relu"}).layer();
        recordAddedLayers(fork.state, before, fork.design);
        QCOMPARE(referenceTo(fork.design, fork.state, made), QStringLiteral("+1"));
        (void)removeLayers(fork.design, {}, {made});
        QVERIFY(!resolveLayer(fork.design, fork.state, "+1"));
    }

    void anEndIsALayerAndItsPort() {
        const Fork fork;
        const Endpoint end{fork.ids.at("b"), "x"};
        QCOMPARE(referenceTo(fork.design, fork.state, end), QStringLiteral("$1>.x"));
        QVERIFY(resolveEndpoint(fork.design, fork.state, "$1>.x") == end);
        QVERIFY(!resolveEndpoint(fork.design, fork.state, "b"));
    }
};

std::unique_ptr<QObject> makeTestMacroState() { return std::make_unique<TestMacroState>(); }

#include "tst_macro_state.moc"
