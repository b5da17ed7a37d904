// SPDX-License-Identifier: Apache-2.0
// Edits with keys and mouse become a macro, which repeats them on other layers in one undo step.
#include "macros/lines_table.h"
#include "panels/help/help_panel.h"
#include "shell/docks/docks.h"
#include "shell/files.h"
#include "shell/keys/key_list.h"
#include "shell/macros/macro_list.h"
#include "shell/macros/macros.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include <weft/group_edits.h>

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <algorithm>

using namespace weft;
using namespace weft::test;

class TestMacros : public QObject {
    Q_OBJECT

    static constexpr Qt::KeyboardModifiers ctrlAlt = Qt::ControlModifier | Qt::AltModifier;

    /// Without macros that another story left.
    struct Story : WindowStory {
        Story() {
            forget();
            openSample(QStringLiteral("lenet-mnist"));
            page().view().setFocus();
        }
        ~Story() { forget(); }
        [[nodiscard]] ui::Macros& macros() { return window().macros(); }
        void forget() {
            for (const QString& name : macros().files().names()) {
                macros().remove(name);
            }
        }
        void toggleRecording() {
            page().view().setFocus();
            key(Qt::Key_R, ctrlAlt);
        }
        [[nodiscard]] ui::MacroList* list() { return window().findChild<ui::MacroList*>(); }
        void closeList() {
            delete list();
            window().activateWindow();
            (void)QTest::qWaitForWindowActive(&window());
            page().view().setFocus();
        }
        [[nodiscard]] const Layer& layer(const char* name) {
            return *findLayer(design().network, std::string_view(name));
        }
        [[nodiscard]] QAction* action(const QString& id) {
            return window().context().commands.find(id);
        }
        [[nodiscard]] int steps() { return page().design().document().history().index(); }
    };

    static QString messageOf(const QSignalSpy& notices) {
        return notices.isEmpty() ? QString() : notices.last()[0].toString();
    }

private Q_SLOTS:
    void whatHandsDoIsDoneToOtherLayersAsOneStep() {
        Story story;
        const LayerId first = story.layerNamed("conv1");
        const LayerId second = story.layerNamed("conv2");
        QSignalSpy missed(&story.macros().recorder(), &ui::MacroRecorder::editNotRecorded);
        story.click(first);
        story.toggleRecording();
        QVERIFY(story.macros().recorder().isRecording());
        story.key(Qt::Key_1, Qt::AltModifier);
        story.drag(story.centre(first), story.centre(first) + QPoint(120, 0));
        story.key(Qt::Key_P);
        story.toggleRecording();
        QTRY_VERIFY(story.list() != nullptr);
        QTRY_VERIFY(story.list()->findChild<QLineEdit*>()->hasFocus());
        story.type(QStringLiteral("Beside"));
        story.key(Qt::Key_Return);
        QCOMPARE(story.macros().files().names(), QStringList{QStringLiteral("Beside")});
        const QStringList lines =
            story.macros().files().text(QStringLiteral("Beside")).trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[0], QStringLiteral("parallel.data"));
        QVERIFY2(lines[1].startsWith(QLatin1String("layer.move ")), qPrintable(lines[1]));
        QCOMPARE(lines[2], QStringLiteral("layer.pin"));
        story.closeList();

