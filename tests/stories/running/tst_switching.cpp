// SPDX-License-Identifier: Apache-2.0
// From one run to the next while its curves, tracks and tensors are zoomed, scrolled and selected.
#include "history/history_view.h"
#include "monitor/monitor_view.h"
#include "shell/docks/docks.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "ui/runs/run_writer.h"

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

using namespace weft;
using namespace weft::test;

class TestSwitching : public QObject {
    Q_OBJECT

    static constexpr int longWait = 120'000;

    static ui::RunHub& hubOf(WindowStory& story) { return story.window().context().hub; }
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

    /// The runs that go on are known: nobody has to look for their folders.
    void attachListsTheRunsThatGoOn() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        const QString runs = story.folder() + QStringLiteral("/runs/");
        const auto begin = [&](const char* name) {
            auto writer =
                std::make_unique<RunWriter>((runs + name).toStdString(), 1, story.design());
            writer->step(1, {{"loss", 1.0}});
            writer->flush();
            return writer;
        };
        const auto first = begin("2026-01-01_140200_quickstart-digits");
        const auto second = begin("2026-01-02_150200_quickstart-digits");
        story.window().showStart(); // whoever looks away and back sees what has begun meanwhile
        story.window().context().designs.setCurrent(
            story.window().context().designs.all().front().get());
        QTRY_COMPARE_WITH_TIMEOUT(story.window().context().unseenRuns().size(), qsizetype{2},
                                  longWait);
        story.command("run.attach");
        auto* list = story.window().findChild<QWidget*>(QStringLiteral("attach"));
        QTRY_VERIFY(list != nullptr && list->isVisible());
        story.picture(QStringLiteral("attach"));
        story.type(QStringLiteral("14:02"));
        story.key(Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(hubOf(story).isLiving(), longWait);
        QCOMPARE(hubOf(story).name(), QStringLiteral("2026-01-01_140200_quickstart-digits"));
    }

    /// A design for GPUs that are elsewhere has no problem, and cannot run here.
    void whatCannotRunHereSaysWhatIsMissingAndWhatToDo() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        QTRY_VERIFY_WITH_TIMEOUT(story.window().context().machine() != nullptr, longWait);
        shorten(story);
        story.page().design().document().edit("devices", [](Design& design) {
            design.devices = {{.name = "cuda:0", .sheet = "h100"},
                              {.name = "cuda:1", .sheet = "h100"}};
            design.assignment = {.devices = {"cuda:0", "cuda:1"}, .words = {AxisWord::data}};
            return Edited{};
        });
        QVERIFY(story.waitForCheck());
        const QString missing = QStringLiteral("cuda:0 and cuda:1 are not on this machine");
        QTRY_VERIFY(std::ranges::any_of(
            story.window().findChildren<QPushButton*>(),
            [&](const QPushButton* button) { return button->text().contains(missing); }));
        QString asked;
        QString pressed = QStringLiteral("Plan only");
        QTimer looking;
        connect(&looking, &QTimer::timeout, &looking, [&] {
            auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (question == nullptr) {
                return;
            }
            asked = question->text();
            (void)savePicture(*question, QStringLiteral("devices-not-here"));
            for (QAbstractButton* button : question->buttons()) {
                if (button->text().remove('&') == pressed) {
                    QTest::mouseClick(button, Qt::LeftButton);
                    return;
                }
            }
            question->reject();
            QFAIL(qPrintable(pressed));
        });
        looking.start(20);
        story.command("run.start");
        QVERIFY2(asked.contains(missing), qPrintable(asked));
        QVERIFY(story.window().context().control.tickets().empty());
        pressed = QStringLiteral("Use CPUs of this machine");
        story.command("run.start");
        QCOMPARE(story.design().devices[1].name, std::string("cpu:1"));
        QTRY_VERIFY_WITH_TIMEOUT(hubOf(story).lastStep() == 6 && !hubOf(story).isLiving(),
                                 longWait);
        QVERIFY2(hubOf(story).failureText().isEmpty(), qPrintable(hubOf(story).failureText()));
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
