// SPDX-License-Identifier: Apache-2.0
#include "run_writer.h"
#include "runs/run_hub.h"
#include "support/test_main.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestRunHub : public QObject {
    Q_OBJECT

    [[nodiscard]] QString here() const { return folder_->path() + "/run"; }
    [[nodiscard]] std::filesystem::path path() const { return here().toStdString(); }
    static std::size_t points(const RunHub& hub) {
        const SeriesHandle loss = hub.series().find("loss", Split::train);
        return loss == nullptr ? 0 : loss->size();
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aLivingRunIsFollowedWithoutAGap() {
        RunHub hub;
        auto writer = std::make_unique<test::RunWriter>(path());
        hub.open(here());
        for (int step = 1; step <= 1000; ++step) {
            writer->step(step, {{"loss", 1.0 / step}, {"throughput", 100}}, step * 0.01);
            if (step % 100 == 0) {
                writer->evaluate(step, {{"loss", 2.0 / step}, {"accuracy", step * 1e-3}});
                writer->spans(test::sampleStep(step, step * 100'000, 2, 4));
                writer->flush();
            }
        }
        QTRY_COMPARE_WITH_TIMEOUT(points(hub), std::size_t{1000}, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(hub.spans().steps().size(), std::size_t{10}, 60'000);
        QVERIFY(hub.isLiving());
        QCOMPARE(hub.series().find("loss", Split::evaluate)->size(), std::size_t{10});
        QCOMPARE(hub.lastStep(), 1000);
        QCOMPARE(hub.totals(500).size(), std::size_t{2});
        QCOMPARE(hub.totals(500)[0].compute.count, 8000);
        writer->finish(1000);
        writer.reset();
        QTRY_VERIFY_WITH_TIMEOUT(hub.state() == RunState::done, 60'000);
        QVERIFY(hub.failureText().isEmpty());
    }

    void anEndedRunIsTheSameRead() {
        {
            test::RunWriter writer(path());
            for (int step = 1; step <= 50; ++step) {
                writer.step(step, {{"loss", 1.0 / step}});
            }
            writer.message("hello");
            writer.checkpoint(50, "checkpoints/step-50.safetensors");
            writer.finish(50);
        }
        RunHub hub;
        QSignalSpy grown(&hub, &RunHub::grown);
        hub.open(here());
        QTRY_COMPARE_WITH_TIMEOUT(points(hub), std::size_t{50}, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(hub.state() == RunState::done, 60'000);
        QStringList story;
        for (const RunMessage& line : hub.story()) {
            story << QString::fromStdString(line.text);
        }
        QCOMPARE(story,
                 (QStringList{"Starts on cpu:0, cpu:1", "hello",
                              "Checkpoint saved: step-50.safetensors", "Done after step 50"}));
        QCOMPARE(hub.checkpoints().size(), std::size_t{1});
        QVERIFY(grown[0][0].value<RunGrowth>().isNew);
    }

    void aResumedRunGoesOnInTheSameSeries() {
        {
            test::RunWriter writer(path());
            for (int step = 1; step <= 50; ++step) {
                writer.step(step, {{"loss", 1}});
            }
        }
        RunHub hub;
        hub.open(here());
        QTRY_COMPARE_WITH_TIMEOUT(points(hub), std::size_t{50}, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(hub.state() == RunState::lost, 60'000);
        QVERIFY(hub.failureText().contains("after step 50"));
        test::RunWriter again(path(), 2);
        for (int step = 41; step <= 60; ++step) {
            again.step(step, {{"loss", 2}});
        }
        again.flush();
        QTRY_COMPARE_WITH_TIMEOUT(points(hub), std::size_t{60}, 60'000);
        const Series& loss = *hub.series().find("loss", Split::train);
        QCOMPARE(loss.values().at(39), 1.0);
        QCOMPARE(loss.values().at(40), 2.0);
        QTRY_VERIFY_WITH_TIMEOUT(hub.isLiving(), 60'000);
    }

    void aRunThatPausesIsToldAndListed() {
        test::RunWriter writer(path());
        writer.step(1, {{"loss", 1}});
        writer.pause(true, 1);
        writer.flush();
        RunHub hub;
        hub.open(here());
        QTRY_VERIFY_WITH_TIMEOUT(hub.isPaused(), 60'000);
        QVERIFY(listRuns(path().parent_path()).front().isPaused);
        writer.pause(false, 1);
        writer.flush();
        QTRY_VERIFY_WITH_TIMEOUT(!hub.isPaused(), 60'000);
        QVERIFY(hub.isLiving());
        QVERIFY(!listRuns(path().parent_path()).front().isPaused);
    }

    void aFailureNamesRankLayerAndLog() {
        {
            test::RunWriter writer(path());
            writer.step(1, {{"loss", 1}});
            writer.fail(Error(ErrorCode::peer, Where{.rank = 3, .host = "hostB", .layer = "conv5"},
                              "no word for 10 s in all-reduce",
                              "check that the process still runs"),
                        1);
        }
        RunHub hub;
        hub.open(here());
        QTRY_VERIFY_WITH_TIMEOUT(hub.state() == RunState::failed, 60'000);
        const QString text = hub.failureText();
        for (const char* part :
             {"rank 3", "hostB", "conv5", "no word for 10 s", "check that", "log.txt"}) {
            QVERIFY2(text.contains(part), qPrintable(text));
        }
    }

    void whatRunsForAWhileIsToldAndWhereARunDied() {
        auto writer = std::make_unique<test::RunWriter>(path());
        writer->step(1, {{"loss", 1}});
        writer->stand({.layer = "conv2", .op = "conv2d_dw"});
        writer->flush();
        const auto page = path() / "standing.0";
        if (!std::filesystem::exists(page)) {
            QSKIP("this file system is none to map");
        }
        RunHub hub;
        hub.open(here());
        QTRY_COMPARE_WITH_TIMEOUT(hub.runningOps().size(), std::size_t{1}, 60'000);
        QCOMPARE(hub.runningOps()[0].site.layer, std::string("conv2"));
        QVERIFY(hub.isLiving());
        // A process that is killed leaves its page.
        std::filesystem::copy_file(page, path() / "kept");
        writer.reset();
        std::filesystem::rename(path() / "kept", page);
        QTRY_VERIFY_WITH_TIMEOUT(hub.state() == RunState::lost, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(hub.failureText().contains("conv2d_dw"), 60'000);
        const QString text = hub.failureText();
        QVERIFY2(text.startsWith("rank 0, conv2: "), qPrintable(text));
        QVERIFY2(text.contains("after step 1 in conv2d_dw"), qPrintable(text));
        QVERIFY(openRun(path()).summary.cause.find("conv2d_dw of conv2") != std::string::npos);
    }

    void anotherRunTakesThePlaceOfTheFirst() {
        const QString other = folder_->path() + "/other";
        {
            test::RunWriter writer(path());
            writer.step(1, {{"loss", 1}});
            test::RunWriter second(other.toStdString());
            second.step(1, {{"loss", 5}});
            second.step(2, {{"loss", 6}});
        }
        RunHub hub;
        hub.open(here());
        QTRY_COMPARE_WITH_TIMEOUT(points(hub), std::size_t{1}, 60'000);
        hub.open(other);
        QCOMPARE(points(hub), std::size_t{0});
        QTRY_COMPARE_WITH_TIMEOUT(points(hub), std::size_t{2}, 60'000);
        QCOMPARE(hub.name(), QString("other"));
        hub.close();
        QVERIFY(!hub.isOpen());
        QCOMPARE(points(hub), std::size_t{0});
    }

    void sumsAreThoseOfTheSlowestDevice() {
        test::RunWriter writer(path());
        const SpanSite site{.origin = {LayerId{4}, 0}, .layer = "fc"};
        writer.step(1, {{"loss", 1}});
        writer.sum(site, DeviceId{0}, 10, 1000);
        writer.sum(site, DeviceId{1}, 10, 4000);
        writer.flush();
        RunHub hub;
        hub.open(here());
        QTRY_VERIFY_WITH_TIMEOUT(!hub.sums().mean().empty(), 60'000);
        const LayerTime time = hub.sums().mean().at({LayerId{4}, 0});
        QCOMPARE(time.forward.count, 400);
        QCOMPARE(time.layer, std::string("fc"));
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestRunHub() { return std::make_unique<TestRunHub>(); }
#include "tst_run_hub.moc"
