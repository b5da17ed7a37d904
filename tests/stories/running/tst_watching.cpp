// SPDX-License-Identifier: Apache-2.0
// A run in a process of its own under the hands: held, stepped, stopped and resumed by clicks,
// edited meanwhile, killed, left alone and found again.
#include "canvas/page/live_feed.h"
#include "history/history_view.h"
#include "monitor/log_view.h"
#include "shell/bars/run_strip.h"
#include "shell/bars/top_bar.h"
#include "shell/docks/docks.h"
#include "shell/files.h"
#include "stories/window_story.h"
#include "support/places.h"
#include "support/test_main.h"
#include "ui/runs/run_writer.h"

#include <QApplication>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <csignal>

using namespace weft;
using namespace weft::test;

class TestWatching : public QObject {
    Q_OBJECT

    static constexpr int longWait = 120'000;
    static constexpr std::int64_t endless = 1'000'000;

    static ui::RunHub& hubOf(WindowStory& story) { return story.window().context().hub; }

    static void prepare(WindowStory& story, std::int64_t steps) {
        story.page().design().document().edit("steps", [steps](Design& design) {
            design.training.epochs = 0;
            design.training.steps = steps;
            design.training.seconds = 600; // limits the run if the test crashes
            design.training.checkpointEvery = 20;
            design.training.evaluateEvery = steps;
            return Edited{};
        });
        QVERIFY(story.waitForCheck());
    }
    static void open(WindowStory& story, std::int64_t steps) {
        story.openSample(QStringLiteral("quickstart-digits"));
        prepare(story, steps);
    }
    /// The bar's button of a command; nullptr where it is not seen.
    static QPushButton* button(WindowStory& story, const char* command) {
        for (auto* one : story.window().bar().findChildren<QPushButton*>()) {
            if (one->property("command").toString() == QLatin1String(command) && one->isVisible()) {
                return one;
            }
        }
        return nullptr;
    }
    static void press(WindowStory& story, const char* command) {
        // The bar follows the run, which has just begun or ended.
        QTRY_VERIFY2(button(story, command) != nullptr, command);
        QPushButton* found = button(story, command);
        QVERIFY2(found->isEnabled(), command);
        QTest::mouseClick(found, Qt::LeftButton);
    }
    static void startAndWait(WindowStory& story, std::int64_t step = 2) {
        press(story, "run.start");
        QTRY_VERIFY_WITH_TIMEOUT(hubOf(story).lastStep() > step, longWait);
    }
    static void stop(WindowStory& story) {
        press(story, "run.stop");
        QTRY_VERIFY_WITH_TIMEOUT(!hubOf(story).isLiving(), longWait);
    }
    static QString why(WindowStory& story, const char* command) {
        QAction* action = story.window().context().commands.find(QLatin1String(command));
        return action->isEnabled() ? QString() : action->toolTip();
    }
    static QPushButton* childButton(QWidget* parent, const QString& text) {
        for (auto* one : parent->findChildren<QPushButton*>()) {
            if (one->text() == text && one->isVisible()) {
                return one;
            }
        }
        return nullptr;
    }

private Q_SLOTS:
    void heldSteppedStoppedAndResumedByClicks() {
        WindowStory story;
        open(story, endless);
        QVERIFY(why(story, "run.pause").contains("No run"));
        QVERIFY(button(story, "run.pause") == nullptr);
        startAndWait(story);
        ui::RunHub& hub = hubOf(story);
        QVERIFY(button(story, "run.start") == nullptr);
        QVERIFY(why(story, "run.resume").contains("not paused"));
        QTRY_VERIFY(story.window().strip().text().contains("running"));
        story.picture(QStringLiteral("watch-running"));
        press(story, "run.pause");
        QTRY_VERIFY_WITH_TIMEOUT(hub.isPaused(), longWait);
        QTRY_VERIFY(story.window().strip().text().contains("paused"));
        QVERIFY(button(story, "run.pause") == nullptr);
        const std::int64_t held = hub.lastStep();
        press(story, "run.step");
        QTRY_COMPARE_WITH_TIMEOUT(hub.lastStep(), held + 1, longWait);
        QTRY_VERIFY_WITH_TIMEOUT(hub.isPaused(), longWait);
        // While it waits, the run only notes commands.
        story.command("run.save");
        QTRY_VERIFY_WITH_TIMEOUT(
            std::ranges::any_of(
                hub.story(),
                [](const RunMessage& one) { return one.text.starts_with("told to save"); }),
            longWait);
        QCOMPARE(hub.lastStep(), held + 1);
        press(story, "run.resume");
        QTRY_VERIFY_WITH_TIMEOUT(hub.lastStep() > held + 20, longWait);
        QVERIFY(!hub.isPaused());
        stop(story);
        QCOMPARE(hub.state(), RunState::stopped);
        const std::int64_t stopped = hub.lastStep();
        QVERIFY(button(story, "run.start") != nullptr);
        story.command("run.resume");
        QTRY_VERIFY_WITH_TIMEOUT(hub.isLiving() && hub.lastStep() > stopped, longWait);
        QCOMPARE(hub.attempts().size(), std::size_t{2});
        stop(story);
    }

