// SPDX-License-Identifier: Apache-2.0
#include "../samples.h"
#include "base/text/text.h"
#include <weft/sinks.h>

#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <sstream>

using namespace weft;

namespace {

/// A step each tenth of a second, with what a trainer reports.
StepRecord stepAt(std::int64_t step) {
    return {1,
            Split::train,
            step,
            step * 100'000'000,
            0.1F,
            static_cast<float>(step) / 100,
            {{0, 2.5}, {1, 0.01}, {2, 640}}};
}

} // namespace

class TestTerminal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        // A reader of a run that names the metrics.
        folder_ = std::make_unique<QTemporaryDir>();
        EventLog log(folder_->path().toStdString(), test::quickSettings());
        EventChannel& channel = log.makeChannel("trainer");
        channel.metric(1, log.intern("loss"), 1);
        channel.metric(1, log.intern("learning_rate"), 1);
        channel.metric(1, log.intern("throughput", "examples/s"), 1);
        channel.metric(1, log.intern("accuracy"), 1);
        channel.step(1, 0, 0);
        log.close(std::chrono::seconds(60));
        steps_ = 200;
        reader_ = std::make_unique<RunReader>(folder_->path().toStdString());
        static_cast<void>(reader_->read());
        out_.str({});
    }

    void plainLinesComeNowAndThen() {
        const auto sink = makeSink("terminal", place(false, false));
        for (std::int64_t step = 1; step <= 120; ++step) {
            RunNews news;
            news.steps = {stepAt(step)};
            sink->take(*reader_, news);
        }
        sink->finish();
        // At the first step, after five and ten seconds, and at the end.
        QCOMPARE(lines().size(), qsizetype{4});
        QCOMPARE(lines()[0],
                 QString("step 1/200  epoch 0.01  loss 2.5  640 examples/s  0 %  eta -:--"));
        QCOMPARE(lines()[1],
                 QString("step 51/200  epoch 0.51  loss 2.5  640 examples/s  26 %  eta 0:15"));
        QVERIFY(lines()[3].startsWith("step 120/200"));
        QVERIFY(!QString::fromStdString(out_.str()).contains('\x1b'));
        QVERIFY(!QString::fromStdString(out_.str()).contains('\r'));
    }

    void aBarIsDrawnOverItself() {
        const auto sink = makeSink("terminal", place(true, false));
        for (std::int64_t step : {1, 100, 200}) {
            RunNews news;
            news.steps = {stepAt(step)};
            sink->take(*reader_, news);
        }
        sink->finish();
        const QString text = QString::fromStdString(out_.str());
        QCOMPARE(text.count('\n'), 1);
        const QStringList drawn = text.split("\r\x1b[K");
        QCOMPARE(drawn.size(), qsizetype{3});
        QVERIFY(drawn[1].startsWith("[===============               ]  step 100/200"));
        QVERIFY(drawn[1].contains("50 %  eta 0:10"));
        QVERIFY(drawn[2].startsWith("[==============================]"));
    }

    void aNarrowTerminalGetsOneLineToo() {
        SinkPlace narrow = place(true, false);
        narrow.width = 30;
        const auto sink = makeSink("terminal", narrow);
        RunNews news;
        news.steps = {stepAt(10)};
        sink->take(*reader_, news);
        QVERIFY(textWidth(out_.str()) < 30);
    }

    void whatMattersHasALineThatStays() {
        const auto sink = makeSink("terminal", place(true, true));
        RunNews news;
        news.steps = {stepAt(10), stepAt(10)};
        news.steps[1].split = Split::evaluate;
        news.steps[1].values = {{0, 0.25}, {3, 0.97561}};
        news.messages = {{1, 1, 1, 10, 0, "no word from rank 0 for 5 s"}};
        Where where;
        where.layer = "conv1";
        news.failures = {
            Error(ErrorCode::numerics, where, "the loss is not finite", "lower the learning rate")};
        news.ends = {{1, EndReason::failed, 10, "not finite"}};
        sink->take(*reader_, news);
        sink->finish();
        const QString text = QString::fromStdString(out_.str());
        QVERIFY(text.contains("evaluation at step 10 (epoch 0.10): loss 0.25  accuracy 0.9756\n"));
        QVERIFY(text.contains("\x1b[33mwarning: \x1b[0mrank 1: no word from rank 0 for 5 s\n"));
        QVERIFY(text.contains("conv1: the loss is not finite: lower the learning rate\n"));
        QVERIFY(text.contains("\x1b[31mfailed at step 10\x1b[0m: not finite\n"));
        QVERIFY(text.endsWith('\n'));
    }

    void withoutAGoalThereIsNoBar() {
        SinkPlace endless = place(true, false);
        endless.goal = {};
        const auto sink = makeSink("terminal", endless);
        RunNews news;
        news.steps = {stepAt(10)};
        sink->take(*reader_, news);
        QCOMPARE(QString::fromStdString(out_.str()),
                 QString("step 10  epoch 0.10  loss 2.5  640 examples/s"));
    }

    void aGoalInTimeFillsTheBarToo() {
        SinkPlace timed = place(false, false);
        timed.goal = [] { return RunGoal{.seconds = 100}; };
        const auto sink = makeSink("terminal", timed);
        RunNews news;
        news.steps = {stepAt(1), stepAt(500)};
        sink->take(*reader_, news);
        QVERIFY(lines().back().endsWith("50 %  eta 0:50"));
    }

    void aGoalInEpochsFillsTheBarToo() {
        SinkPlace goal = place(false, false);
        goal.goal = [] { return RunGoal{.epochs = 10}; };
        const auto sink = makeSink("terminal", goal);
        RunNews news;
        news.steps = {stepAt(1), stepAt(500)};
        sink->take(*reader_, news);
        QVERIFY(lines().back().contains("50 %"));
    }

    void aResumedRunIsShownFromWhereItGoesOn() {
        const auto sink = makeSink("terminal", place(false, false));
        RunNews news;
        news.attempts = {{.number = 1}, {.number = 2, .stepsBefore = 60}};
        news.steps = {stepAt(100), stepAt(61)};
        news.steps[1].attempt = 2;
        news.ends = {{1, EndReason::stopped, 60, "stopped as asked"}};
        sink->take(*reader_, news);
        QCOMPARE(lines().size(), qsizetype{2});
        QCOMPARE(lines()[0], QString("attempt 2: continues after step 60"));
        QVERIFY(lines()[1].startsWith("step 61/200"));
        steps_ = 300;
        news = {};
        news.attempts = {{.number = 3, .stepsBefore = 61}};
        news.steps = {stepAt(62)};
        news.steps[0].attempt = 3;
        sink->take(*reader_, news);
        QVERIFY(lines().back().startsWith("step 62/300"));
    }

    void sinksAreListedAndNamed() {
        std::vector<std::string> names;
        for (const SinkInfo& info : sinkKinds()) {
            names.push_back(info.name);
            QVERIFY(!info.help.empty());
        }
        QVERIFY(names ==
                (std::vector<std::string>{"log", "metrics", "tensorboard", "terminal", "trace"}));
        try {
            static_cast<void>(makeSink("printer", {}));
            QFAIL("it was made");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::usage);
            QVERIFY(error.remedy().find("terminal") != std::string::npos);
        }
    }

private:
    SinkPlace place(bool isTerminal, bool hasColour) {
        SinkPlace place;
        place.out = &out_;
        place.isTerminal = isTerminal;
        place.hasColour = hasColour;
        place.width = 120;
        place.goal = [this] { return RunGoal{.steps = steps_}; };
        return place;
    }

    [[nodiscard]] QStringList lines() const {
        return QString::fromStdString(out_.str()).split('\n', Qt::SkipEmptyParts);
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<RunReader> reader_;
    std::ostringstream out_;
    std::int64_t steps_ = 200; ///< that the run is meant to do
};

std::unique_ptr<QObject> makeTestTerminal() { return std::make_unique<TestTerminal>(); }
#include "tst_terminal.moc"
