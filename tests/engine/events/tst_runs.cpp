// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "base/process/threads.h"
#include "events/frame.h"
#include "events/last_words.h"
#include "events/run_directory.h"
#include "samples.h"
#include <weft/runs.h>

#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

class TestRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void runsAreListedWithTheirState() {
        const fs::path done = makeRun("done");
        const fs::path lost = makeRun("lost");
        endRun(done, EndReason::done, "");
        const fs::path failed = makeRun("failed");
        endRun(failed, EndReason::failed, "loss is not finite");
        makeFolder(here() / "no run");
        writeFileWhole(here() / "a file", "x");
        const RunDirectory living = RunDirectory::createAt(here() / "living");

        std::map<std::string, RunSummary> runs;
        for (RunSummary& summary : listRuns(here())) {
            runs[summary.name] = summary;
        }
        QCOMPARE(runs.size(), std::size_t{4});
        QVERIFY(runs["done"].state == RunState::done);
        QVERIFY(runs["lost"].state == RunState::lost);
        QVERIFY(runs["failed"].state == RunState::failed);
        QCOMPARE(runs["failed"].cause, std::string("loss is not finite"));
        QVERIFY(runs["living"].state == RunState::living);
        QCOMPARE(runs["done"].design, std::string("LeNet"));
        QCOMPARE(runs["done"].lastStep, 10);
        QCOMPARE(runs["done"].lastLoss.value_or(0), 0.1);
        QCOMPARE(runs["done"].attempts, std::uint32_t{1});
        QVERIFY(runs["done"].size.count > 500);
        QVERIFY(runs["done"].begun > 0);
        QVERIFY(listRuns(here() / "none").empty());
    }

    void whoOutlivesARunSaysWhyItFailed() {
        const Error cause(ErrorCode::peer, {}, "rank 0 (hosta): the process of this rank died",
                          "look there");
        const fs::path lost = makeRun("lost");
        logFailureOfDeadRun(lost, cause);
        const Run run = openRun(lost);
        QVERIFY(run.summary.state == RunState::failed);
        QCOMPARE(run.summary.cause, std::string(cause.what()));
        QCOMPARE(run.summary.lastStep, 10);
        QCOMPARE(run.failures.size(), std::size_t{1});
        QCOMPARE(run.attempts.size(), std::size_t{1});
        QCOMPARE(run.series.at(0).steps.size(), std::size_t{10});
        RunReader reader(lost);
        static_cast<void>(reader.read());
        QVERIFY(reader.state() == RunState::failed);

        logFailureOfDeadRun(lost, Error(ErrorCode::peer, {}, "another", ""));
        QCOMPARE(openRun(lost).failures.size(), std::size_t{1});
        const fs::path done = makeRun("done");
        endRun(done, EndReason::done, "");
        logFailureOfDeadRun(done, cause);
        QVERIFY(openRun(done).summary.state == RunState::done);
        const RunDirectory living = RunDirectory::createAt(here() / "living");
        logFailureOfDeadRun(living.folder(), cause);
        QVERIFY(!fs::exists(logPath(living.folder(), 0)));
        logFailureOfDeadRun(here() / "none", cause);
        QVERIFY(!fs::exists(here() / "none"));
    }

    void anEndOfBeforeIsNotThatOfAnAttemptThatSaidNothing() {
        const fs::path folder = makeRun("silent");
        {
            EventLog log(folder, test::quickSettings(1, 10));
            log.makeChannel("trainer").end(EndReason::stopped, 10, "");
        }
        RunReader reader(folder);
        static_cast<void>(reader.read());
        QVERIFY(reader.state() == RunState::stopped);
        { const RunDirectory again = RunDirectory::resume(RunDirectory::reserve(folder)); }
        QVERIFY(summaryOf(folder)->state == RunState::lost);
        static_cast<void>(reader.read());
        QVERIFY(reader.state() == RunState::lost);

        logFailureOfDeadRun(folder, Error(ErrorCode::peer, {}, "rank 1 died", ""));
        const Run run = openRun(folder);
        QVERIFY(run.summary.state == RunState::failed);
        QCOMPARE(run.attempts.back().number, std::uint32_t{2});
        static_cast<void>(reader.read());
        QVERIFY(reader.state() == RunState::failed);
    }

    void aLongLogIsSummarizedFromItsEnds() {
        const fs::path run = makeRun("long");
        test::writeSteps(run, test::quickSettings(2, 11), 11, 100'000);
        QVERIFY(fs::file_size(logPath(run, 0)) > (std::size_t{5} << 20U));
        const RunSummary summary = listRuns(here()).at(0);
        QCOMPARE(summary.lastStep, 100'000);
        QCOMPARE(summary.lastLoss.value_or(0), 1e-5);
        const Run whole = openRun(run);
        QCOMPARE(whole.series.at(0).steps.size(), std::size_t{100'000});
        QCOMPARE(whole.attempts.size(), std::size_t{2});
    }

    void aLongLastAttemptIsSummarizedAsItEnded_data() {
        QTest::addColumn<bool>("isTorn");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("whole") << false << true;
        QTest::newRow("torn") << true << true;
        QTest::newRow("of a lock that does not say where it begins") << false << false;
    }
    void aLongLastAttemptIsSummarizedAsItEnded() {
        QFETCH(const bool, isTorn);
        QFETCH(const bool, isTold);
        const fs::path run = makeRun("long");
        test::writeSteps(run, test::quickSettings(1, 11), 11, 100'000, EndReason::failed);
        const auto whole = fs::file_size(logPath(run, 0));
        QVERIFY(whole > (std::size_t{5} << 20U));
        const auto before = isTorn ? whole - 1 : whole;
        fs::resize_file(logPath(run, 0), before);
        { const RunDirectory again = RunDirectory::resume(RunDirectory::reserve(run)); }
        QCOMPARE(std::uint64_t{readRunLock(run).logBytesAtBegin}, std::uint64_t{before});
        if (!isTold) {
            writeFileWhole(run / "lock", R"({"attempt": 2})");
        }
        test::writeSteps(run, test::quickSettings(2, 100'001), 100'001, 200'000,
                         EndReason::stopped);
        const RunSummary summary = listRuns(here()).at(0);
        QVERIFY(summary.state == RunState::stopped);
        QCOMPARE(summary.cause, std::string());
        QCOMPARE(summary.lastStep, 200'000);
        QCOMPARE(summary.lastLoss.value_or(0), 5e-6);
    }

    void theLatestAttemptOfAStepIsInTheSeries() {
        const fs::path folder = makeRun("resumed");
        {
            EventLog log(folder, test::quickSettings(2, 6));
            EventChannel& channel = log.makeChannel("trainer");
            const NameIndex other = log.intern("accuracy");
            const NameIndex loss = log.intern("loss", "nats", true);
            for (int step = 6; step <= 8; ++step) {
                channel.metric(step, loss, 100 + step);
                channel.step(step, 0, 0);
            }
            channel.metric(8, other, 0.5, Split::evaluate);
            channel.step(8, 0, 0, Split::evaluate);
        }
        const Run run = openRun(folder);
        QCOMPARE(run.series.size(), std::size_t{2});
        const MetricSeries& loss = run.series[0];
        QCOMPARE(loss.metric.name, std::string("loss"));
        QCOMPARE(loss.steps.size(), std::size_t{10});
        QVERIFY(std::is_sorted(loss.steps.begin(), loss.steps.end()));
        QCOMPARE(loss.values[4], 0.2);
        QCOMPARE(loss.values[5], 106.0);
        QCOMPARE(loss.values[7], 108.0);
        QCOMPARE(loss.values[8], 1.0 / 9);
        QVERIFY(run.series[1].split == Split::evaluate);
        QVERIFY(run.design.find("LeNet") != std::string::npos);
    }

    void whatIsNoRunIsAnError() {
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(openRun(here())));
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(openRun(here() / "none")));
    }

    void aReaderFollowsALivingRun() {
        const fs::path folder = makeRun("living");
        RunReader reader(folder);
        static_cast<void>(reader.read());
        const auto writer = startThread("writer", [&] {
            for (std::uint32_t attempt = 2; attempt < 12; ++attempt) {
                test::writeSteps(folder, test::quickSettings(attempt, 1), 1, 100);
            }
            endRun(folder, EndReason::done, "");
        });
        std::int64_t next = 1;
        bool isEnded = false;
        while (!isEnded) {
            const RunNews news = reader.read();
            for (const StepRecord& step : news.steps) {
                QCOMPARE(step.step, next);
                QCOMPARE(step.values.size(), std::size_t{1});
                next = next % 100 + 1;
            }
            isEnded = !news.ends.empty();
            if (news.isEmpty() && !isEnded) {
                reader.waitForGrowth(10s);
            }
        }
        QCOMPARE(reader.damagedBytes(), std::uint64_t{0});
        QVERIFY(reader.state() == RunState::done);
    }

    void aLogOfALaterWeftIsRefused() {
        const fs::path folder = makeRun("later");
        std::string log = readFile(logPath(folder, 0), 1 << 20);
        QVERIFY(!log.empty());
        std::vector<std::byte> frames;
        RunEvent event{};
        event.head.kind = EventKind::run;
        event.protocol = protocolVersion + 1;
        appendFrames(frames, std::as_bytes(std::span(&event, 1)));
        writeFileWhole(logPath(folder, 0), frames);
        RunReader reader(folder);
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(reader.read()));
        QVERIFY(listRuns(here()).at(0).cause.find("newer version of Weft") != std::string::npos);
    }

private:
    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }

    /// A run of ten steps that nobody holds.
    [[nodiscard]] fs::path makeRun(const std::string& name) const {
        const RunDirectory run = RunDirectory::createAt(here() / name);
        writeFileWhole(run.design(), R"({"name": "LeNet"})");
        test::writeSteps(run.folder(), test::quickSettings(), 1, 10);
        return run.folder();
    }

    static void endRun(const fs::path& folder, EndReason reason, std::string_view text) {
        EventLog log(folder, test::quickSettings(50, 11));
        log.makeChannel("trainer").end(reason, 10, text);
        log.close(60s);
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestRuns() { return std::make_unique<TestRuns>(); }
#include "tst_runs.moc"
