// SPDX-License-Identifier: Apache-2.0
// One run has one time of a step, one best loss, one memory of each device and one number of bytes
// sent, wherever they are shown: each place is asked of runs that really trained, and held against
// the run's logs.
#include "cli/weft_process.h"
#include "history/history_view.h"
#include "monitor/monitor_view.h"
#include "runs/figure_words.h"
#include "runs/run_status.h"
#include "shell/bars/run_strip.h"
#include "shell/docks/docks.h"
#include "shell/files.h"
#include "stories/window_story.h"
#include "support/places.h"
#include "support/test_main.h"
#include "theme/quantity.h"
#include "timeline/breakdown.h"
#include "timeline/memory_rows.h"
#include "timeline/run_devices.h"
#include "timeline/timeline_view.h"
#include "ui/runs/trained_run.h"
#include <weft/design_file.h>
#include <weft/preview.h>

#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace weft;
using namespace weft::test;

class TestFigures : public QObject {
    Q_OBJECT

    static constexpr int longWait = 120'000;

    /// Figures of a run, computed from the logs in the simplest way.
    struct Plain {
        std::vector<double> seconds; ///< time of each training step
        std::map<Split, std::vector<double>> losses;
        [[nodiscard]] double median() const {
            std::vector<double> sorted = seconds;
            std::ranges::sort(sorted);
            return sorted[sorted.size() / 2];
        }
        [[nodiscard]] double best() const {
            const Split split = losses.contains(Split::evaluate) ? Split::evaluate : Split::train;
            return std::ranges::min(losses.at(split));
        }
    };
    static Plain plainOf(const std::filesystem::path& run) {
        Plain plain;
        RunReader reader(run);
        for (bool isMore = true; isMore;) {
            const RunNews news = reader.read();
            isMore = news.isMore;
            for (const StepRecord& step : news.steps) {
                if (step.split == Split::train) {
                    plain.seconds.push_back(step.seconds);
                }
                for (const MetricValue& value : step.values) {
                    if (isMainMetric(reader.metrics()[value.metric].name)) {
                        plain.losses[step.split].push_back(value.value);
                    }
                }
            }
        }
        return plain;
    }

    /// Small enough for a moment: few examples, few steps, one block of a kind.
    static Design sample(const QString& file, int devices, bool evaluates) {
        Design design =
            loadDesign(sourceFolder() / "projects" / file.toStdString(), catalogue()).design;
        design.data.batch = 4;
        for (Layer& layer : design.network.layers) {
            layer.repeat = 1;
        }
        design.training.steps = 7;
        design.training.epochs = 0;
        design.training.evaluateEvery = evaluates ? 3 : 0;
        design.training.checkpointEvery = 7;
        if (devices == 2) {
            design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
            design.assignment.words = {AxisWord::data};
        }
        return design;
    }

    static QJsonObject jsonOf(const QStringList& arguments, const QString& folder) {
        const Ended ended = test::weft(arguments, folder);
        const QJsonDocument said = QJsonDocument::fromJson(ended.out.toUtf8());
        return said.isArray() ? said.array().first().toObject() : said.object();
    }

    void theProgramSays(const RunFigures& figures, const QString& folder, const QString& run) {
        const QString step = QString::fromStdString(toString(figures.step));
        for (const QStringList& arguments :
             {QStringList{"runs", folder, "--json"}, {"show", run, "--json"}}) {
            const QJsonObject said = jsonOf(arguments, folder);
            QCOMPARE(said["step_ns"].toInteger(), qint64{figures.step.count});
            QCOMPARE(said["steps_measured"].toInteger(), qint64{figures.steps});
            QCOMPARE(said["best_loss"].toDouble(), figures.best->loss);
            for (const DeviceMemory& one : figures.memory) {
                const QString name = QStringLiteral("cpu:%1").arg(one.device.value);
                QCOMPARE(said["memory"].toObject()[name].toInteger(), qint64{one.bytes.count});
            }
        }
        QCOMPARE(jsonOf({"compare", run, "--json"}, folder)["measured_step_ns"].toInteger(),
                 qint64{figures.step.count});
        const QString listed = test::weft({"runs", folder}, folder).out;
        QVERIFY2(listed.contains(step + " a step"), qPrintable(listed));
        const QString shown = test::weft({"show", run}, folder).out;
        QVERIFY2(shown.contains(step + ", median of 7 training steps"), qPrintable(shown));
        const QString compared = test::weft({"compare", run}, folder).out;
        QVERIFY2(compared.contains("measured " + step), qPrintable(compared));
    }

