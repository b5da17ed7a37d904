// SPDX-License-Identifier: Apache-2.0
// Editing a group's interface in the inspector: ports and parameters added, renamed, changed and
// removed, undone, recorded and played.
#include "shell/docks/docks.h"
#include "shell/macros/macros.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "support/view_pictures.h"

#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTimer>
#include <QToolButton>

using namespace weft;
using namespace weft::test;

class TestGrouping : public QObject {
    Q_OBJECT

    /// Inside a group of conv1 and what follows it, nothing selected.
    struct Story : WindowStory {
        std::string group;
        Design entered; ///< the design before anything is done to the group

        Story() {
            openSample(QStringLiteral("lenet-mnist"));
            page().design().selection().select({layerNamed("conv1"), layerNamed("pool1")});
            page().view().setFocus();
            key(Qt::Key_G, Qt::ControlModifier);
            group = design().groups.front().name;
            key(Qt::Key_Return);
            page().design().selection().clear();
            entered = design();
        }
        [[nodiscard]] QWidget& inspector() {
            window().docks().reveal(QStringLiteral("inspector"));
            return *window().docks().panel(QStringLiteral("inspector"));
        }
        [[nodiscard]] const GroupDefinition& definition() { return *design().group(group); }
        [[nodiscard]] const Layer& instance() {
            return *std::ranges::find(design().network.layers, std::string(groupKind),
                                      &Layer::kind);
        }
        /// From outside.
        void selectInstance() {
            page().design().selection().enter({});
            page().design().selection().select({instance().id});
        }
        template <class T>
        [[nodiscard]] T* part(const QString& name) {
            QCoreApplication::processEvents(); // edits are shown asynchronously
            T* found = nullptr;
            (void)QTest::qWaitFor([&] {
                found = inspector().findChild<T*>(name);
                return found != nullptr && found->isVisible();
            });
            return found;
        }
        void press(const QString& name) {
            QTest::mouseClick(part<QToolButton>(name), Qt::LeftButton);
        }
        /// Chooses an entry of the open menu.
        void choose(const QString& text) {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            for (QAction* action : menu->actions()) {
                if (action->text() == text) {
                    QTest::mouseClick(menu, Qt::LeftButton, {},
                                      menu->actionGeometry(action).center());
                    return;
                }
            }
            menu->close();
            QFAIL(qPrintable(text + " is not offered"));
        }
        /// Into a field in place of what it holds, and on to the next.
        void fill(const QString& name, const QString& typed) {
            auto* field = part<QLineEdit>(name);
            QVERIFY2(field != nullptr, qPrintable(name));
            window().activateWindow(); // a menu was over it
            QVERIFY(QTest::qWaitForWindowActive(&window()));
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, typed);
            QTest::keyClick(field, Qt::Key_Tab);
            QCoreApplication::processEvents();
        }
        [[nodiscard]] int steps() { return page().design().document().history().count(); }
        void undo() { page().design().document().history().undo(); }
    };