        const Design before = story.design();
        const Point stood = *story.layer("conv2").position;
        const Point moved = *story.layer("conv1").position;
        const int steps = story.steps();
        story.click(second);
        story.key(Qt::Key_P, ctrlAlt);
        QCOMPARE(story.layer("conv2").assignment->words, std::vector{AxisWord::data});
        QVERIFY(story.layer("conv2").pinned);
        QVERIFY(story.layer("conv2").position->x > stood.x);
        QCOMPARE(story.layer("conv2").position->y, stood.y);
        QCOMPARE(story.layer("conv1").position->x, moved.x);
        QCOMPARE(story.steps(), steps + 1);
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(story.design() == before);
        QCOMPARE(missed.count(), 0);
    }

    void layersAddedBelowTheSelectionAreAddedBelowAnother() {
        Story story;
        story.click(story.layerNamed("conv1"));
        story.toggleRecording();
        for (const char* kind : {"relu", "add"}) {
            story.key(Qt::Key_Tab);
            story.type(QString::fromUtf8(kind));
            story.key(Qt::Key_Return);
        }
        const QString text = story.macros().recorder().stop();
        const auto added = [&] {
            const Network& network = story.design().network;
            const Layer& last = network.layers.back();
            const Layer& first = network.layers[network.layers.size() - 2];
            const Wire& in = network.wires[network.wires.size() - 2];
            const Wire& out = network.wires.back();
            return first.kind == "relu" && last.kind == "add" && in.to.layer == first.id &&
                           out.from.layer == first.id && out.to == Endpoint{last.id, "x0"}
                       ? in.from.layer
                       : LayerId{};
        };
        QCOMPARE(added(), story.layerNamed("conv1"));
        const int steps = story.steps();
        story.page().design().selection().select({story.layerNamed("conv2")});
        const ui::PlayedMacro played = story.macros().player().play(QStringLiteral("again"), text);
        QVERIFY2(played.succeeded(), qPrintable(played.message()));
        QCOMPARE(added(), story.layerNamed("conv2"));
        QCOMPARE(story.steps(), steps + 1);
    }

    void aLayerThatIsAddedAndWiredFollowsTheSelection() {
        Story story;
        story.page().view().camera().zoomTo(1, {});
        const LayerId first = story.layerNamed("conv1");
        story.page().view().camera().reveal(first);
        story.click(first);
        const std::size_t count = story.design().network.layers.size();
        story.toggleRecording();
        const QPoint free = story.centre(first) + QPoint(260, 40);
        QTest::mouseDClick(&story.page().view(), Qt::LeftButton, {}, free);
        story.type(QStringLiteral("dropout"));
        story.key(Qt::Key_Return);
        QCOMPARE(story.design().network.layers.size(), count + 1);
        const LayerId made = story.page().design().selection().current();
        story.drag(story.port(first, false), story.port(made, true));
        QCOMPARE(story.design().network.layers.back().kind, std::string("dropout"));
        const QString text = story.macros().recorder().stop();
        QVERIFY2(text.contains(QLatin1String("layer.add dropout by ")), qPrintable(text));
        QVERIFY2(text.contains(QLatin1String("wire.connect $1.y -> +1.x")), qPrintable(text));

        const LayerId second = story.layerNamed("conv2");
        story.page().design().selection().select({second});
        const ui::PlayedMacro played = story.macros().player().play(QStringLiteral("again"), text);
        QVERIFY2(played.succeeded(), qPrintable(played.message()));
        const Wire& wire = story.design().network.wires.back();
        QCOMPARE(wire.from.layer, second);
        QCOMPARE(findLayer(story.design().network, wire.to.layer)->kind, std::string("dropout"));
        story.command("edit.undo");
        QCOMPARE(story.design().network.layers.size(), count + 1);
    }

    void undoTakesLinesBackAndRedoBringsThem() {
        Story story;
        ui::MacroRecorder& recorder = story.macros().recorder();
        story.click(story.layerNamed("conv1"));
        story.toggleRecording();
        story.key(Qt::Key_M);
        story.key(Qt::Key_B);
        QCOMPARE(recorder.text(), QStringLiteral("layer.mute\nlayer.bypass\n"));
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(recorder.text(), QStringLiteral("layer.mute\n"));
        story.key(Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(recorder.text(), QStringLiteral("layer.mute\nlayer.bypass\n"));
        story.key(Qt::Key_Z, Qt::ControlModifier);
        story.key(Qt::Key_P);
        QCOMPARE(recorder.text(), QStringLiteral("layer.mute\nlayer.pin\n"));
        (void)recorder.stop();
    }

    void theStripMarksARecordingAndAClickEndsIt() {
        Story story;
        auto* mark = story.window().findChild<QPushButton*>(QStringLiteral("recording"));
        QVERIFY(mark != nullptr && !mark->isVisible());
        story.click(story.layerNamed("conv1"));
        story.toggleRecording();
        QTRY_VERIFY(mark->isVisible());
        story.key(Qt::Key_M);
        QTRY_VERIFY2(mark->text().contains(QStringLiteral("1 line")), qPrintable(mark->text()));
        QTest::mouseClick(mark, Qt::LeftButton);
        QVERIFY(!mark->isVisible());
        QTRY_VERIFY(story.list() != nullptr);
        QCOMPARE(story.macros().files().names(), QStringList{QStringLiteral("Macro 1")});
        story.closeList();
    }

    void aRecordingOfNothingIsNoMacro() {
        Story story;
        QSignalSpy notices(&story.window().context(), &ui::WindowContext::notice);
        story.toggleRecording();
        story.toggleRecording();
        QVERIFY(messageOf(notices).contains(QStringLiteral("Nothing was done")));
        QVERIFY(story.list() == nullptr);
        QCOMPARE(story.macros().files().names(), QStringList());
    }

    void aLineThatCannotBeDoneStopsItAndUndoTakesAllBack() {
        Story story;
        story.click(story.layerNamed("conv1"));
        const Design before = story.design();
        QVERIFY(story.macros().write(QStringLiteral("Broken"),
                                     QStringLiteral("# remark\nlayer.mute on\n"
                                                    "layer.set units 3\nlayer.pin on\n")));
        QSignalSpy notices(&story.window().context(), &ui::WindowContext::notice);
        story.action(ui::Macros::commandOf(QStringLiteral("Broken")))->trigger();
        QCOMPARE(messageOf(notices),
                 QStringLiteral("Broken stopped at line 3 (layer.set units 3): conv1 has no "
                                "attribute units"));
        QVERIFY(story.layer("conv1").muted);
        QVERIFY(!story.layer("conv1").pinned);
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(story.design() == before);
    }

    void whatIsGreyedOrAsksIsNotDone_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("why");
        QTest::newRow("nothing selected") << "layer.group"
                                          << "Select a layer first";
        QTest::newRow("asks") << "help.keys"
                              << "it opens a dialog or acts outside the design";
        QTest::newRow("asks without words") << "layer.add"
                                            << "its arguments are KIND";
        QTest::newRow("takes nothing") << "edit.select-all now"
                                       << "it takes no arguments";
        QTest::newRow("unknown") << "layer.fly"
                                 << "there is no such command";
        QTest::newRow("open quote") << "layer.note \"a"
                                    << "a quote is not closed";
        QTest::newRow("gap") << "macros.gap Paste"
                             << "no line can express it";
    }
    void whatIsGreyedOrAsksIsNotDone() {
        QFETCH(const QString, line);
        QFETCH(const QString, why);
        Story story;
        story.page().design().selection().clear();
        const ui::PlayedMacro played = story.macros().player().play(QStringLiteral("one"), line);
        QCOMPARE(played.line, 1);
        QVERIFY2(played.reason.contains(why), qPrintable(played.reason));
        QCOMPARE(story.steps(), 0);
    }

    void macrosPlayOneAnotherButNotInACircle() {
        Story story;
        story.click(story.layerNamed("conv1"));
        story.macros().write(QStringLiteral("Quiet one"), QStringLiteral("layer.mute on\n"));
        story.macros().write(QStringLiteral("Outer"),
                             QStringLiteral("\"macro.Quiet one\"\nlayer.pin on\n"));
        QVERIFY(story.macros().play(QStringLiteral("Outer")));
        QVERIFY(story.layer("conv1").muted && story.layer("conv1").pinned);
        QCOMPARE(story.steps(), 1);
        story.macros().write(QStringLiteral("Circle"), QStringLiteral("macro.Circle\n"));
        QSignalSpy notices(&story.window().context(), &ui::WindowContext::notice);
        story.macros().play(QStringLiteral("Circle"));
        QVERIFY2(messageOf(notices).contains(QStringLiteral("in a cycle")),
                 qPrintable(messageOf(notices)));
    }

    void aMacroIsACommandWithAKeyThatStaysWithIt() {
        Story story;
        story.macros().write(QStringLiteral("Hush"), QStringLiteral("layer.mute on\n"));
        const QString id = ui::Macros::commandOf(QStringLiteral("Hush"));
        ui::CommandSet& commands = story.window().context().commands;
        commands.setKeys(id, {QKeySequence(Qt::CTRL | Qt::Key_K)});
        story.click(story.layerNamed("conv1"));
        story.key(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(story.layer("conv1").muted);
        // In the menu, and in the palette by its name.
        QVERIFY(std::ranges::any_of(story.window().findChildren<QMenu*>(), [&](QMenu* menu) {
            return menu->actions().contains(story.action(id));
        }));
        story.click(story.layerNamed("conv2"));
        story.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        story.type(QStringLiteral("hush"));
        story.key(Qt::Key_Return);
        QVERIFY(story.layer("conv2").muted);
        // The next session finds it.
        QVERIFY(story.macros().rename(QStringLiteral("Hush"), QStringLiteral("Quiet")));
        QVERIFY(story.action(id) == nullptr);
        const QString renamed = ui::Macros::commandOf(QStringLiteral("Quiet"));
        QCOMPARE(story.action(renamed)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_K));
        ui::MainWindow next(story.look());
        QCOMPARE(next.context().commands.find(renamed)->shortcut(),
                 QKeySequence(Qt::CTRL | Qt::Key_K));
        QVERIFY(story.macros().remove(QStringLiteral("Quiet")));
        QVERIFY(!QSettings().contains("keys/" + renamed));
    }

    void aLineIsTypedIntoThePalette() {
        Story story;
        story.click(story.layerNamed("conv1"));
        story.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        story.type(QStringLiteral("layer.set filters 33"));
        story.key(Qt::Key_Return);
        QCOMPARE(story.layer("conv1").attributes.integer("filters"), std::int64_t{33});
        QCOMPARE(story.steps(), 1);
        // While a macro is recorded it becomes one of its lines.
        story.toggleRecording();
        story.macros().playLine(QStringLiteral("layer.set filters 34"));
        QCOMPARE(story.macros().recorder().stop(), QStringLiteral("layer.set filters 34\n"));
    }

    void whatDefinesAGroupIsRecordedAndPlayed() {
        Story story;
        story.click(story.layerNamed("conv1"));
        story.command("layer.group");
        const std::string group = story.design().groups.front().name;
        story.page().design().selection().enter({group});
        QSignalSpy missed(&story.macros().recorder(), &ui::MacroRecorder::editNotRecorded);
        story.toggleRecording();
        const Design before = story.design();
        const int steps = story.steps();
        ui::DesignDocument& document = story.page().design().document();
        document.edit("A parameter", [&](Design& design) {
            return setParameter(design, group, "wide", std::int64_t{8});
        });
        document.edit("A port", [&](Design& design) {
            const GroupDefinition& made = *design.group(group);
            return renamePort(design, group, PortSide::output, made.outputs.front().name, "maps");
        });
        document.edit("A name", [](Design& design) {
            design.name = "Another";
            return Edited{};
        });
        document.edit("For all", [](Design& design) {
            design.assignment.words = {AxisWord::data};
            return Edited{};
        });
        QCOMPARE(missed.count(), 0);
        const Design after = story.design();
        const QString text = story.macros().recorder().stop();
        QCOMPARE(text.count('\n'), 4);
        while (story.steps() > steps) {
            story.key(Qt::Key_Z, Qt::ControlModifier);
        }
        QVERIFY(story.design() == before);
        const ui::PlayedMacro played = story.macros().player().play(QStringLiteral("again"), text);
        QVERIFY2(played.succeeded(), qPrintable(played.message()));
        QVERIFY(story.design() == after);
        QCOMPARE(story.steps(), steps + 1);
    }

    void linesAreWrittenByHandInTheList() {
        Story story;
        story.command("macros.edit");
        QTRY_VERIFY(story.list() != nullptr);
        const auto button = [&](const QString& text) {
            const auto all = story.list()->findChildren<QPushButton*>();
            return *std::ranges::find(all, text, &QPushButton::text);
        };
        QVERIFY(!button(QStringLiteral("Play"))->isEnabled());
        QTest::mouseClick(button(QStringLiteral("New")), Qt::LeftButton);
        auto* field = story.list()->findChild<QPlainTextEdit*>();
        QTest::keyClicks(field, QStringLiteral("layer.mut on"));
        const auto says = [&](const QString& text) {
            const auto all = story.list()->findChildren<QLabel*>();
            return std::ranges::any_of(
                all, [&](const QLabel* label) { return label->text().contains(text); });
        };
        QVERIFY(says(QStringLiteral("line 1 (layer.mut on): there is no such command")));
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(field, Qt::Key_Left);
        }
        QTest::keyClicks(field, QStringLiteral("e"));
        QVERIFY(!says(QStringLiteral("there is no such command")));
        QCOMPARE(story.macros().files().text(QStringLiteral("Macro 1")),
                 QStringLiteral("layer.mute on"));
        story.page().design().selection().select({story.layerNamed("conv1")});
        QTest::mouseClick(button(QStringLiteral("Play")), Qt::LeftButton);
        QVERIFY(story.layer("conv1").muted);
    }

    void theHelpListsEveryLine() {
        Story story;
        story.command("macros.lines");
        auto* help =
            static_cast<ui::HelpPanel*>(story.window().docks().panel(QStringLiteral("help")));
        QTRY_VERIFY(help->isVisible());
        QCOMPARE(help->page(), QStringLiteral("page:lines"));
        for (const ui::LineInfo& line : story.window().context().commands.lines()) {
            QVERIFY2(help->text().contains(line.id + ' ' + line.arguments), qPrintable(line.id));
            QVERIFY2(help->text().contains(line.help), qPrintable(line.id));
        }
        for (const ui::CommandInfo& command : story.window().context().commands.all()) {
            QVERIFY2(!command.isReplayed ||
                         (help->text().contains(command.help) && help->text().contains(command.id)),
                     qPrintable(command.id));
        }
    }

    void anotherDesignEndsARecording() {
        Story story;
        story.click(story.layerNamed("conv1"));
        story.toggleRecording();
        story.key(Qt::Key_M);
        story.window().files().newDesign();
        QVERIFY(!story.macros().recorder().isRecording());
        QCOMPARE(story.macros().files().text(QStringLiteral("Macro 1")),
                 QStringLiteral("layer.mute\n"));
    }

    void itIsSeenInBothThemes_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1600") << QSize(1600, 1000);
        QTest::newRow("1366") << QSize(1366, 768);
    }
    void itIsSeenInBothThemes() {
        QFETCH(const QSize, size);
        Story story;
        story.window().resize(size);
        const QString name = QStringLiteral("macros-%1").arg(size.width());
        story.click(story.layerNamed("conv1"));
        story.toggleRecording();
        story.key(Qt::Key_M);
        story.key(Qt::Key_1, Qt::AltModifier);
        saveBothThemes(story.look(), story.window(), name + "-recording");
        story.toggleRecording();
        QTRY_VERIFY(story.list() != nullptr);
        saveBothThemes(story.look(), *story.list(), name + "-list");
        story.closeList();
        story.command("macros.lines");
        saveBothThemes(story.look(), story.window(), name + "-lines");
        QVERIFY(!story.macros().recorder().isRecording());
    }
};

std::unique_ptr<QObject> makeTestMacros() { return std::make_unique<TestMacros>(); }

#include "tst_macros.moc"
