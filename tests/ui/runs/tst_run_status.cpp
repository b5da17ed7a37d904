// SPDX-License-Identifier: Apache-2.0
// How far, how fast, how long yet.
#include "run_writer.h"
#include "runs/run_status.h"
#include "support/test_main.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestRunStatus : public QObject {
    Q_OBJECT

    static constexpr int longWait = 60'000;

    struct Told {
        QTemporaryDir folder;
        std::unique_ptr<test::RunWriter> writer;
        RunHub hub;
        explicit Told(const Design& design)
            : writer(std::make_unique<test::RunWriter>(path(), 1, design)) {}
        [[nodiscard]] std::filesystem::path path() const {
            return (folder.path() + "/run").toStdString();
        }
        void follow(std::int64_t step) {
            writer->flush();
            hub.open(QString::fromStdString(path().string()));
            QTRY_COMPARE_WITH_TIMEOUT(hub.lastStep(), step, longWait);
        }
    };

private Q_SLOTS:
    void stepsAreThoseOfTheSettings() {
        Design design;
        design.training.steps = 200;
        design.training.epochs = 0;
        Told told(design);
        for (int step = 1; step <= 50; ++step) {
            told.writer->step(step, {{"loss", 1}, {"throughput", 1000.0 + step % 2}});
        }
        told.writer->checkpoint(40, "checkpoints/step-40");
        told.follow(50);
        const RunStatus status = statusOf(told.hub, nullptr, 1.7e9 + 1e4);
        QCOMPARE(status.step, std::int64_t{50});
        QCOMPARE(status.steps.value(), std::int64_t{200});
        QVERIFY(status.secondsLeft.has_value());
        QVERIFY(std::abs(*status.stepSeconds - 0.01) < 1e-6);
        QVERIFY(std::abs(*status.throughput - 1000.5) < 0.1);
        QVERIFY(!status.predictedStep);
        QCOMPARE(status.checkpoint.value(), std::int64_t{40});
        QVERIFY(*status.checkpointAge > 1);
    }

    void epochsTellThemFromTheWayAlready() {
        Design design;
        design.training.epochs = 4;
        design.training.steps = 0;
        design.data.batch = 50;
        Told told(design);
        for (int step = 1; step <= 30; ++step) {
            told.writer->step(step, {{"loss", 1}}, step / 100.0);
        }
        told.follow(30);
        const Preview predicted{.step = StepPreview{.time = {2'000'000}}};
        const RunStatus status = statusOf(told.hub, &predicted, 0);
        QCOMPARE(status.steps.value(), std::int64_t{400});
        QCOMPARE(*status.predictedStep, 0.002);
        QCOMPARE(*status.predictedRate, 25'000.0);
        QVERIFY(!status.checkpoint);
    }

    void iterationsAndSyncsAreTold() {
        Told told(Design{});
        told.writer->step(1, {{"energy", 1}});
        Timeline step = test::sampleStep(1, 0, 1, 1);
        step.sites[step.spans.front().site].rounds = 10;
        told.writer->spans(step);
        told.follow(1);
        QTRY_VERIFY_WITH_TIMEOUT(!told.hub.spans().steps().empty(), longWait);
        Preview predicted;
        RunStatus status = statusOf(told.hub, &predicted, 0);
        QCOMPARE(status.iterations->count, std::int64_t{10});
        QCOMPARE(status.iterations->each.count, std::int64_t{100}); // nanoseconds
        QVERIFY(!status.predictedIterations && !status.sync);
        // A sum within one device is not sent.
        predicted.layers = {{.name = "a", .sync = SyncPreview{.sentPerDevice = {900}}},
                            {.name = "b", .sync = SyncPreview{.name = "s", .sentPerDevice = {5}}}};
        status = statusOf(told.hub, &predicted, 0);
        QCOMPARE(status.sync->sync.sentPerDevice.count, std::int64_t{5});
        QVERIFY(status.sync->layer.empty());
        predicted.layers.push_back(
            {.name = "c", .sync = SyncPreview{.name = "s", .sentPerDevice = {7}}});
        status = statusOf(told.hub, &predicted, 0);
        QCOMPARE(status.sync->layer, std::string("c")); // one of several has a name
        QCOMPARE(status.sync->sync.sentPerDevice.count, std::int64_t{7});
    }

    /// A short last batch says little of the others.
    void oneStepThatStandsForAllIsNearestToTheMedian() {
        Told told(Design{});
        QVERIFY(typicalStep(told.hub) == nullptr);
        for (int step = 1; step <= 9; ++step) {
            told.writer->step(step, {{"loss", 1}}, 0, step == 1 ? 0.5F : 0.01F);
        }
        told.writer->step(10, {{"loss", 1}}, 0, 0.001F);
        for (const int step : {1, 6, 10}) {
            Timeline spans = test::sampleStep(step, std::int64_t{1'000'000} * step, 1, 1);
            spans.sites[spans.spans.front().site].rounds = step;
            told.writer->spans(spans);
        }
        told.follow(10);
        QTRY_COMPARE_WITH_TIMEOUT(told.hub.spans().steps().size(), std::size_t{3}, longWait);
        QCOMPARE(typicalStep(told.hub)->step, std::int64_t{6});
        QCOMPARE(statusOf(told.hub, nullptr, 0).iterations->count, std::int64_t{6});
    }

    void ofARunThatEndedNothingIsLeft() {
        Design design;
        design.training.steps = 10;
        Told told(design);
        for (int step = 1; step <= 10; ++step) {
            told.writer->step(step, {{"loss", 1}});
        }
        told.writer->finish(10);
        told.writer.reset();
        told.hub.open(QString::fromStdString(told.path().string()));
        QTRY_VERIFY_WITH_TIMEOUT(told.hub.state() == RunState::done, longWait);
        QVERIFY(!statusOf(told.hub, nullptr, 0).secondsLeft);
    }
};

std::unique_ptr<QObject> makeTestRunStatus() { return std::make_unique<TestRunStatus>(); }

#include "tst_run_status.moc"