    void theListSays(const RunFigures& figures, WindowStory& story, const QString& folder) {
        ui::HistoryView view(story.look(), story.window().context().control);
        view.setFolder(folder);
        QTRY_COMPARE_WITH_TIMEOUT(view.model().rowCount(), 1, longWait);
        const auto said = [&](int column, int role) {
            return view.model().index(0, column).data(role).toString();
        };
        QCOMPARE(said(ui::RunModel::stepTime, Qt::DisplayRole), ui::stepTimeText(figures));
        QCOMPARE(said(ui::RunModel::stepTime, Qt::ToolTipRole), ui::stepTimeWords(figures));
        QCOMPARE(said(ui::RunModel::bestLoss, Qt::DisplayRole), ui::bestLossText(figures));
        QCOMPARE(said(ui::RunModel::bestLoss, Qt::ToolTipRole), ui::bestLossWords(figures));
    }

    void theHeaderSays(const RunFigures& figures, WindowStory& story) {
        const ui::RunHub& hub = story.window().context().hub;
        QVERIFY(hub.figures() == figures);
        QCOMPARE(*ui::statusOf(hub, nullptr, 0).stepSeconds, ui::quantity::seconds(figures.step));
        const ui::RunStrip& strip = story.window().strip();
        QTRY_VERIFY2(strip.text().contains("step " + ui::stepTimeText(figures)),
                     qPrintable(strip.text()));
        const QString tip = strip.findChild<QWidget*>(QStringLiteral("runLine"))->toolTip();
        QVERIFY2(tip.contains(ui::stepTimeWords(figures)), qPrintable(tip));
        QVERIFY2(tip.contains(ui::bestLossWords(figures)), qPrintable(tip));
        QVERIFY2(tip.contains(ui::memoryWords(figures, hub.attempts().back().devices)),
                 qPrintable(tip));
    }

    void thePanelsSay(const RunFigures& figures, WindowStory& story) {
        const ui::RunHub& hub = story.window().context().hub;
        std::int64_t most = 0;
        for (const DeviceMemory& one : figures.memory) {
            most = std::max(most, one.bytes.count);
        }
        const auto* panel = story.window().docks().panel(QStringLiteral("prediction"));
        for (const QString& number :
             {ui::stepTimeText(figures), ui::quantity::bytes(static_cast<double>(most))}) {
            QTRY_VERIFY2(panel->accessibleName().contains(number + " in the last run"),
                         qPrintable(panel->accessibleName()));
        }
        const ui::SeriesHandle losses =
            hub.series().find(figures.best->isEnergy ? "energy" : "loss", figures.best->split);
        QCOMPARE(losses->values().at(*losses->best()), figures.best->loss);
    }

    /// The latest of the steps that took nearest to the median.
    std::int64_t typicalOf(const RunFigures& figures, const Plain& plain,
                           const ui::WindowContext& context) {
        std::int64_t found = 0;
        double least = std::numeric_limits<double>::infinity();
        for (const ui::StepWindow& one : context.hub.spans().steps()) {
            const double took = plain.seconds[static_cast<std::size_t>(one.step - 1)];
            const double away = std::abs(took - ui::quantity::seconds(figures.step));
            if (one.isInDetail && away <= least) {
                found = one.step;
                least = away;
            }
        }
        return found;
    }

    /// One step there is told as that step's, and what it took as its record has it.
    void theTimelineSays(const RunFigures& figures, const Plain& plain, WindowStory& story) {
        const ui::WindowContext& context = story.window().context();
        ui::TimelineView view(story.look(), context.hub, context.prediction);
        ui::RunDevices atWork(story.look(), context.hub, context.prediction);
        const auto* steps = view.findChild<QComboBox*>();
        QVERIFY(steps->count() > 0);
        for (int k = 0; k < steps->count(); ++k) {
            const auto step = steps->itemData(k).toLongLong();
            const double took = plain.seconds[static_cast<std::size_t>(step - 1)];
            QCOMPARE(steps->itemText(k),
                     QStringLiteral("step %1: %2").arg(step).arg(ui::quantity::time(took)));
        }
        QVERIFY(steps->toolTip().contains("The time of this step"));
        const QString spent = atWork.breakdown().accessibleName();
        const auto shown = QStringLiteral("spent step %1.").arg(typicalOf(figures, plain, context));
        QVERIFY2(spent.contains(shown), qPrintable(spent));
        const auto& held = atWork.memory().devices();
        QCOMPARE(held.size(), figures.memory.size());
        for (std::size_t k = 0; k < held.size(); ++k) {
            QCOMPARE(held[k].allocated, static_cast<double>(figures.memory[k].bytes.count));
        }
    }

