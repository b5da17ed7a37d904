// SPDX-License-Identifier: Apache-2.0
// From one run to the next while its curves, lanes and tensors are zoomed, scrolled and selected.
#include "../ui/session/run_writer.h"
#include "history/history_view.h"
#include "monitor/monitor_view.h"
#include "shell/docks.h"
#include "support/test_main.h"
#include "window_story.h"

#include <QPushButton>

using namespace weft;
using namespace weft::test;

class TestSwitching : public QObject {
    Q_OBJECT

    static constexpr int longWait = 120'000;

    static ui::RunHub& hubOf(WindowStory& story) { return story.window().bench().hub; }
    static ui::MonitorView& monitorOf(WindowStory& story) {
        return *story.window()
                    .docks()
                    .panel(QStringLiteral("monitor"))
                    ->findChild<ui::MonitorView*>();
    }
    static void shorten(WindowStory& story) {
        story.page().design().document().edit("steps", [](Design& design) {
            design.training.epochs = 0;
            design.training.steps = 6;
            design.training.evaluateEvery = 6;
            design.data.attributes.set("count", std::int64_t{640});
            return Edited{};
        });
        QVERIFY(story.waitForCheck());
    }
    static void runToItsEnd(WindowStory& story) {
        const QString before = hubOf(story).folder();
        story.command("run.start");
        QTRY_VERIFY_WITH_TIMEOUT(hubOf(story).folder() != before && hubOf(story).lastStep() == 6 &&
                                     !hubOf(story).isLiving(),
                                 longWait);
    }
    static void zoomTheLoss(WindowStory& story) {
        QTRY_VERIFY(!monitorOf(story).plots().empty());
        ui::Plot& loss = *monitorOf(story).plots().front();
        QTRY_VERIFY(!loss.visibleRegion().isEmpty());
        story.wheel(loss, ui::curveArea(loss.size()).center(), 3);
        QVERIFY(!monitorOf(story).link().isFollowing());
    }

private Q_SLOTS:
    void aZoomedRunIsRunAgain() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        shorten(story);
        runToItsEnd(story);
        zoomTheLoss(story);
        runToItsEnd(story);
        QVERIFY(monitorOf(story).link().isFollowing());
        QTRY_COMPARE(monitorOf(story).link().x().most, 6.0);
    }

    void anotherRunIsOpenedWhileAPlotIsZoomed() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        const QString runs = story.folder() + QStringLiteral("/runs/");
        const auto write = [&](const QString& name, int steps) {
            RunWriter writer((runs + name).toStdString(), 1, story.design());
            for (int step = 1; step <= steps; ++step) {
                writer.step(step, {{"loss", 1.0 / step}});
            }
            writer.finish(steps);
            writer.flush();
        };
        write(QStringLiteral("long"), 400);
        write(QStringLiteral("short"), 5);
        story.window().docks().setWorkspace(ui::Workspace::run);
        auto* list =
            static_cast<ui::HistoryView*>(story.window().docks().panel(QStringLiteral("history")));
        const auto open = [&](const QString& name, std::int64_t last) {
            story.window().docks().reveal(QStringLiteral("history"));
            QTRY_VERIFY_WITH_TIMEOUT(list->model().find(runs + name) != nullptr, longWait);
            list->choose({runs + name});
            for (auto* button : list->findChildren<QPushButton*>()) {
                if (button->text() == QStringLiteral("Open")) {
                    QTest::mouseClick(button, Qt::LeftButton);
                }
            }
            QTRY_COMPARE_WITH_TIMEOUT(hubOf(story).lastStep(), last, longWait);
            story.window().docks().reveal(QStringLiteral("monitor"));
        };
        open(QStringLiteral("long"), 400);
        zoomTheLoss(story);
        open(QStringLiteral("short"), 5);
        QTRY_COMPARE(monitorOf(story).link().x().most, 5.0);
        zoomTheLoss(story);
        open(QStringLiteral("long"), 400);
        QTRY_COMPARE(monitorOf(story).link().x().most, 400.0);
    }
};

std::unique_ptr<QObject> makeTestSwitching() { return std::make_unique<TestSwitching>(); }

#include "tst_switching.moc"
