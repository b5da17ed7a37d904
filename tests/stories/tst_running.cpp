// SPDX-License-Identifier: Apache-2.0
// From a sample to a trained network, in a process of its own, through the window alone.
#include "shell/docks.h"
#include "shell/files.h"
#include "support/test_main.h"
#include "window_story.h"

using namespace weft;
using namespace weft::test;

class TestRunning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSampleRunsAndItsLossIsSeen() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        story.page().design().document().edit("steps", [](Design& design) {
            design.training.epochs = 0;
            design.training.steps = 12;
            design.data.attributes.set("count", std::int64_t{640});
            return Edited{};
        });
        QVERIFY(story.waitForCheck());
        ui::RunHub& hub = story.window().bench().hub;
        story.command("run.start");
        constexpr int patience = 120000;
        QVERIFY(QTest::qWaitFor(
            [&] { return hub.isOpen() && !hub.isLiving() && hub.lastStep() > 0; }, patience));
        QVERIFY2(hub.failureText().isEmpty(), qPrintable(hub.failureText()));
        QCOMPARE(hub.lastStep(), std::int64_t{12});
        QVERIFY(story.window().docks().workspace() == ui::Workspace::run);
        // What was measured stands on the canvas, beside what was predicted.
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
            for (const ui::Look::Choice choice :
                 {ui::Look::Choice::dark, ui::Look::Choice::light}) {
                story.look().choose(choice);
                story.picture(QStringLiteral("run-%1-%2")
                                  .arg(size.width())
                                  .arg(choice == ui::Look::Choice::dark ? "dark" : "light"));
            }
        }
    }

    void aDesignWithErrorsIsNotRun() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        story.page().design().selection().select({story.layerNamed("fc1")});
        story.command("edit.delete");
        QVERIFY(story.waitForCheck());
        story.command("run.start");
        QVERIFY(story.window().bench().control.tickets().empty());
    }
};

std::unique_ptr<QObject> makeTestRunning() { return std::make_unique<TestRunning>(); }

#include "tst_running.moc"