private Q_SLOTS:
    void portsAreAddedRenamedChangedAndTakenAway() {
        Story story;
        const std::size_t outputs = story.definition().outputs.size();
        const int steps = story.steps();
        story.press(QStringLiteral("add output"));
        story.choose(QStringLiteral("conv1.y"));
        QCOMPARE(story.definition().outputs.size(), outputs + 1);
        const QString made = QString::fromStdString(story.definition().outputs.back().name);
        story.fill("name output " + made, QStringLiteral("early"));
        QCOMPARE(story.definition().outputs.back().name, std::string("early"));
        story.press(QStringLiteral("inside output early"));
        story.choose(QStringLiteral("pool1.y"));
        const Endpoint end = story.definition().outputs.back().inside.front();
        QCOMPARE(findLayer(story.definition().network, end.layer)->name, std::string("pool1"));
        story.press(QStringLiteral("remove output early"));
        QCOMPARE(story.definition().outputs.size(), outputs);
        QCOMPARE(story.steps(), steps + 4);
        for (int i = 0; i < 4; ++i) {
            story.undo();
        }
        QVERIFY(story.design() == story.entered);
    }

    void anInputFeedsAsManyPortsAsAreTicked() {
        Story story;
        const GroupPort input = story.definition().inputs.front();
        const QString name = QString::fromStdString(input.name);
        story.press("inside input " + name);
        story.choose(QStringLiteral("conv1.x"));
        QVERIFY(story.definition().inputs.front().inside.empty());
        // A port that is free again is offered again.
        story.press("inside input " + name);
        story.choose(QStringLiteral("conv1.x"));
        QVERIFY(story.definition().inputs.front() == input);
        // A port fed by a wire is not offered.
        story.press(QStringLiteral("add input"));
        const auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        for (const QAction* action : menu->actions()) {
            QVERIFY(action->text() != "pool1.x" && action->text() != "conv1.x");
        }
    }

    void aCopyGetsAnInsideAndANameOfItsOwn() {
        Story story;
        story.selectInstance();
        story.command("edit.duplicate");
        const LayerId copy = story.page().design().selection().current();
        const auto inside = [&] { return findLayer(story.design().network, copy)->group; };
        QCOMPARE(inside(), story.group);
        story.command("layer.single");
        QCOMPARE(story.design().groups.size(), std::size_t{2});
        QVERIFY(inside() != story.group);
        QTimer answering;
        connect(&answering, &QTimer::timeout, &answering, [&] {
            if (auto* asked = qobject_cast<QInputDialog*>(QApplication::activeModalWidget())) {
                answering.stop();
                QCOMPARE(asked->textValue().toStdString(), inside());
                asked->setTextValue(QStringLiteral("stage"));
                asked->accept();
            }
        });
        answering.start(20);
        story.command("layer.call-group");
        QCOMPARE(inside(), std::string("stage"));
        QVERIFY(story.design().group(story.group) != nullptr);
    }

    void aParameterIsUsedWhereOneTypesItsName() {
        Story story;
        story.press(QStringLiteral("add parameter"));
        story.fill(QStringLiteral("name parameter parameter"), QStringLiteral("wide"));
        // The hand is in the next field, though all of them are new.
        QTRY_VERIFY(QApplication::focusWidget() != nullptr &&
                    QApplication::focusWidget()->objectName() ==
                        QLatin1String("default parameter wide"));
        story.fill(QStringLiteral("default parameter wide"), QStringLiteral("12"));
        QCOMPARE(story.definition().parameters.integer("wide"), std::int64_t{12});
        // In a field of a layer inside.
        const LayerId conv = story.layerNamed("conv1");
        story.page().design().selection().select({conv});
        story.fill(QStringLiteral("filters"), QStringLiteral("2*wide"));
        const auto inside = [&] {
            return findLayer(story.definition().network, conv)->attributes.integer("filters");
        };
        QCOMPARE(inside(), std::int64_t{24});
        // Which then keeps it from going, and follows its name and its default.
        story.page().design().selection().clear();
        QSignalSpy notices(&story.window().context(), &ui::WindowContext::notice);
        story.press(QStringLiteral("remove parameter wide"));
        QCOMPARE(notices.count(), 1);
        QVERIFY(story.definition().parameters.has("wide"));
        story.fill(QStringLiteral("name parameter wide"), QStringLiteral("broad"));
        QCOMPARE(findLayer(story.definition().network, conv)->expressions.at("filters"),
                 std::string("2*broad"));
        story.fill(QStringLiteral("default parameter broad"), QStringLiteral("20"));
        QCOMPARE(inside(), std::int64_t{40});
        // An instance says another, in the same panel.
        story.selectInstance();
        story.fill(QStringLiteral("broad"), QStringLiteral("8"));
        QCOMPARE(story.instance().attributes.integer("broad"), std::int64_t{8});
        QVERIFY(story.part<QLineEdit>(QStringLiteral("default parameter broad")) != nullptr);
    }

    void aNameThatCannotBeComesBack() {
        Story story;
        story.press(QStringLiteral("add parameter"));
        QSignalSpy notices(&story.window().context(), &ui::WindowContext::notice);
        story.fill(QStringLiteral("name parameter parameter"), QStringLiteral("2 wide"));
        QCOMPARE(notices.count(), 1);
        QCOMPARE(story.part<QLineEdit>(QStringLiteral("name parameter parameter"))->text(),
                 QStringLiteral("parameter"));
        story.fill(QStringLiteral("default parameter parameter"), QStringLiteral("much"));
        QCOMPARE(story.part<QLineEdit>(QStringLiteral("default parameter parameter"))->text(),
                 QStringLiteral("1"));
    }

    void theWayOutStandsAboveTheCanvas() {
        Story story;
        QToolButton* here = nullptr;
        for (auto* button : story.page().findChildren<QToolButton*>()) {
            if (button->text() == QString::fromStdString(story.group)) {
                here = button;
            }
        }
        QVERIFY(here != nullptr && here->isVisible());
        QVERIFY(here->parentWidget()->rect().contains(here->geometry()));
    }

    void eachGestureIsALine() {
        Story story;
        ui::MacroRecorder& recorder = story.window().macros().recorder();
        QSignalSpy missed(&recorder, &ui::MacroRecorder::editNotRecorded);
        story.command("macros.record");
        const QString input = QString::fromStdString(story.definition().inputs.front().name);
        story.press(QStringLiteral("add output"));
        story.choose(QStringLiteral("conv1.y"));
        const QString made = QString::fromStdString(story.definition().outputs.back().name);
        story.fill("name output " + made, QStringLiteral("early"));
        story.press("inside input " + input);
        story.choose(QStringLiteral("conv1.x"));
        story.press(QStringLiteral("remove output early"));
        story.press(QStringLiteral("add parameter"));
        story.fill(QStringLiteral("name parameter parameter"), QStringLiteral("wide"));
        story.fill(QStringLiteral("default parameter wide"), QStringLiteral("0.5"));
        story.press(QStringLiteral("remove parameter wide"));
        const QString lines = recorder.stop();
        QCOMPARE(lines, "port.set output " + made + " conv1.y\nport.rename output " + made +
                            " early\nport.set input " + input +
                            "\nport.remove output early\nparameter.set parameter "
                            "1\nparameter.rename parameter wide\nparameter.set wide "
                            "0.5\nparameter.remove wide\n");
        QCOMPARE(missed.count(), 0);
    }

    void asPictures() {
        Story story;
        story.press(QStringLiteral("add parameter"));
        story.press(QStringLiteral("add output"));
        story.choose(QStringLiteral("conv1.y"));
        for (const auto theme : {ui::Look::Choice::dark, ui::Look::Choice::light}) {
            story.look().choose(theme);
            QVERIFY(story.waitForAnswers());
            story.picture(theme == ui::Look::Choice::dark ? QStringLiteral("group-dark")
                                                          : QStringLiteral("group-light"));
        }
        story.selectInstance();
        QVERIFY(story.part<QLineEdit>(QStringLiteral("default parameter parameter")) != nullptr);
        story.picture(QStringLiteral("group-instance-light"));
    }
};

std::unique_ptr<QObject> makeTestGrouping() { return std::make_unique<TestGrouping>(); }

#include "tst_grouping.moc"
