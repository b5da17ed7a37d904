// SPDX-License-Identifier: Apache-2.0
#include "events/log.h"
#include "events/recorder.h"
#include "samples.h"
#include "support/heap.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

using namespace weft;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

std::vector<TimedSite> sites() {
    const Origin conv{LayerId{3}, 0};
    const Origin dense{LayerId{4}, 1};
    return {{{.origin = conv, .layer = "conv1", .op = "conv2d", .flops = {1000}, .bytes = {64}}, 0},
            {{.origin = conv, .layer = "conv1", .op = "bias"}, 0},
            {{.origin = dense, .pass = Pass::backward, .layer = "g[1]/fc", .op = "linear_dw"}, 0},
            {{.origin = dense,
              .pass = Pass::backward,
              .kind = SpanKind::communicate,
              .layer = "g[1]/fc",
              .op = "all-reduce of fc.weight"},
             1}};
}

/// Steps that take 100 nanoseconds from `begin` on.
std::vector<SpanTime> times(std::int64_t begin) {
    return {{begin, begin + 10},
            {begin + 10, begin + 15},
            {begin + 15, begin + 60},
            {begin + 20, begin + 100}};
}

} // namespace

class TestRecorder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aStepComesBackAsATimeline() {
        std::int64_t begin = 0;
        {
            EventLog log(here(), test::quickSettings());
            EventChannel& channel = log.makeChannel("worker 1", 1 << 16);
            SpanRecorder recorder(log, channel, DeviceId{1}, sites());
            begin = steadyNanoseconds();
            for (std::int64_t step = 0; step < 3; ++step) {
                recorder.record(step, times(begin + 1000 * step));
            }
            recorder.flush();
            log.close(60s);
        }
        const Timeline timeline = readTimeline(here(), 0, 10);
        verify(timeline);
        QCOMPARE(timeline.spans.size(), std::size_t{12});
        QCOMPARE(timeline.sites.size(), std::size_t{4});
        QCOMPARE(timeline.devices.at(DeviceId{1}), std::string("cpu:1"));
        const TimelineSpan& span = timeline.spans[3];
        QVERIFY(timeline.siteOf(span) == sites()[3].site);
        QCOMPARE(span.device.value, std::uint32_t{1});
        QCOMPARE(span.stream, std::uint32_t{1});
        QCOMPARE(span.duration.count, 80);
        QCOMPARE((timeline.spans[4].begin - timeline.spans[0].begin).count, 1000);
        QCOMPARE(totalsOf(timeline).at(1).overlapped.count, 40);
        QCOMPARE(readTimeline(here(), 1, 1).spans.size(), std::size_t{4});

