// SPDX-License-Identifier: Apache-2.0
#include "base/failure_text.h"
#include "base/files/files.h"
#include "base/process/threads.h"
#include "events/log.h"
#include "samples.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>

using namespace weft;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

/// A disk that takes nothing while it is full.
struct FullDisk {
    std::atomic<bool> isFull = true;
    std::atomic<bool> takesHalf = false;

    [[nodiscard]] WriteSome writeSome() {
        return [this](int descriptor, std::span<const std::byte> bytes,
                      std::uint64_t offset) -> std::int64_t {
            if (isFull) {
                errno = ENOSPC;
                return -1;
            }
            const std::size_t count = takesHalf ? (bytes.size() + 1) / 2 : bytes.size();
            return ::pwrite(descriptor, bytes.data(), count, static_cast<off_t>(offset));
        };
    }
};

template <class Condition>
bool becomes(Condition condition) {
    return QTest::qWaitFor(condition, 30000);
}

} // namespace

class TestLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void everyKindOfEventComesBack() {
        {
            EventLog log(here(), test::quickSettings());
            EventChannel& channel = log.makeChannel("trainer");
            const NameIndex loss = log.intern("loss", "nats", true);
            const NameIndex accuracy = log.intern("accuracy", {}, false, "loss");
            QCOMPARE(log.intern("loss", "nats", true), loss);
            QVERIFY(loss != accuracy);
            channel.memory(1, log.intern("arena"), Bytes{4096});
            channel.text(TextLevel::warning, 0, "slow disk");
            channel.metric(1, loss, 2.5);
            channel.step(1, 0.25F, 0.5F);
            channel.metric(1, accuracy, 0.75, Split::evaluate);
            channel.step(1, 1.5F, 0.5F, Split::evaluate);
            channel.checkpoint(1, "checkpoints/1.safetensors");
            channel.tensor(1, "tensors/conv1.npy");
            channel.clock({5}, {1});
            Where where;
            where.rank = 1;
            where.layer = "conv5";
            channel.failure(1, failureText(Error(ErrorCode::peer, where, "no word", "look at it")));
            channel.failure(1, failureText(Error(ErrorCode::peer, where, "no word", "look at it")));
            channel.end(EndReason::failed, 1, "no word");
        }
        const auto [news, metrics, damaged] = test::readAll(here());
        QCOMPARE(damaged, std::uint64_t{0});
        QCOMPARE(news.attempts.size(), std::size_t{1});
        QVERIFY(news.attempts[0] == test::quickSettings().attempt);
        QCOMPARE(metrics.size(), std::size_t{2});
        QVERIFY((metrics[0] == MetricInfo{"loss", "nats", true}));
        QVERIFY((metrics[1] == MetricInfo{"accuracy", "", false, "loss"}));
        QCOMPARE(news.steps.size(), std::size_t{2});
        QVERIFY(news.steps[0].split == Split::train && news.steps[1].split == Split::evaluate);
        QCOMPARE(news.steps[0].values.size(), std::size_t{1});
        QCOMPARE(news.steps[0].values[0].value, 2.5);
        QCOMPARE(news.steps[0].seconds, 0.25F);
        QCOMPARE(news.steps[1].values[0].metric, std::uint32_t{1});
        QCOMPARE(news.memory.at(0).name, std::string("arena"));
        QCOMPARE(news.memory.at(0).bytes.count, 4096);
        QCOMPARE(news.messages.at(0).text, std::string("slow disk"));
        QCOMPARE(news.messages.at(0).level, 1);
        QCOMPARE(news.checkpoints.at(0).path, std::string("checkpoints/1.safetensors"));
        QCOMPARE(news.tensors.at(0).path, std::string("tensors/conv1.npy"));
        QCOMPARE(news.failures.size(), std::size_t{1});
        QCOMPARE(std::string(news.failures[0].what()),
                 std::string("rank 1, conv5: no word: look at it"));
        QVERIFY(news.ends.at(0).reason == EndReason::failed);
    }

    void manyThreadsPutWithoutLoss() {
        constexpr int threads = 4;
        constexpr int texts = 5000;
        {
            EventLog log(here(), test::quickSettings());
            std::vector<std::jthread> running;
            for (int t = 0; t < threads; ++t) {
                EventChannel& channel = log.makeChannel("worker");
                running.push_back(startThread("worker", [&channel, t] {
                    for (int i = 0; i < texts; ++i) {
                        channel.text(TextLevel::note, t,
                                     std::string(static_cast<std::size_t>(i % 50), 'x'));
                    }
                }));
            }
            running.clear();
            log.close(60s);
        }
        const auto all = test::readAll(here());
        QCOMPARE(all.news.messages.size(), std::size_t{threads * texts});
        std::array<std::size_t, threads> next{};
        for (const RunMessage& message : all.news.messages) {
            std::size_t& count = next.at(static_cast<std::size_t>(message.step));
            QCOMPARE(message.text.size(), count++ % 50);
        }
    }

    void namesStandBeforeTheirUse() {
        EventLog log(here(), test::quickSettings());
        EventChannel& channel = log.makeChannel("trainer");
        RunReader reader(here());
        for (int i = 1; i <= 300; ++i) {
            channel.metric(i, log.intern("metric " + std::to_string(i)), i);
            channel.step(i, 0, 0);
            for (const StepRecord& step : reader.read().steps) {
                QCOMPARE(step.values.size(), std::size_t{1});
            }
        }
        log.flush(60s);
        static_cast<void>(reader.read());
        QCOMPARE(reader.metrics().size(), std::size_t{300});
    }

    void aResumedRunGoesOnInTheSameFile() {
        test::writeSteps(here(), test::quickSettings(1), 1, 10);
        test::writeSteps(here(), test::quickSettings(2, 6), 6, 8);
        const auto all = test::readAll(here());
        QCOMPARE(all.news.attempts.size(), std::size_t{2});
        QCOMPARE(all.news.steps.size(), std::size_t{13});
        QCOMPARE(all.news.steps[12].attempt, std::uint32_t{2});
        QCOMPARE(all.metrics.size(), std::size_t{1});
    }

    void aTornTailIsCutBeforeTheNextAttempt() {
        test::writeSteps(here(), test::quickSettings(1), 1, 10);
        const fs::path path = logPath(here(), 0);
        const auto size = fs::file_size(path);
        fs::resize_file(path, size - 3);
        const auto before = test::readAll(here()).news.steps.size();
        test::writeSteps(here(), test::quickSettings(2, 1), 1, 10);
        const auto all = test::readAll(here());
        QCOMPARE(all.damaged, std::uint64_t{0});
        QCOMPARE(all.news.steps.size(), before + 10);
    }

    void survivesAKillAtAnyInstant() {
        std::size_t attempt = 0;
        std::int64_t reported = 0;
        for (; attempt < 20; ++attempt) {
            int pipes[2];
            QCOMPARE(pipe(pipes), 0);
            const pid_t child = fork();
            if (child == 0) {
                writeUntilKilled(here(), static_cast<std::uint32_t>(attempt + 1), reported + 1,
                                 pipes[1]);
            }
            ::close(pipes[1]);
            // Some words after the first, so that the kill comes at another place each time.
            for (std::size_t i = 0; i <= attempt % 5; ++i) {
                QVERIFY(::read(pipes[0], &reported, sizeof(reported)) == sizeof(reported));
            }
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
            ::close(pipes[0]);
            const auto all = test::readAll(here());
            QCOMPARE(all.damaged, std::uint64_t{0});
            QCOMPARE(all.news.attempts.size(), attempt + 1);
            // Everything up to the last flush, in order, each with its loss.
            std::int64_t last = 0;
            for (const StepRecord& step : all.news.steps) {
                QCOMPARE(step.values.size(), std::size_t{1});
                QVERIFY(step.step == last + 1 || step.attempt > 1);
                last = step.step;
            }
            QVERIFY(last >= reported);
        }
    }

    void aFullDiskLosesNothingAndIsSaid() {
        FullDisk disk;
        LogSettings settings = test::quickSettings();
        settings.writeSome = disk.writeSome();
        EventLog log(here(), std::move(settings));
        EventChannel& channel = log.makeChannel("trainer");
        for (int i = 1; i <= 1000; ++i) {
            channel.step(i, 0, 0);
        }
        QVERIFY(becomes([&] { return log.state() == LogState::stalled; }));
        QVERIFY(log.stallReason().find("No space left") != std::string::npos);
        QVERIFY(log.stallReason().find("events.0.weftlog") != std::string::npos);
        disk.takesHalf = true;
        disk.isFull = false;
        QVERIFY(becomes([&] { return log.state() == LogState::flowing; }));
        QVERIFY(log.stallReason().empty());
        log.close(60s);
        const auto all = test::readAll(here());
        QCOMPARE(all.news.steps.size(), std::size_t{1000});
        QCOMPARE(all.damaged, std::uint64_t{0});
    }

    void aUsedUpReserveAsksForAPause() {
        FullDisk disk;
        LogSettings settings = test::quickSettings();
        settings.writeSome = disk.writeSome();
        settings.reserveBytes = 100'000;
        EventLog log(here(), std::move(settings));
        EventChannel& channel = log.makeChannel("trainer");
        std::int64_t steps = 0;
        QVERIFY(becomes([&] {
            for (int i = 0; i < 100; ++i) {
                channel.step(++steps, 0, 0);
            }
            return log.state() == LogState::exhausted;
        }));
        disk.isFull = false;
        QVERIFY(becomes([&] { return log.state() == LogState::flowing; }));
        log.close(60s);
        QCOMPARE(test::readAll(here()).news.steps.size(), static_cast<std::size_t>(steps));
    }

    void aReserveUsedUpInTimeAsksForAPause() {
        FullDisk disk;
        LogSettings settings = test::quickSettings();
        settings.writeSome = disk.writeSome();
        settings.reserveTime = 0s;
        EventLog log(here(), std::move(settings));
        QVERIFY(becomes([&] { return log.state() == LogState::exhausted; }));
        disk.isFull = false;
        QVERIFY(becomes([&] { return log.state() == LogState::flowing; }));
    }

    void aDiskThatStaysFullIsAnErrorAtTheEnd() {
        FullDisk disk;
        LogSettings settings = test::quickSettings();
        settings.writeSome = disk.writeSome();
        EventLog log(here(), std::move(settings));
        try {
            log.flush(20ms);
            QFAIL("nothing was written");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::timeout);
        }
        try {
            log.close(20ms);
            QFAIL("nothing was written");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::file);
            QVERIFY(error.problem().find("No space left") != std::string::npos);
        }
    }

    void aFolderThatCannotBeWrittenIsNamed() {
        try {
            const EventLog log(here() / "none", test::quickSettings());
            QFAIL("it was opened");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::file);
            QVERIFY(error.where().file.ends_with("none/events.0.weftlog"));
        }
    }

    void everyPrefixGivesWhatWasWholeInIt() {
        writeSmall();
        const std::string whole = readFile(logPath(here(), 0), 1 << 20);
        const auto all = test::readAll(here());
        const QTemporaryDir folder;
        std::size_t before = 0;
        for (std::size_t size = 0; size <= whole.size(); ++size) {
            writeBytes(logPath(folder.path().toStdString(), 0), whole.substr(0, size));
            const auto part = test::readAll(folder.path().toStdString());
            QVERIFY(part.news.steps.size() >= before);
            before = part.news.steps.size();
        }
        QCOMPARE(before, all.news.steps.size());
    }

    void everyFlippedBitGivesTheRestOrAnError() {
        writeSmall();
        const std::string whole = readFile(logPath(here(), 0), 1 << 20);
        const std::size_t events = countOf(test::readAll(here()).news);
        const QTemporaryDir folder;
        const fs::path path = logPath(folder.path().toStdString(), 0);
        for (std::size_t at = 0; at < whole.size(); ++at) {
            std::string flipped = whole;
            flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
            writeBytes(path, flipped);
            try {
                const auto part = test::readAll(folder.path().toStdString());
                QVERIFY(countOf(part.news) < events || part.damaged > 0);
            } catch (const Error& error) {
                QVERIFY(error.code() == ErrorCode::format);
            }
        }
    }

