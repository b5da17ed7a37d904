// SPDX-License-Identifier: Apache-2.0
// Steps that rank 0 did not live to write are read from the log of a rank that outlived it.
#include "base/files/files.h"
#include "events/run_directory.h"
#include "events/survivor_steps.h"
#include "samples.h"
#include <weft/sinks.h>

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <memory>
#include <optional>
#include <vector>

using namespace weft;
namespace fs = std::filesystem;

namespace {

/// The log of a rank in an attempt of two ranks.
LogSettings ofRank(int rank, std::uint32_t attempt, std::int64_t stepsBefore = 0) {
    LogSettings settings = test::quickSettings(attempt, stepsBefore);
    settings.rank = rank;
    settings.attempt.ranks = 2;
    return settings;
}

std::vector<std::int64_t> stepsOf(const RunNews& news) {
    std::vector<std::int64_t> steps;
    for (const StepRecord& record : news.steps) {
        steps.push_back(record.step);
    }
    return steps;
}

std::vector<std::int64_t> upToStep(std::int64_t last) {
    std::vector<std::int64_t> steps;
    for (std::int64_t step = 1; step <= last; ++step) {
        steps.push_back(step);
    }
    return steps;
}

} // namespace

class TestSurvivorSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { parent_ = std::make_unique<QTemporaryDir>(); }

    void ordersAsALogDoes() {
        const StepKey train{.attempt = 1, .step = 5, .split = Split::train};
        const StepKey evaluate{.attempt = 1, .step = 5, .split = Split::evaluate};
        QVERIFY(train < evaluate);
        QVERIFY(evaluate < (StepKey{.attempt = 1, .step = 6, .split = Split::train}));
        QVERIFY((StepKey{.attempt = 1, .step = 9, .split = Split::train}) <
                (StepKey{.attempt = 2, .step = 1, .split = Split::train}));
    }

    void whatAKilledRank0HadNotWrittenIsRead() {
        makeRun();
        killedRank0(1, 1, 5, 8);
        const Run run = openRun(folder());
        QCOMPARE(run.series.at(0).steps, upToStep(8));
        QCOMPARE(run.series.at(0).values.at(7), 1.0 / 8);
        QCOMPARE(run.summary.state, RunState::failed);
        QCOMPARE(run.summary.lastStep, 8);
        QCOMPARE(run.summary.lastLoss.value_or(0), 1.0 / 8);
    }

    /// A step that both ranks have logged is read once, from rank 0 if it has logged the step.
    void noStepIsReadTwice() {
        makeRun();
        killedRank0(1, 1, 8, 5);
        QCOMPARE(stepsOf(test::readAll(folder()).news), upToStep(8));
    }

    void aLaterAttemptComesAfterThem() {
        makeRun();
        killedRank0(1, 1, 5, 8);
        { const RunDirectory again = RunDirectory::resume(RunDirectory::reserve(folder())); }
        test::writeSteps(folder(), ofRank(0, 2, 8), 9, 12);
        test::writeSteps(folder(), ofRank(1, 2, 8), 9, 12);
        QCOMPARE(stepsOf(test::readAll(folder()).news), upToStep(12));
        // The timeline goes on from them.
        const test::Everything all = test::readAll(folder(), true);
        QCOMPARE(stepsOf(all.news), upToStep(12));
    }

    /// While the run lives, rank 0 is only a little behind.
    void aLivingRank0IsWaitedFor() {
        std::optional<RunDirectory> living;
        living.emplace(RunDirectory::createAt(folder()));
        EventLog first(folder(), ofRank(0, 1));
        EventLog second(folder(), ofRank(1, 1));
        put(first, 1, 3);
        put(second, 1, 7);
        RunReader reader(folder());
        QCOMPARE(stepsOf(reader.read()), upToStep(3));
        put(first, 4, 5);
        QCOMPARE(stepsOf(reader.read()), (std::vector<std::int64_t>{4, 5}));
        living.reset();
        QCOMPARE(stepsOf(reader.read()), (std::vector<std::int64_t>{6, 7}));
        // Rank 0 logs more after all of its steps were read from the other rank.
        put(first, 6, 9);
        QCOMPARE(stepsOf(reader.read()), (std::vector<std::int64_t>{8, 9}));
    }

    /// A reader that follows from the begin and one that comes late see the same, line by line.
    void metricsAreCompletedByTheNextAttempt() {
        makeRun();
        follow();
        killedRank0(1, 1, 5, 8);
        test::writeSteps(folder(), ofRank(0, 2, 8), 9, 10);
        test::writeSteps(folder(), ofRank(1, 2, 8), 9, 13);
        {
            const RunDirectory again = RunDirectory::resume(RunDirectory::reserve(folder()));
            follow();
        }
        { const RunDirectory again = RunDirectory::resume(RunDirectory::reserve(folder())); }
        test::writeSteps(folder(), ofRank(0, 3, 13), 14, 15);
        follow();
        const std::string all = metrics();
        fs::remove(folder() / "metrics.jsonl");
        follow();
        QCOMPARE(QString::fromStdString(all), QString::fromStdString(metrics()));
        std::int64_t lines = 0;
        for (std::size_t at = all.find('\n'); at != std::string::npos;
             at = all.find('\n', at + 1)) {
            ++lines;
            QVERIFY(all.find("\"step\":" + std::to_string(lines) + ",") != std::string::npos ||
                    all.find("\"step\": " + std::to_string(lines) + ",") != std::string::npos);
        }
        QCOMPARE(lines, 15);
    }

    void evaluationsAreReadToo() {
        makeRun();
        test::writeSteps(folder(), ofRank(0, 1), 1, 3);
        {
            EventLog log(folder(), ofRank(1, 1));
            EventChannel& channel = log.makeChannel("trainer");
            const NameIndex loss = log.intern("loss", "", true);
            for (int step = 1; step <= 4; ++step) {
                for (const Split split : {Split::train, Split::evaluate}) {
                    channel.metric(step, loss, step, split);
                    channel.step(step, 0, 0, split);
                }
            }
        }
        const RunNews news = test::readAll(folder()).news;
        // Rank 0's last word was of step 3; its evaluation and step 4 come from rank 1.
        QCOMPARE(stepsOf(news), (std::vector<std::int64_t>{1, 2, 3, 3, 4, 4}));
        QCOMPARE(news.steps.at(3).split, Split::evaluate);
        QCOMPARE(news.steps.at(3).values.size(), std::size_t{1});
        QCOMPARE(news.steps.at(5).values.at(0).value, 4.0);
    }

