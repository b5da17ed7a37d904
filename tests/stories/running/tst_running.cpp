// SPDX-License-Identifier: Apache-2.0
// From a sample to a trained network, in a process of its own, through the window alone.
#include "panels/prediction/prediction_panel.h"
#include "shell/docks/docks.h"
#include "shell/files.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "support/view_pictures.h"

#include <QAbstractButton>
#include <QMessageBox>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>

using namespace weft;
using namespace weft::test;

class TestRunning : public QObject {
    Q_OBJECT

    /// Short enough to be waited for.
    static void shorten(WindowStory& story) {
        story.page().design().document().edit("steps", [](Design& design) {
            design.training.epochs = 0;
            design.training.steps = 12;
            design.data.attributes.set("count", std::int64_t{640});
            return Edited{};
        });
        QVERIFY(story.waitForCheck());
    }
    /// As if each device had so much.
    static void giveMemory(WindowStory& story, Bytes memory, bool isEnough) {
        ui::WindowContext& context = story.window().context();
        QTRY_VERIFY_WITH_TIMEOUT(context.machine() != nullptr, 20'000);
        auto report = std::make_shared<MachineReport>(*context.machine());
        for (DeviceSheet& device : report->machine.devices) {
            device.memory = memory;
        }
        context.setMachine(report);
        story.page().design().check().setMachine(report->machine);
        QTRY_VERIFY(std::ranges::none_of(
                        story.page().design().check().answer()->preview->problems,
                        [](const Diagnostic& one) { return one.code == "W070"; }) == isEnough);
    }
    /// Ctrl+Enter on the canvas; what is asked then is answered by a click on the button of these
    /// words. What was asked; empty: nothing was.
    static QString runAnd(WindowStory& story, const QString& answer) {
        QString asked;
        QTimer looking;
        connect(&looking, &QTimer::timeout, &looking, [&] {
            auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (question == nullptr) {
                return;
            }
            looking.stop();
            asked = question->text() + '\n' + question->informativeText();
            (void)savePicture(*question, QStringLiteral("memory-question"));
            for (QAbstractButton* button : question->buttons()) {
                if (button->text().remove('&') == answer) {
                    QTest::mouseClick(button, Qt::LeftButton);
                    return;
                }
            }
            question->reject();
            QFAIL(qPrintable(answer));
        });
        looking.start(20);
        story.window().activateWindow(); // a question before has taken the keys
        if (!QTest::qWaitForWindowActive(&story.window())) {
            return {};
        }
        story.page().view().setFocus();
        story.key(Qt::Key_Return, Qt::ControlModifier);
        return asked;
    }

private Q_SLOTS:
    void whatAStoryRunsDiesWithIt() {
        if (QStandardPaths::findExecutable(QStringLiteral("setpriv")).isEmpty()) {
            QSKIP("setpriv is not there");
        }
        const WindowStory story;
        QTemporaryDir folder;
        // In the place of the story a shell, since it is to be killed.
        const QString script = QStringLiteral(
            "WEFT_STORY=$$ weft run \"$1\" --set training.epochs=1000000 --run \"$2\" "
            ">/dev/null 2>&1 & echo $!; wait");
        QProcess shell;
        shell.start(QStringLiteral("sh"),
                    {"-c", script, "sh",
                     QString::fromStdString(
                         (sourceFolder() / "projects/quickstart-digits/design.weft").string()),
                     folder.filePath("run")});
        QVERIFY(shell.waitForReadyRead());
        const QString run = "/proc/" + QString::fromLatin1(shell.readLine()).trimmed() + "/exe";
        const auto lives = [&] {
            return QFileInfo(run).symLinkTarget().endsWith(QLatin1String("/weft"));
        };
        QTRY_VERIFY(lives());
        QTRY_VERIFY(QDir(folder.filePath("run")).exists());
        shell.kill();
        QVERIFY(shell.waitForFinished());
        QTRY_VERIFY(!lives());
    }

    void aSampleRunsAndItsLossIsSeen() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        shorten(story);
        ui::RunHub& hub = story.window().context().hub;
        story.command("run.start");
        constexpr int patience = 120000;
        QVERIFY(QTest::qWaitFor(
            [&] { return hub.isOpen() && !hub.isLiving() && hub.lastStep() > 0; }, patience));
        QVERIFY2(hub.failureText().isEmpty(), qPrintable(hub.failureText()));
        QCOMPARE(hub.lastStep(), std::int64_t{12});
        QVERIFY(story.window().docks().workspace() == ui::Workspace::run);
        // Measured times are shown on the canvas beside predicted ones.
        const ui::NodeView* node = story.page().view().list().node(story.layerNamed("conv1"));
        QVERIFY(node != nullptr && node->predicted > 0);
        QVERIFY(QTest::qWaitFor(
            [&] {
                // A run of less than a second reports no sums.
                return story.page().view().live().nodes().contains(story.layerNamed("conv1")) ||
                       hub.sums().mean().empty();
            },
            patience));
        for (const QSize size : {QSize(1600, 1000), QSize(1366, 768)}) {
            story.window().resize(size);
            QCoreApplication::processEvents();
            story.window().docks().reset();
            QCoreApplication::processEvents();
            QCOMPARE(story.window().size(), size); // nothing in it asks for more
            for (const ui::Look::Choice choice :
                 {ui::Look::Choice::dark, ui::Look::Choice::light}) {
                story.look().choose(choice);
                story.picture(QStringLiteral("run-%1-%2")
                                  .arg(size.width())
                                  .arg(choice == ui::Look::Choice::dark ? "dark" : "light"));
            }
        }
        // And in Design below what was predicted.
        story.window().docks().setWorkspace(ui::Workspace::design);
        const auto* predicted = qobject_cast<ui::PredictionPanel*>(
            story.window().docks().panel(QStringLiteral("prediction")));
        QTRY_VERIFY(predicted->figures().size() == 4 &&
                    !predicted->figures().front().measured.isEmpty());
        QVERIFY(!predicted->figures().back().measured.isEmpty()); // the memory it was given
        QVERIFY(predicted->accessibleName().contains(QStringLiteral("in the last run")));
        story.picture(QStringLiteral("design-measured"));
    }