    /// Bytes sent per device in a step's collectives equal those of the preview.
    void allSayTheSameSent(const Design& design, WindowStory& story) {
        const ui::WindowContext& context = story.window().context();
        ui::TimelineView view(story.look(), context.hub, context.prediction);
        std::int64_t sent = 0;
        for (const ui::CollectiveRow& row : view.collectives().rows()) {
            sent += row.bytes.count;
        }
        PreviewCache cache;
        std::int64_t said = 0;
        for (const CollectivePreview& one : preview(design, cache)->collectives) {
            said += one.sentPerDevice.count;
        }
        QCOMPARE(sent, said);
        QCOMPARE(sent > 0, design.devices.size() > 1);
        QCOMPARE(view.collectives()
                     .headerData(ui::CollectiveModel::bytes, Qt::Horizontal, Qt::DisplayRole)
                     .toString(),
                 QStringLiteral("sent per device"));
    }

private Q_SLOTS:
    void oneRunHasOneNumberEverywhere_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("devices");
        QTest::addColumn<bool>("evaluates");
        QTest::newRow("first") << "first/design.weft" << 1 << false;
        QTest::newRow("quickstart on two devices") << "quickstart-digits/design.weft" << 2 << true;
        QTest::newRow("mlp on two devices") << "mlp/bench.weft" << 2 << false;
        QTest::newRow("a small gpt") << "tiny-gpt/bench.weft" << 1 << false;
        QTest::newRow("two towers") << "two-tower-fusion/bench.weft" << 2 << false;
        QTest::newRow("energies of a code") << "lca/bench.weft" << 1 << false;
    }
    void oneRunHasOneNumberEverywhere() {
        QFETCH(const QString, file);
        QFETCH(const int, devices);
        QFETCH(const bool, evaluates);
        const QTemporaryDir folder;
        const QString run = folder.path() + "/run";
        const std::filesystem::path path = run.toStdString();
        const Design design = sample(file, devices, evaluates);
        trainRun(design, path);

        const Plain plain = plainOf(path);
        const RunFigures figures = *openRun(path).summary.figures;
        QCOMPARE(figures.steps, std::int64_t{7});
        QVERIFY(std::abs(ui::quantity::seconds(figures.step) / plain.median() - 1) < 1.0 / 4096);
        QCOMPARE(figures.best->loss, plain.best());
        QVERIFY(figures.best->split == (evaluates ? Split::evaluate : Split::train));
        QCOMPARE(figures.memory.size(), static_cast<std::size_t>(devices));
        // The summary written at the run's end equals the figures from its logs, and is not needed.
        QVERIFY(summaryOf(path)->figures == figures);
        QVERIFY(std::filesystem::exists(path / "figures.json"));

        theProgramSays(figures, folder.path(), run);
        WindowStory story;
        story.window().files().open(run + "/design.weft");
        ui::WindowContext& context = story.window().context();
        context.hub.open(run);
        QTRY_COMPARE_WITH_TIMEOUT(context.hub.state(), RunState::done, longWait);
        QTRY_VERIFY_WITH_TIMEOUT(context.prediction.preview() != nullptr, longWait);
        theListSays(figures, story, folder.path());
        theHeaderSays(figures, story);
        thePanelsSay(figures, story);
        theTimelineSays(figures, plain, story);
        allSayTheSameSent(design, story);

        std::filesystem::remove(path / "figures.json");
        QVERIFY(!summaryOf(path)->figures);
        QVERIFY(figuresOf(*summaryOf(path)) == figures);
    }
};

std::unique_ptr<QObject> makeTestFigures() { return std::make_unique<TestFigures>(); }

#include "tst_figures.moc"
