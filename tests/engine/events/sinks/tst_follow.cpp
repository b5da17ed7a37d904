// SPDX-License-Identifier: Apache-2.0
#include "../samples.h"
#include "base/files/files.h"
#include "base/process/threads.h"
#include "events/run_directory.h"
#include <weft/sinks.h>

#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <memory>

using namespace weft;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

/// Counts, and fails where it is told to.
class Counting final : public RunSink {
public:
    explicit Counting(std::atomic<int>& steps, int failsAt = -1)
        : steps_(steps), failsAt_(failsAt) {}
    void take(const RunReader& /*reader*/, const RunNews& news) override {
        steps_ += static_cast<int>(news.steps.size());
        if (failsAt_ >= 0 && steps_ >= failsAt_) {
            throw Error(ErrorCode::file, {}, "the disk is full", "free space");
        }
    }
    void finish() override { steps_ += 1000; }

private:
    std::atomic<int>& steps_;
    int failsAt_;
};

} // namespace

class TestFollow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingBeforeTheStopIsTaken() {
        const QTemporaryDir parent;
        const RunDirectory run =
            RunDirectory::createAt(fs::path(parent.path().toStdString()) / "run");
        std::atomic<int> steps = 0;
        std::jthread follower;
        {
            EventLog log(run.folder(), test::quickSettings());
            EventChannel& channel = log.makeChannel("trainer");
            follower = startThread("follower", [&](const std::stop_token& stop) {
                RunReader reader(run.folder());
                const std::unique_ptr<RunSink> sinks[] = {std::make_unique<Counting>(steps)};
                followRun(reader, sinks, stop, [](const Error& error) { QFAIL(error.what()); });
            });
            for (int step = 1; step <= 500; ++step) {
                channel.step(step, 0, 0);
            }
            // A living run is followed while it lives.
            QVERIFY(QTest::qWaitFor([&] { return steps == 500; }, 30000));
            channel.step(501, 0, 0);
            log.close(60s);
        }
        follower.request_stop();
        follower.join();
        QCOMPARE(steps.load(), 1501);
    }

    void aBrokenSinkLeavesTheOthersAlone() {
        const QTemporaryDir folder;
        test::writeSteps(folder.path().toStdString(), test::quickSettings(), 1, 10);
        std::atomic<int> good = 0;
        std::atomic<int> bad = 0;
        const std::unique_ptr<RunSink> sinks[] = {std::make_unique<Counting>(bad, 1),
                                                  std::make_unique<Counting>(good)};
        RunReader reader(folder.path().toStdString());
        std::vector<std::string> broken;
        // A run that nobody holds is read to its end.
        followRun(reader, sinks, {},
                  [&](const Error& error) { broken.push_back(error.problem()); });
        QCOMPARE(good.load(), 1010);
        QCOMPARE(bad.load(), 10);
        QVERIFY(broken == std::vector<std::string>{"the disk is full"});
    }

    void aTraceIsWrittenAtTheEnd() {
        const QTemporaryDir folder;
        test::writeSteps(folder.path().toStdString(), test::quickSettings(), 1, 3);
        SinkPlace place;
        place.folder = folder.path().toStdString();
        const std::unique_ptr<RunSink> sinks[] = {makeSink("trace", place)};
        RunReader reader(place.folder);
        followRun(reader, sinks, {}, [](const Error& error) { QFAIL(error.what()); });
        QVERIFY(fs::exists(place.folder / "trace.json"));
    }
};

std::unique_ptr<QObject> makeTestFollow() { return std::make_unique<TestFollow>(); }
#include "tst_follow.moc"