    void aDesignWithErrorsIsNotRun() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        story.page().design().selection().select({story.layerNamed("fc1")});
        story.command("edit.delete");
        QVERIFY(story.waitForCheck());
        story.command("run.start");
        QVERIFY(story.window().context().control.tickets().empty());
    }

    void anOverflowIsAskedAboutBeforeTheRun() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        shorten(story);
        giveMemory(story, Bytes{1'000'000}, false);
        ui::RunControl& control = story.window().context().control;
        const QString asked = runAnd(story, QStringLiteral("Cancel"));
        QVERIFY2(asked.contains(QStringLiteral("cpu:0 would run out of memory")),
                 qPrintable(asked));
        QVERIFY2(asked.contains(QStringLiteral("layer conv1 uses the most")), qPrintable(asked));
        QVERIFY2(asked.contains(QStringLiteral("lower the batch to ")), qPrintable(asked));
        QVERIFY(control.tickets().empty());
        QVERIFY(!runAnd(story, QStringLiteral("Run anyway")).isEmpty());
        QCOMPARE(control.tickets().size(), std::size_t{1});
        QTRY_VERIFY_WITH_TIMEOUT(!control.isBusy(), 120'000);
        // Whoever reads the run's log does so after its end.
        QTRY_COMPARE(story.window().context().hub.lastStep(), std::int64_t{12});
        // With room for it nothing is asked.
        giveMemory(story, Bytes{16'000'000'000}, true);
        QCOMPARE(runAnd(story, {}), QString());
        QCOMPARE(control.tickets().size(), std::size_t{2});
        QTRY_VERIFY_WITH_TIMEOUT(!control.isBusy(), 120'000);
    }
};

std::unique_ptr<QObject> makeTestRunning() { return std::make_unique<TestRunning>(); }

#include "tst_running.moc"