    void whatIsEditedMeanwhileFades() {
        WindowStory story;
        open(story, endless);
        startAndWait(story);
        const auto live = [&](const char* layer) {
            const auto& nodes = story.page().view().live().nodes();
            const auto found = nodes.find(story.layerNamed(layer));
            return found == nodes.end() ? ui::LiveNode{} : found->second;
        };
        QTRY_VERIFY_WITH_TIMEOUT(live("conv1").measured > 0, longWait);
        QVERIFY(!live("conv1").isPast);
        story.page().design().document().edit("filters", [&](Design& design) {
            return setAttribute(design, {}, story.layerNamed("conv1"), "filters", std::int64_t{12});
        });
        QTRY_VERIFY(live("conv1").isPast);
        QVERIFY(live("conv1").measured > 0);
        QVERIFY(!live("fc1").isPast);
        story.command("lens.time");
        story.picture(QStringLiteral("watch-heat"));
        stop(story);
    }

    void whatMakesAStepLongIsInk() {
        WindowStory story;
        open(story, 12);
        story.command("run.start");
        QTRY_VERIFY_WITH_TIMEOUT(hubOf(story).state() == RunState::done, longWait);
        auto* lenses = story.page().findChild<QToolButton*>(QStringLiteral("lens"));
        auto* menu = lenses->findChild<QMenu*>();
        QTest::mouseClick(lenses, Qt::LeftButton);
        QTRY_VERIFY(menu->isVisible());
        QAction* critical = story.window().context().commands.find(QStringLiteral("lens.critical"));
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(critical).center());
        QVERIFY(critical->isChecked());
        // In a chain on one device, every computing layer is on the critical path, but no input.
        const auto isCritical = [&](const char* layer) {
            const auto& nodes = story.page().view().live().nodes();
            const auto found = nodes.find(story.layerNamed(layer));
            return found != nodes.end() && found->second.isCritical;
        };
        QTRY_VERIFY(isCritical("conv1") && isCritical("fc1"));
        QVERIFY(!isCritical("picture"));
        story.picture(QStringLiteral("watch-critical"));
    }

    void theNextRunWaitsOrRunsBeside() {
        WindowStory story;
        open(story, endless);
        startAndWait(story);
        prepare(story, 3);
        story.command("run.start");
        auto* waiting = story.window().bar().findChild<QPushButton*>(QStringLiteral("waiting"));
        QVERIFY(waiting->isVisible());
        QVERIFY(waiting->text().startsWith('1'));
        story.command("run.start");
        QVERIFY(waiting->text().startsWith('2'));
        QTest::mouseClick(waiting, Qt::LeftButton);
        QWidget* runs = story.window().docks().panel(QStringLiteral("history"));
        QTRY_VERIFY(runs->isVisible());
        story.picture(QStringLiteral("watch-waiting"));
        QTRY_VERIFY(childButton(runs, QStringLiteral("Cancel")) != nullptr);
        QTest::mouseClick(childButton(runs, QStringLiteral("Cancel")), Qt::LeftButton);
        QTRY_VERIFY(waiting->text().startsWith('1'));
        const QString first = hubOf(story).folder();
        QTRY_VERIFY(childButton(runs, QStringLiteral("Run beside")) != nullptr);
        QTest::mouseClick(childButton(runs, QStringLiteral("Run beside")), Qt::LeftButton);
        QTRY_VERIFY(!waiting->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(
            hubOf(story).folder() != first && hubOf(story).state() == RunState::done, longWait);
        hubOf(story).open(first);
        QTRY_VERIFY_WITH_TIMEOUT(hubOf(story).isLiving(), longWait);
        stop(story);
    }

    void aKilledRunIsAMessageAndTheDesignIsWhole() {
        WindowStory story;
        open(story, endless);
        const Design before = story.design();
        startAndWait(story, 25);
        QFile lock(hubOf(story).folder() + "/lock");
        QVERIFY(lock.open(QIODevice::ReadOnly));
        const qint64 process =
            QJsonDocument::fromJson(lock.readAll()).object()["process"].toInteger();
        QVERIFY(process > 1);
        QCOMPARE(::kill(static_cast<pid_t>(process), SIGKILL), 0);
        QTRY_COMPARE_WITH_TIMEOUT(hubOf(story).state(), RunState::lost, longWait);
        ui::RunStrip& strip = story.window().strip();
        QTRY_VERIFY(static_cast<bool>(strip.failure()));
        QCOMPARE(strip.failure().rank, QStringLiteral("rank 0"));
        QVERIFY(strip.failure().text().contains("log.txt"));
        QVERIFY(story.design() == before);
        story.picture(QStringLiteral("watch-killed"));
        auto* log = strip.findChild<QPushButton*>(QStringLiteral("log"));
        QTRY_VERIFY(log->isVisible());
        QTest::mouseClick(log, Qt::LeftButton);
        QTRY_VERIFY(story.window().docks().panel(QStringLiteral("log"))->isVisible());
        // From its last checkpoint it goes on.
        QCOMPARE(why(story, "run.resume"), QString());
        QTest::mouseClick(childButton(&strip, QStringLiteral("Resume")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(hubOf(story).isLiving() && hubOf(story).attempts().size() == 2,
                                 longWait);
        QTRY_VERIFY(!strip.failure());
        stop(story);
    }

    void aRunIsDrawnOnItsOwnDesignAlone() {
        WindowStory story;
        open(story, 12);
        startAndWait(story);
        QTRY_COMPARE_WITH_TIMEOUT(hubOf(story).state(), RunState::done, longWait);
        const QString run = hubOf(story).folder();
        // The layers that were timed; of so short a run none may have been.
        const auto timed = [&] {
            std::set<LayerId> layers;
            for (const auto& [layer, node] : story.page().view().live().nodes()) {
                if (node.measured > 0) {
                    layers.insert(layer);
                }
            }
            return layers;
        };
        const auto isStrange = [&] {
            return story.window().strip().text().contains("another design");
        };
        QTRY_VERIFY_WITH_TIMEOUT(!timed().empty(), longWait);
        const std::set<LayerId> own = timed();
        QVERIFY(!isStrange());
        ui::OpenDesign* digits = story.window().context().designs.current();
        story.openSample(QStringLiteral("lenet-mnist")); // ids and names of the same kind
        QTRY_VERIFY(isStrange());
        QVERIFY(timed().empty());
        story.picture(QStringLiteral("watch-another"));
        // The design in the run's folder is that design.
        QVERIFY(story.window().files().open(run + "/design.weft"));
        QTRY_VERIFY(std::ranges::includes(timed(), own));
        QTRY_VERIFY(!isStrange());
        // Changed all over it is still the one that ran; what is another kind has no time.
        story.window().context().designs.setCurrent(digits);
        const LayerId pool1 = story.layerNamed("pool1");
        const LayerId conv1 = story.layerNamed("conv1");
        digits->document().edit("all", [&](Design& design) {
            for (Layer& layer : design.network.layers) {
                layer.name += "b";
            }
            return setKind(design, {}, pool1, "average_pool2d");
        });
        QTRY_VERIFY(timed().contains(conv1) && !timed().contains(pool1));
        QVERIFY(!isStrange());
    }

    void theLogOfARunThatEndedTellsAllOfIt() {
        WindowStory story;
        open(story, 12);
        startAndWait(story);
        QTRY_COMPARE_WITH_TIMEOUT(hubOf(story).state(), RunState::done, longWait);
        const QString run = hubOf(story).folder();
        auto& log =
            static_cast<ui::LogView*>(story.window().docks().panel(QStringLiteral("log")))->model();
        const auto lines = [&log] {
            QStringList texts;
            for (int row = 0; row < log.rowCount(); ++row) {
                texts << log.index(row, ui::LogModel::text).data().toString();
            }
            return texts;
        };
        QTRY_VERIFY(lines().join('\n').contains("Done after step 12"));
        const QStringList live = lines();
        hubOf(story).close();
        QVERIFY(lines().isEmpty());
        hubOf(story).open(run);
        QTRY_COMPARE(lines(), live);
        QVERIFY2(live.first().startsWith("Starts on cpu:0"), qPrintable(live.first()));
        QVERIFY(live.join('\n').contains("Evaluated: "));
        QVERIFY2(live.join('\n').contains("Checkpoint saved: step-"), qPrintable(live.join('\n')));
        story.command("dock.log");
        story.picture(QStringLiteral("watch-log"));
    }

    void theCurvesAreSavedWhereTheDialogSays() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        const QString folder = story.folder() + QStringLiteral("/runs/curves");
        RunWriter run(folder.toStdString(), 1, story.design());
        run.step(1, {{"loss", 1.5}});
        run.flush();
        hubOf(story).open(folder);
        QTRY_COMPARE(hubOf(story).lastStep(), 1);
        story.window().docks().setWorkspace(ui::Workspace::run);
        story.window().docks().reveal(QStringLiteral("monitor"));
        QWidget* monitor = story.window().docks().panel(QStringLiteral("monitor"));
        QToolButton* save = nullptr;
        for (auto* one : monitor->findChildren<QToolButton*>()) {
            save = one->text() == QLatin1String("Export") ? one : save;
        }
        QVERIFY(save != nullptr && save->isVisible());
        const QString file = story.folder() + QStringLiteral("/curves.csv");
        QTimer looking;
        connect(&looking, &QTimer::timeout, &looking, [&] {
            if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                looking.stop();
                // Not selectFile: it leaves a name alone that one may be typing.
                dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file);
                QMetaObject::invokeMethod(dialog, "accept");
            }
        });
        looking.start(20);
        QTest::mouseClick(save, Qt::LeftButton);
        QFile saved(file);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QVERIFY2(saved.readAll().contains("1.5"), qPrintable(file));
    }

    void aRunThatGoesOnIsToldOfAndAttachedToByOneClick() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        const QString file = story.page().design().document().file();
        const auto path = [&](const char* name) {
            return story.folder() + QLatin1String("/runs/") + QLatin1String(name);
        };
        const auto begin = [&](const char* name) {
            auto run = std::make_unique<RunWriter>(path(name).toStdString(), 1, story.design());
            run->step(1, {{"loss", 1.0}});
            run->flush();
            return run;
        };
        const auto first = begin("2026-01-01_140200_quickstart-digits");
        auto* told = story.window().findChild<QPushButton*>(QStringLiteral("living"));
        QVERIFY(told != nullptr && !told->isVisible());
        story.window().showStart(); // whoever looks away and back finds it
        QTRY_VERIFY(told->isVisible());
        QCOMPARE(told->text(), QStringLiteral("1 run is live: attach"));
        story.picture(QStringLiteral("watch-start"));
        // From the start page, with nothing open.
        story.window().context().designs.close(*story.window().context().designs.all().front());
        const auto box = [&] {
            for (auto* one : story.window().findChildren<QWidget*>(QStringLiteral("living"))) {
                if (one != told) {
                    return one;
                }
            }
            return told->parentWidget();
        };
        QTRY_VERIFY(childButton(box(), QStringLiteral("Attach")) != nullptr);
        QTest::mouseClick(childButton(box(), QStringLiteral("Attach")), Qt::LeftButton);
        QTRY_VERIFY(hubOf(story).isLiving());
        QCOMPARE(hubOf(story).folder(), path("2026-01-01_140200_quickstart-digits"));
        QCOMPARE(story.page().design().document().file(), file);
        QVERIFY(story.page().design().owns(hubOf(story)));
        QVERIFY(story.window().docks().workspace() == ui::Workspace::run);
        QTRY_VERIFY(!told->isVisible());
        // With a design open, at the foot.
        const auto second = begin("2026-01-01_150200_quickstart-digits");
        story.window().docks().setWorkspace(ui::Workspace::design);
        hubOf(story).close();
        QTRY_COMPARE(told->text(), QStringLiteral("2 runs are live: attach"));
        story.picture(QStringLiteral("watch-living"));
        QTest::mouseClick(told, Qt::LeftButton);
        const auto popup = [] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); };
        QTRY_VERIFY(popup() != nullptr);
        QMenu* menu = popup();
        QCOMPARE(menu->actions().front()->text(), QStringLiteral("quickstart-digits, 15:02"));
        QTest::mouseClick(menu, Qt::LeftButton, {},
                          menu->actionGeometry(menu->actions().front()).center());
        QTRY_VERIFY(hubOf(story).isLiving());
        QCOMPARE(hubOf(story).folder(), path("2026-01-01_150200_quickstart-digits"));
    }

    void aRunGoesOnWithoutItsWindowAndIsFoundWhole() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("digits.weft"));
        QFile::copy(QString::fromStdString(
                        (sourceFolder() / "projects/quickstart-digits/design.weft").string()),
                    file);
        QString run;
        std::int64_t left = 0;
        {
            WindowStory story;
            QVERIFY(story.window().files().open(file));
            QVERIFY(story.waitForCheck());
            prepare(story, endless);
            startAndWait(story);
            run = hubOf(story).folder();
            left = hubOf(story).lastStep();
        }
        WindowStory story;
        QVERIFY(story.window().files().open(file));
        story.window().docks().setWorkspace(ui::Workspace::run);
        auto* runs =
            static_cast<ui::HistoryView*>(story.window().docks().panel(QStringLiteral("history")));
        story.window().docks().reveal(QStringLiteral("history"));
        QTRY_VERIFY_WITH_TIMEOUT(runs->model().find(run) != nullptr, longWait);
        runs->choose({run});
        QTest::mouseClick(childButton(runs, QStringLiteral("Open")), Qt::LeftButton);
        ui::RunHub& hub = hubOf(story);
        QTRY_VERIFY_WITH_TIMEOUT(hub.lastStep() > left + 3, longWait);
        QVERIFY(hub.isLiving());
        const ui::Series& loss = *hub.series().find("loss", Split::train);
        QCOMPARE(loss.step(0), std::int64_t{1});
        QCOMPARE(static_cast<std::int64_t>(loss.size()), loss.step(loss.size() - 1));
        stop(story);
    }
};

std::unique_ptr<QObject> makeTestWatching() { return std::make_unique<TestWatching>(); }

#include "tst_watching.moc"
