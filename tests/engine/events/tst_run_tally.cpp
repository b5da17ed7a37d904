// SPDX-License-Identifier: Apache-2.0
// The figures of a run, of what its logs say, and from the file that it leaves at its end.
#include "base/files/files.h"
#include "events/figures_file.h"
#include "events/run_directory.h"
#include "events/run_tally.h"
#include "samples.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace weft;
namespace fs = std::filesystem;

class TestRunTally : public QObject {
    Q_OBJECT

    static StepRecord step(std::int64_t number, float seconds, Split split = Split::train) {
        return {.attempt = 1, .split = split, .step = number, .seconds = seconds};
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void theFirstStepsDoNotMoveTheMedian() {
        RunTally tally;
        QCOMPARE(tally.figures().steps, std::int64_t{0});
        tally.add(step(1, 3), {});
        for (int k = 2; k <= 9; ++k) {
            tally.add(step(k, 0.002F), {});
        }
        tally.add(step(9, 7, Split::evaluate), {});
        QCOMPARE(tally.figures().step.count, std::int64_t{2'000'000});
        QCOMPARE(tally.figures().steps, std::int64_t{9});
    }

    void theMedianIsThatOfTheTimesThemselves() {
        RunTally tally;
        std::vector<float> times;
        for (int k = 0; k < 1001; ++k) {
            times.push_back(1e-4F * (1 + static_cast<float>((k * 379) % 1001)));
            tally.add(step(k, times.back()), {});
        }
        std::ranges::sort(times);
        const double median = static_cast<double>(tally.figures().step.count) / 1e9;
        QVERIFY(std::abs(median / static_cast<double>(times[500]) - 1) < 1.0 / 4096);
    }

    void whereStepsDifferItIsTheMedianOfMeans() {
        RunTally tally;
        tally.begin({.number = 1, .period = 3});
        tally.add(step(1, 0.001F), {});
        tally.add(step(2, 0.003F), {});
        QCOMPARE(tally.figures().step.count, std::int64_t{2'000'000}); // no period is over
        for (int k = 3; k <= 10; ++k) {
            tally.add(step(k, k % 3 == 0 ? 0.008F : 0.002F), {});
        }
        QCOMPARE(tally.figures().step.count, std::int64_t{4'000'000});
        QCOMPARE(tally.figures().steps, std::int64_t{10});
    }

    void evaluationsComeBeforeTrainingSteps() {
        RunTally tally;
        tally.add(step(1, 1), MainMetric{0.5});
        tally.add(step(2, 1), MainMetric{0.1});
        tally.add(step(3, 1), MainMetric{std::numeric_limits<double>::quiet_NaN()});
        QVERIFY(tally.figures().best == (BestLoss{0.1, 2, Split::train}));
        tally.add(step(3, 1, Split::evaluate), MainMetric{0.3});
        tally.add(step(6, 1, Split::evaluate), MainMetric{0.4});
        QVERIFY(tally.figures().best == (BestLoss{0.3, 3, Split::evaluate}));
    }

    void whatIsDoneAgainCountsAsItWasDoneLast() {
        RunTally tally;
        const double losses[] = {0.9, 0.7, 0.8, 0.2, 0.6};
        for (int k = 0; k < 5; ++k) {
            tally.add(step(k + 1, 1), MainMetric{losses[k]});
        }
        QCOMPARE(tally.figures().best->loss, 0.2);
        tally.add(step(4, 1), MainMetric{0.75});
        QVERIFY(tally.figures().best == (BestLoss{0.7, 2, Split::train}));
        QCOMPARE(tally.figures().steps, std::int64_t{6});
    }

    void memoryIsThatOfTheLastAttempt() {
        RunTally tally;
        const auto given = [&](std::uint32_t attempt, int rank, std::uint32_t device, int bytes) {
            tally.add({attempt, rank, DeviceId{device}, "planned", {bytes}});
        };
        tally.begin({.number = 1});
        given(1, 0, 0, 100);
        given(1, 0, 1, 200);
        tally.begin({.number = 2});
        QVERIFY(tally.figures().memory.empty());
        given(2, 0, 1, 70);
        given(1, 1, 1, 300); // from a rank whose log is read later
        tally.add({2, 0, DeviceId{1}, "resident", {9000}});
        QVERIFY(tally.figures().memory == (std::vector<DeviceMemory>{{DeviceId{1}, {70}}}));
    }

    void theFileIsOfItsAttemptAlone() {
        const RunFigures figures{.step = {1234},
                                 .steps = 5,
                                 .best = BestLoss{0.1, 4, Split::evaluate},
                                 .memory = {{DeviceId{1}, {77}}}};
        writeFigures(here(), 2, figures);
        QVERIFY(readFigures(here(), 2) == figures);
        QVERIFY(!readFigures(here(), 3));
        const std::string text = readFile(here() / "figures.json", 10'000);
        for (std::size_t size = 0; size + 2 < text.size(); ++size) {
            writeFileWhole(here() / "figures.json", std::string_view(text).substr(0, size));
            QVERIFY(!readFigures(here(), 2));
        }
        writeFileWhole(here() / "figures.json", R"({"attempt": 2, "step_ns": "x", "steps": 1})");
        QVERIFY(!readFigures(here(), 2));
    }

    void aRunWithoutTheFileIsReadFromItsLogs() {
        const fs::path run = here() / "run";
        writeFileWhole(RunDirectory::createAt(run).design(), "{}");
        test::writeSteps(run, test::quickSettings(), 1, 10, EndReason::done);
        const RunSummary before = *summaryOf(run);
        QVERIFY(!before.figures);
        const RunFigures figures = figuresOf(before);
        QCOMPARE(figures.steps, std::int64_t{10});
        QVERIFY(figures.best == (BestLoss{0.1, 10, Split::train}));
        QVERIFY(openRun(run).summary.figures == figures);

        RunFigures told = figures;
        told.steps = 11;
        writeFigures(run, 1, told);
        QVERIFY(summaryOf(run)->figures == told);
        // Another attempt begins, and what the one before came to is history.
        {
            const RunDirectory again = RunDirectory::resume(RunDirectory::reserve(run));
            QVERIFY(!summaryOf(run)->figures);
        }
        QVERIFY(!summaryOf(run)->figures);
        QVERIFY(figuresOf(*summaryOf(run)).steps == 10);
    }

private:
    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestRunTally() { return std::make_unique<TestRunTally>(); }

#include "tst_run_tally.moc"
