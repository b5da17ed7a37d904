// SPDX-License-Identifier: Apache-2.0
// Into a run and between runs: spans and layers that select each other, tensors, activations on the
// canvas, two runs over each other.
#include "canvas/page/live_feed.h"
#include "history/history_view.h"
#include "monitor/monitor_view.h"
#include "shell/docks/docks.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "tensors/tensors_view.h"
#include "timeline/timeline_tracks.h"

#include <QFileInfo>
#include <QPushButton>
#include <QToolButton>

using namespace weft;
using namespace weft::test;

class TestLooking : public QObject {
    Q_OBJECT

    static constexpr int longWait = 120'000;

    static ui::RunHub& hubOf(WindowStory& story) { return story.window().context().hub; }
    static void run(WindowStory& story, std::int64_t steps) {
        story.page().design().document().edit("steps", [steps](Design& design) {
            design.training.epochs = 0;
            design.training.steps = steps;
            design.training.evaluateEvery = steps;
            design.training.seconds = 600; // limits the run if the test crashes
            return Edited{};
        });
        QVERIFY(story.waitForCheck());
        const QString before = hubOf(story).folder();
        story.command("run.start");
        QTRY_VERIFY_WITH_TIMEOUT(hubOf(story).folder() != before && hubOf(story).lastStep() > 2,
                                 longWait);
    }
    static void waitForEnd(WindowStory& story) {
        QTRY_VERIFY_WITH_TIMEOUT(!hubOf(story).isLiving(), longWait);
    }
    template <class Button>
    static void press(QWidget* parent, const QString& text) {
        for (auto* one : parent->findChildren<Button*>()) {
            if (one->text() == text && one->isVisible()) {
                QTest::mouseClick(one, Qt::LeftButton);
                return;
            }
        }
        QFAIL(qPrintable(text));
    }
    /// A point of the tracks where a measured span of that layer lies.
    static std::optional<QPoint> spanOf(const ui::TimelineTracks& tracks,
                                        const std::string& layer) {
        for (int y = 0; y < tracks.height(); y += 2) {
            for (int x = ui::timelineNamesWidth; x < tracks.width(); x += 2) {
                const auto hit = ui::spanAt(tracks.picture(), QPointF(x, y));
                if (hit && !hit->isPredicted &&
                    tracks.picture().measured->sites()[hit->site].layer == layer) {
                    return QPoint(x, y);
                }
            }
        }
        return std::nullopt;
    }

private Q_SLOTS:
    void aSpanSelectsItsLayerAndALayerItsSpans() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        run(story, 12);
        waitForEnd(story);
        QTRY_VERIFY_WITH_TIMEOUT(hubOf(story).spans().size() > 0, longWait);
        auto* tracks = story.window()
                           .docks()
                           .panel(QStringLiteral("timeline"))
                           ->findChild<ui::TimelineTracks*>();
        QTRY_VERIFY(tracks->picture().measured != nullptr && tracks->isVisible());
        const auto at = spanOf(*tracks, "conv2");
        QVERIFY(at.has_value());
        QTest::mouseClick(tracks, Qt::LeftButton, {}, *at);
        QCOMPARE(story.page().design().selection().current(), story.layerNamed("conv2"));
        story.click(story.layerNamed("conv1"));
        QTRY_VERIFY(!tracks->picture().chosenMeasured.empty());
        for (const std::uint32_t site : tracks->picture().chosenMeasured) {
            QCOMPARE(tracks->picture().measured->sites()[site].layer, std::string("conv1"));
        }
        story.picture(QStringLiteral("look-span"));
    }

    void aTensorIsInspectedAndActivationsStandOnTheCanvas() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        run(story, 1'000'000);
        story.click(story.layerNamed("conv1"));
        auto* tensors =
            static_cast<ui::TensorsView*>(story.window().docks().panel(QStringLiteral("tensors")));
        story.window().docks().reveal(QStringLiteral("tensors"));
        press<QToolButton>(tensors, QStringLiteral("Observe next step"));
        QTRY_VERIFY_WITH_TIMEOUT(!tensors->values().empty(), longWait);
        QTRY_VERIFY_WITH_TIMEOUT(!tensors->picture().image().isNull(), longWait);
        QVERIFY(tensors->numbers().rowCount() > 0);
        story.picture(QStringLiteral("look-tensor"));
        // Nobody asks for what another layer makes until the lens does.
        const LayerId other = story.layerNamed("conv2");
        const auto activation = [&] {
            const auto& nodes = story.page().view().live().nodes();
            const auto found = nodes.find(other);
            return found == nodes.end() ? QImage() : found->second.activation;
        };
        QVERIFY(activation().isNull());
        story.command("lens.activations");
        QTRY_VERIFY_WITH_TIMEOUT(!activation().isNull(), longWait);
        story.picture(QStringLiteral("look-activations"));
        story.command("run.stop");
        waitForEnd(story);
    }

    void twoRunsAreCompared() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        run(story, 6);
        waitForEnd(story);
        const QString first = hubOf(story).folder();
        const LayerId conv1 = story.layerNamed("conv1");
        story.page().design().document().edit("other", [&](Design& design) {
            Edited changed = setAttribute(design, {}, conv1, "filters", std::int64_t{12});
            return changed;
        });
        run(story, 6);
        waitForEnd(story);
        const QString second = hubOf(story).folder();
        auto* runs =
            static_cast<ui::HistoryView*>(story.window().docks().panel(QStringLiteral("history")));
        story.window().docks().reveal(QStringLiteral("history"));
        QTRY_VERIFY_WITH_TIMEOUT(runs->model().find(first) != nullptr &&
                                     runs->model().find(second) != nullptr,
                                 longWait);
        runs->choose({first, second});
        press<QPushButton>(runs, QStringLiteral("Difference"));
        QCOMPARE(story.page().view().live().lens().info.id, QStringLiteral("difference"));
        QTRY_VERIFY(story.page().view().live().nodes().contains(conv1));
        QVERIFY(story.page().view().live().nodes().at(conv1).change == ChangeSort::changed);
        auto* monitor =
            story.window().docks().panel(QStringLiteral("monitor"))->findChild<ui::MonitorView*>();
        QTRY_VERIFY_WITH_TIMEOUT(
            !monitor->plots().empty() && monitor->plots().front()->curves().size() >= 2, longWait);
        // The runs are those of the folder still.
        QVERIFY(runs->model().find(first) != nullptr);
        QTRY_COMPARE(runs->folder(), QFileInfo(first).absolutePath());
        story.picture(QStringLiteral("look-difference"));
        press<QToolButton>(monitor, QStringLiteral("End comparison"));
        QTRY_COMPARE(monitor->plots().front()->curves().front().runColour, -1);
    }
};

std::unique_ptr<QObject> makeTestLooking() { return std::make_unique<TestLooking>(); }

#include "tst_looking.moc"