        const Run run = openRun(here());
        QCOMPARE(run.profile.entries.size(), std::size_t{3});
        QCOMPARE(run.profile.timeOf({LayerId{3}, 0}).count, 45);
        QCOMPARE(run.profile.entries[0].steps, 3);
        QCOMPARE(run.profile.entries[0].device.value, std::uint32_t{1});
    }

    /// A captured graph has spans but adds to no layer's time.
    void whatWasRepeatedAddsToNoLayer() {
        {
            EventLog log(here(), test::quickSettings());
            EventChannel& channel = log.makeChannel("worker 1", 1 << 16);
            SpanRecorder steps(log, channel, DeviceId{1}, sites());
            const std::vector<TimedSite> segments{
                {{.kind = SpanKind::repeat, .op = "3 kernels, conv1 to fc"}, 0}, sites()[3]};
            SpanRecorder repeated(log, channel, DeviceId{1}, segments);
            const std::int64_t begin = steadyNanoseconds();
            steps.record(1, times(begin));
            repeated.record(2, std::vector<SpanTime>{{begin + 1000, begin + 1060},
                                                     {begin + 1060, begin + 1100}});
            steps.flush();
            repeated.flush();
            log.close(60s);
        }
        const Timeline timeline = readTimeline(here(), 1, 3);
        verify(timeline);
        QCOMPARE(timeline.spans.size(), std::size_t{6});
        const SpanSite& site = timeline.siteOf(timeline.spans[4]);
        QCOMPARE(site.kind, SpanKind::repeat);
        QCOMPARE(site.op, std::string("3 kernels, conv1 to fc"));
        QVERIFY(passOf(site).empty());
        const std::string text = print(timeline);
        QVERIFY2(text.find("repeat") != std::string::npos, text.c_str());
        const Profile profile = openRun(here()).profile;
        QCOMPARE(profile.entries.size(), std::size_t{3});
        for (const ProfileEntry& entry : profile.entries) {
            const bool isOfBoth = entry.kind == SpanKind::communicate;
            QCOMPARE(entry.steps, isOfBoth ? 2 : 1);
            QCOMPARE(entry.time.count, isOfBoth ? 120 : entry.pass == Pass::backward ? 45 : 15);
        }
    }

    void whatDidNotRunHasNoSpan() {
        {
            EventLog log(here(), test::quickSettings());
            EventChannel& channel = log.makeChannel("worker", 1 << 16);
            SpanRecorder recorder(log, channel, DeviceId{0}, sites());
            auto some = times(steadyNanoseconds());
            some[1] = {};
            recorder.record(1, some);
            log.close(60s);
        }
        QCOMPARE(readTimeline(here(), 0, 10).spans.size(), std::size_t{3});
    }

    void twoWorkersOfOneThreadMakeOneStep() {
        {
            EventLog log(here(), test::quickSettings());
            EventChannel& channel = log.makeChannel("trainer", 1 << 16);
            SpanRecorder first(log, channel, DeviceId{0}, sites());
            SpanRecorder second(log, channel, DeviceId{1}, sites());
            // Another member of the programSet has recorders of its own over the same workers.
            SpanRecorder other(log, channel, DeviceId{1}, sites());
            for (std::int64_t step = 1; step <= 2; ++step) {
                first.record(step, times(steadyNanoseconds()));
                second.record(step, times(steadyNanoseconds()));
            }
            log.close(60s);
        }
        const Timeline timeline = readTimeline(here(), 0, 10);
        QCOMPARE(timeline.spans.size(), std::size_t{16});
        QCOMPARE(totalsOf(timeline).size(), std::size_t{4});
    }

    void twoRanksMakeOneStepOnOneClock() {
        for (int rank = 0; rank < 2; ++rank) {
            LogSettings settings = test::quickSettings();
            settings.rank = rank;
            settings.attempt.ranks = 2;
            EventLog log(here(), std::move(settings));
            EventChannel& channel = log.makeChannel("worker", 1 << 16);
            SpanRecorder recorder(log, channel, DeviceId{static_cast<std::uint32_t>(rank)},
                                  sites());
            const std::int64_t now = steadyNanoseconds();
            channel.clock({rank == 0 ? 0 : 5'000'000'000'000}, {100});
            // Step 3 is kept by rank 0 alone.
            for (std::int64_t step = 1; step <= 3 - rank; ++step) {
                recorder.record(step, times(now));
            }
            log.close(60s);
        }
        const Timeline timeline = readTimeline(here(), 0, 10);
        QCOMPARE(timeline.spans.size(), std::size_t{16});
        QVERIFY(timeline.spans.back().begin.count > 4'900'000'000'000);
        QVERIFY(timeline.spans.front().begin.count < 1'000'000'000'000);
        for (const TimelineSpan& span : timeline.spans) {
            QVERIFY(span.step <= 2);
        }
    }

    /// The clock is measured anew between steps; a reader that follows sees what one sees later.
    void aRunFollowedIsTheRunReread() {
        std::vector<TimelineSpan> followed;
        RunReader reader(here(), true);
        const auto follow = [&] {
            for (bool isMore = true; isMore;) {
                const RunNews news = reader.read();
                isMore = news.isMore;
                followed.insert(followed.end(), news.timeline.spans.begin(),
                                news.timeline.spans.end());
                QCOMPARE(news.timeline.clockError.count, news.timeline.spans.empty() ? 0 : 100);
            }
        };
        {
            LogSettings settings = test::quickSettings();
            settings.attempt.ranks = 2;
            EventLog first(here(), settings);
            settings.rank = 1;
            EventLog second(here(), settings);
            EventChannel& one = first.makeChannel("worker", 1 << 16);
            EventChannel& two = second.makeChannel("worker", 1 << 16);
            SpanRecorder recorder(first, one, DeviceId{0}, sites());
            SpanRecorder other(second, two, DeviceId{1}, sites());
            for (std::int64_t step = 1; step <= 8; ++step) {
                const std::int64_t later = second.clockBegin() - first.clockBegin();
                two.clock({later + 5'000'000 * step}, {100});
                recorder.record(step, times(steadyNanoseconds()));
                other.record(step, times(steadyNanoseconds()));
                second.flush(60s);
                first.flush(60s);
                follow();
            }
        }
        follow();
        const Timeline reread = readTimeline(here(), 0, 10);
        QCOMPARE(followed.size(), reread.spans.size());
        std::ranges::stable_sort(followed, {}, &TimelineSpan::begin);
        const auto inOrder = [](const std::vector<TimelineSpan>& spans) {
            std::multiset<std::tuple<std::int64_t, std::int64_t, std::uint32_t>> keys;
            for (const TimelineSpan& span : spans) {
                keys.emplace(span.begin.count, span.duration.count, span.device.value);
            }
            return keys;
        };
        QVERIFY(inOrder(followed) == inOrder(reread.spans));
        verify(reread);
        // Each step of rank 1 stands five milliseconds further on than the one before.
        std::map<std::int64_t, std::int64_t> ahead;
        for (const TimelineSpan& span : reread.spans) {
            ahead.try_emplace(span.device.value == 0 ? 2 * span.step : 2 * span.step + 1,
                              span.begin.count);
        }
        QVERIFY(ahead.at(17) - ahead.at(16) >= 40'000'000);
        QVERIFY(ahead.at(3) - ahead.at(2) >= 5'000'000);
    }

    void attemptsFollowEachOtherInTheTimeline() {
        for (std::uint32_t attempt = 1; attempt <= 2; ++attempt) {
            EventLog log(here(), test::quickSettings(attempt));
            EventChannel& channel = log.makeChannel("worker", 1 << 16);
            SpanRecorder recorder(log, channel, DeviceId{0}, sites());
            // The second takes the last step of the first again.
            for (std::int64_t step = 2 * attempt - 1; step <= 2 * attempt + 1; ++step) {
                const std::int64_t begin = steadyNanoseconds();
                channel.step(step, 1e-6F, 0);
                recorder.record(step, times(begin - 500));
            }
            log.close(60s);
        }
        const Timeline timeline = readTimeline(here(), 0, 10);
        verify(timeline);
        QCOMPARE(timeline.steps.size(), std::size_t{5});
        for (std::size_t k = 1; k < timeline.steps.size(); ++k) {
            const TimelineStep& before = timeline.steps[k - 1];
            QCOMPARE(timeline.steps[k].step, before.step + 1);
            QVERIFY(timeline.steps[k].begin >= before.begin + before.duration);
        }
        // Spans lie where their step does, or did.
        QVERIFY(std::ranges::is_sorted(timeline.spans, {}, &TimelineSpan::step));
    }

    void aCollectiveWaitsAndThenCommunicates() {
        {
            EventLog log(here(), test::quickSettings());
            EventChannel& channel = log.makeChannel("worker", 1 << 16);
            SpanRecorder recorder(log, channel, DeviceId{0}, sites());
            for (std::int64_t step = 1; step <= 4; ++step) {
                const std::int64_t begin = steadyNanoseconds();
                auto some = times(begin);
                // In turn: nobody was missing, one was for a while, and until the very end.
                some[3].met = step == 1 ? 0 : step == 4 ? some[3].end : begin + 70;
                recorder.record(step, some);
            }
            recorder.flush();
            log.close(60s);
        }
        const Timeline timeline = readTimeline(here(), 0, 10);
        verify(timeline);
        std::vector<std::pair<SpanKind, std::int64_t>> found;
        for (const TimelineSpan& span : timeline.spans) {
            if (span.stream == 1) {
                QCOMPARE(timeline.siteOf(span).op, std::string("all-reduce of fc.weight"));
                found.emplace_back(timeline.siteOf(span).kind, span.duration.count);
            }
        }
        const std::vector<std::pair<SpanKind, std::int64_t>> expected{
            {SpanKind::communicate, 80}, {SpanKind::wait, 50},        {SpanKind::communicate, 30},
            {SpanKind::wait, 50},        {SpanKind::communicate, 30}, {SpanKind::wait, 80}};
        QVERIFY(found == expected);
        std::map<SpanKind, std::int64_t> sums;
        for (const ProfileEntry& entry : openRun(here()).profile.entries) {
            sums[entry.kind] += entry.time.count;
        }
        QCOMPARE(sums[SpanKind::communicate], 140);
        QCOMPARE(sums[SpanKind::wait], 180);
    }

    void theLatestAttemptOfAStepIsShown() {
        for (std::uint32_t attempt = 1; attempt <= 2; ++attempt) {
            EventLog log(here(), test::quickSettings(attempt));
            EventChannel& channel = log.makeChannel("worker", 1 << 16);
            // In the second attempt the same numbers stand for other names.
            auto some = sites();
            if (attempt == 2) {
                std::reverse(some.begin(), some.end());
            }
            SpanRecorder recorder(log, channel, DeviceId{attempt - 1}, some);
            recorder.record(7, times(steadyNanoseconds()));
            log.close(60s);
        }
        const Timeline timeline = readTimeline(here(), 0, 10);
        QCOMPARE(timeline.spans.size(), std::size_t{4});
        QCOMPARE(timeline.spans[0].device.value, std::uint32_t{1});
        QCOMPARE(timeline.siteOf(timeline.spans[0]).op, std::string("all-reduce of fc.weight"));
    }

    void recordingAllocatesNothing() {
        LogSettings settings = test::quickSettings();
        settings.firstSpanSteps = 500;
        EventLog log(here(), std::move(settings));
        EventChannel& channel = log.makeChannel("worker", 1 << 20);
        SpanRecorder recorder(log, channel, DeviceId{0}, sites());
        const NameIndex loss = log.intern("loss");
        const auto some = times(steadyNanoseconds());
        const std::int64_t before = test::allocationsOfThisThread();
        for (std::int64_t step = 0; step < 1000; ++step) {
            recorder.record(step, some);
            recorder.flush();
            channel.metric(step, loss, 1);
            channel.step(step, 1, 1);
            channel.text(TextLevel::note, step, "on the way");
            channel.memory(0, loss, Bytes{1});
        }
        QCOMPARE(test::allocationsOfThisThread() - before, std::int64_t{0});
        log.close(60s);
        QCOMPARE(test::readAll(here()).news.steps.size(), std::size_t{1000});
    }

    void aStepThatFindsNoRoomIsDroppedWhole() {
        LogSettings settings = test::quickSettings();
        settings.collectInterval = 1h;
        EventLog log(here(), std::move(settings));
        EventChannel& channel = log.makeChannel("worker", 1 << 10);
        SpanRecorder recorder(log, channel, DeviceId{0}, sites());
        for (std::int64_t step = 0; step < 20; ++step) {
            recorder.record(step, times(steadyNanoseconds()));
        }
        QVERIFY(channel.droppedSteps() >= 10);
        log.close(60s);
        const Timeline timeline = readTimeline(here(), 0, 100);
        QCOMPARE(timeline.spans.size(), 4 * (20 - channel.droppedSteps()));
    }

private:
    [[nodiscard]] fs::path here() const { return folder_->path().toStdString(); }

    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestRecorder() { return std::make_unique<TestRecorder>(); }
#include "tst_recorder.moc"