private:
    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }

    /// Several frames, as each flush ends one.
    void writeSmall() const {
        EventLog log(here(), test::quickSettings());
        EventChannel& channel = log.makeChannel("trainer");
        const NameIndex loss = log.intern("loss");
        for (int i = 1; i <= 5; ++i) {
            channel.metric(i, loss, i);
            channel.step(i, 0, 0);
            channel.text(TextLevel::note, i, "hello");
            log.flush(60s);
        }
        log.close(60s);
    }

    static std::size_t countOf(const RunNews& news) {
        return news.attempts.size() + news.steps.size() + news.messages.size();
    }

    static void writeBytes(const fs::path& path, const std::string& bytes) {
        QFile file(QString::fromStdString(path.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes.data(), static_cast<qint64>(bytes.size())),
                 static_cast<qint64>(bytes.size()));
    }

    /// Reports each step that a flush has made lasting.
    [[noreturn]] static void writeUntilKilled(const fs::path& folder, std::uint32_t attempt,
                                              std::int64_t first, int report) {
        EventLog log(folder, test::quickSettings(attempt, first));
        EventChannel& channel = log.makeChannel("trainer");
        const NameIndex loss = log.intern("loss");
        for (std::int64_t step = first;; ++step) {
            channel.metric(step, loss, 1);
            channel.step(step, 0, 0);
            if (step % 16 == 0) {
                log.flush(60s);
                if (::write(report, &step, sizeof(step)) < 0) {
                    _exit(1);
                }
            }
        }
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestLog() { return std::make_unique<TestLog>(); }
#include "tst_log.moc"