private:
    [[nodiscard]] fs::path folder() const {
        return fs::path(parent_->path().toStdString()) / "run";
    }
    [[nodiscard]] std::string metrics() const {
        return readFile(folder() / "metrics.jsonl", 1U << 20U);
    }
    /// A run that nobody holds any more.
    void makeRun() const {
        const RunDirectory run = RunDirectory::createAt(folder());
        writeFileWhole(run.design(), R"({"weft": 1, "name": "small", "layers": []})");
    }
    /// An attempt in whose folder rank 0's log ends without a word.
    void killedRank0(std::uint32_t attempt, std::int64_t begin, std::int64_t first,
                     std::int64_t second) const {
        test::writeSteps(folder(), ofRank(0, attempt, begin - 1), begin, first);
        test::writeSteps(folder(), ofRank(1, attempt, begin - 1), begin, second, EndReason::failed);
        EventLog log(folder(), [&] {
            LogSettings settings = ofRank(1, attempt);
            settings.isNewAttempt = false;
            return settings;
        }());
        log.makeChannel("session").end(EndReason::failed, second, "rank 0 (here): it died");
    }
    static void put(EventLog& log, std::int64_t first, std::int64_t last) {
        EventChannel& channel = log.makeChannel("trainer");
        const NameIndex loss = log.intern("loss", "nats", true);
        for (std::int64_t step = first; step <= last; ++step) {
            channel.metric(step, loss, 1.0 / static_cast<double>(step));
            channel.step(step, 0.5F, 0);
        }
        log.flush(std::chrono::seconds(60));
    }
    /// metrics.jsonl is completed with what is there.
    void follow() const {
        SinkPlace place;
        place.folder = folder();
        const std::array sinks{makeSink("metrics", place)};
        RunReader reader(folder());
        std::stop_source stop;
        stop.request_stop();
        followRun(reader, sinks, stop.get_token(), [](const Error& error) { QFAIL(error.what()); });
    }

    std::unique_ptr<QTemporaryDir> parent_;
};

std::unique_ptr<QObject> makeTestSurvivorSteps() { return std::make_unique<TestSurvivorSteps>(); }
#include "tst_survivor_steps.moc"
