// SPDX-License-Identifier: Apache-2.0
// Whatever is shown, the window is as large as its screen and no larger, and what steers a run is
// in it. Run a second time with none of the machine's fonts but the plainest.
#include "shell/bars/top_bar.h"
#include "shell/docks/docks.h"
#include "shell/files.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "ui/runs/run_writer.h"

#include <QDockWidget>
#include <QPushButton>
#include <QScreen>

using namespace weft;
using namespace weft::test;

class TestSizes : public QObject {
    Q_OBJECT

    /// Two runs of a folder, of which one lives, as the design's own.
    struct Runs {
        explicit Runs(WindowStory& story)
            : folder(story.folder() + QStringLiteral("/runs/")),
              ended(write(QStringLiteral("ended"), story.design())),
              living(write(QStringLiteral("living"), story.design())) {
            ended->finish(2);
            ended.reset();
        }
        [[nodiscard]] std::unique_ptr<RunWriter> write(const QString& name,
                                                       const Design& design) const {
            auto writer = std::make_unique<RunWriter>((folder + name).toStdString(), 1, design);
            for (int step = 1; step <= 2; ++step) {
                writer->step(step, {{"loss", 1.0 / step}, {"throughput", 12345.678}});
            }
            writer->spans(sampleStep(2, 0, 4, 30));
            writer->message("a line of the log that is a good deal longer than any dock is wide, "
                            "and goes on and on for as long as it likes, since nobody cuts it");
            writer->flush();
            return writer;
        }
        QString folder;
        std::unique_ptr<RunWriter> ended, living;
    };

    /// As many devices as the bar has chips for, and more.
    static void declareMany(WindowStory& story) {
        story.page().design().document().edit("devices", [](Design& design) {
            for (int i = static_cast<int>(design.devices.size()); i < 20; ++i) {
                design.devices.push_back({.name = "cpu:" + std::to_string(i)});
            }
            return Edited{};
        });
    }

    static QString fault(WindowStory& story, const QSize& size) {
        for (int i = 0; i < 3; ++i) {
            QCoreApplication::processEvents();
        }
        ui::MainWindow& window = story.window();
        const auto words = [](const QString& what, const QRect& at) {
            return QStringLiteral("%1 at %2,%3 %4x%5")
                .arg(what)
                .arg(at.x())
                .arg(at.y())
                .arg(at.width())
                .arg(at.height());
        };
        if (window.size() != size) {
            return words(QStringLiteral("the window"), window.geometry());
        }
        const auto placeOf = [&](const QWidget* widget) {
            return QRect(widget->mapTo(&window, QPoint()), widget->size());
        };
        QRect before;
        const QWidget* steer = nullptr;
        for (const auto* button : window.bar().findChildren<QPushButton*>()) {
            if (!button->isVisible()) {
                continue;
            }
            const QRect at = placeOf(button);
            if (!window.rect().contains(at) || at.intersects(before) ||
                at.width() < button->fontMetrics().horizontalAdvance(button->text())) {
                return words(button->text(), at);
            }
            before = at;
            steer = button->text() == QStringLiteral("Design") ? button->parentWidget() : steer;
        }
        // Both workspaces are chosen in the middle, whatever stands beside.
        if (steer == nullptr || std::abs(placeOf(steer).center().x() - size.width() / 2) > 1) {
            return QStringLiteral("Design | Run");
        }
        for (const auto* dock : window.findChildren<QDockWidget*>()) {
            if (dock->isVisible() && !dock->visibleRegion().isEmpty() &&
                !window.rect().contains(placeOf(dock))) {
                return words(dock->windowTitle(), placeOf(dock));
            }
        }
        return {};
    }

    static void walk(WindowStory& story, const QSize& size) {
        const auto holds = [&](const QString& after) {
            const QString found = fault(story, size);
            return found.isEmpty() ||
                   QTest::qVerify(false, qPrintable(after), qPrintable(found), __FILE__, __LINE__);
        };
        for (const bool isRun : {false, true, false}) {
            if ((story.window().docks().workspace() == ui::Workspace::run) != isRun) {
                QTest::keyClick(&story.page().view(), Qt::Key_F4);
            }
            const QString there = isRun ? QStringLiteral("Run") : QStringLiteral("Design");
            QVERIFY(holds(there));
            for (const ui::CommandInfo& command : story.window().context().commands.all()) {
                if (command.id.startsWith(QLatin1String("dock."))) {
                    story.command(command.id.toUtf8().constData());
                    QVERIFY(holds(there + ' ' + command.id));
                }
            }
            for (int key = Qt::Key_F1; key <= Qt::Key_F10; ++key) {
                if (key != Qt::Key_F4) {
                    QTest::keyClick(&story.page().view(), static_cast<Qt::Key>(key));
                    QVERIFY(holds(there + QStringLiteral(" F%1").arg(key - Qt::Key_F1 + 1)));
                }
            }
            story.command("view.reset-layout");
            QVERIFY(holds(there + QStringLiteral(" reset")));
        }
    }

private Q_SLOTS:
    void initTestCase() {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("Negative sizes|resizeDocks|setGeometry")));
    }

    void nothingOutgrowsTheScreen_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1366x768") << QSize(1366, 768);
        QTest::newRow("1600x1000") << QSize(1600, 1000);
    }
    void nothingOutgrowsTheScreen() {
        QFETCH(const QSize, size);
        WindowStory story(size);
        story.openSample(QStringLiteral("alexnet-one-weird-trick"));
        story.page().design().selection().select({story.layerNamed("fc6")});
        const Runs runs(story);
        ui::WindowContext& context = story.window().context();
        context.hub.open(runs.folder + QStringLiteral("living"));
        QTRY_VERIFY(context.hub.isLiving() && context.hub.lastStep() == 2);
        story.look().choose(ui::Look::Choice::dark);
        walk(story, size);
        Q_EMIT context.differenceWanted(runs.folder + QStringLiteral("ended"),
                                        runs.folder + QStringLiteral("living"));
        declareMany(story);
        story.look().choose(ui::Look::Choice::light);
        walk(story, size);
    }

    void itComesBackAsItWasLeft() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        const QString file = story.page().design().document().file();
        const auto widthOf = [](ui::MainWindow& window, const char* dock) {
            QCoreApplication::processEvents();
            return window.findChild<QDockWidget*>(QLatin1String(dock))->width();
        };
        const auto foot = [](ui::MainWindow& window) {
            return window.findChild<QDockWidget*>(QStringLiteral("prediction"))->height();
        };
        const int left = widthOf(story.window(), "palette");
        const int right = widthOf(story.window(), "inspector");
        const int low = foot(story.window());
        QVERIFY(left > 150 && right > 300);
        story.command("view.workspace");
        const int network = widthOf(story.window(), "monitor");
        QVERIFY(story.window().close());
        {
            ui::MainWindow again(story.look());
            // No larger than the screen, which is not the one that it was left on.
            QCOMPARE(again.size().boundedTo(again.screen()->availableSize()), again.size());
            again.resize(1600, 1000);
            QVERIFY(again.files().open(file));
            again.show();
            QVERIFY(QTest::qWaitForWindowActive(&again));
            QCOMPARE(widthOf(again, "palette"), left);
            QCOMPARE(widthOf(again, "inspector"), right);
            QCOMPARE(foot(again), low);
            again.docks().setWorkspace(ui::Workspace::run);
            QCOMPARE(widthOf(again, "monitor"), network);
            QVERIFY(again.close());
        }
        // A smaller one is laid out for its own size.
        ui::MainWindow small(story.look());
        small.resize(1366, 768);
        QVERIFY(small.files().open(file));
        small.show();
        QVERIFY(QTest::qWaitForWindowActive(&small));
        QCOMPARE(widthOf(small, "palette"), ui::tokens().sizes.size.topBar);
    }
};

std::unique_ptr<QObject> makeTestSizes() { return std::make_unique<TestSizes>(); }

#include "tst_sizes.moc"
