// SPDX-License-Identifier: Apache-2.0
#include "run_writer.h"
#include "runs/span_store.h"
#include "runs/step_analysis.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestSpanStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsAreAppendedToTheirLanes() {
        SpanStore store;
        for (int step = 0; step < 5; ++step) {
            store.append(test::sampleStep(step, step * 100'000, 2, 10));
        }
        QCOMPARE(store.size(), std::size_t{5 * 2 * 21});
        QCOMPARE(store.tracks().size(), std::size_t{4});
        QCOMPARE(store.devices().size(), std::size_t{2});
        QCOMPARE(store.nameOf(DeviceId{1}), std::string("cpu:1"));
        QCOMPARE(store.sites().size(), std::size_t{21});
        QVERIFY(store.tracks()[1].isCommunication());
        QVERIFY(!store.tracks()[0].isCommunication());
        QVERIFY((*store.window(3) == StepWindow{3, 300'000, 320'500}));
        QVERIFY(store.window(9) == nullptr);
    }

    void aStepComesBackAsItWent() {
        SpanStore store;
        for (int step = 0; step < 5; ++step) {
            store.append(test::sampleStep(step, step * 100'000, 2, 10));
        }
        const Timeline given = test::sampleStep(3, 300'000, 2, 10);
        QVERIFY(store.ofStep(3).spans == given.spans);
        QVERIFY(totalsOf(store.ofStep(3)) == totalsOf(given));
    }

    /// Figures of layers come from a step that tells them.
    void aStepThatIsToldAsOneIsNotInDetail() {
        SpanStore store;
        store.append(test::sampleStep(1, 100'000, 2, 10));
        Timeline repeated;
        repeated.sites = {{.kind = SpanKind::repeat, .op = "30 kernels, conv1 to fc"}};
        repeated.spans = {{DeviceId{0}, 0, 0, 2, {200'000}, {900}},
                          {DeviceId{1}, 0, 0, 2, {200'000}, {800}}};
        store.append(repeated);
        store.append(test::sampleStep(3, 300'000, 2, 10));
        QCOMPARE(store.steps().size(), std::size_t{3});
        QVERIFY(store.window(1)->isInDetail && !store.window(2)->isInDetail);
        QVERIFY(store.window(3)->isInDetail);
        QVERIFY(store.tracks()[0].has(SpanClass::other));
    }

    /// One sends and the other receives: their sites differ in nothing but that.
    void whatEachDeviceSentIsKept() {
        SpanStore store;
        Timeline timeline;
        timeline.sites = {
            {.kind = SpanKind::communicate, .layer = "fc", .op = "bring"},
            {.kind = SpanKind::communicate, .layer = "fc", .op = "bring", .bytes = {32'800}}};
        timeline.spans = {{DeviceId{0}, 1, 0, 1, {0}, {10}}, {DeviceId{1}, 1, 1, 1, {0}, {10}}};
        store.append(timeline);
        const Timeline step = store.ofStep(1);
        QCOMPARE(step.siteOf(step.spans[0]).bytes.count, 0);
        QCOMPARE(step.siteOf(step.spans[1]).bytes.count, 32'800);
        QCOMPARE(collectivesOf(step, {}).at(0).bytes.count, 32'800);
    }

    void blocksHoldTheBusyTimeOfTheirSpans() {
        SpanStore store;
        for (int step = 0; step < 300; ++step) {
            store.append(test::sampleStep(step, step * 100'000, 1, 10));
        }
        const TrackSpans& track = store.tracks()[0];
        QVERIFY(track.levels().size() > 3);
        std::size_t size = TrackSpans::smallestBlock;
        for (const auto& level : track.levels()) {
            QCOMPARE(level.size(), (track.spans().size() + size - 1) / size);
            float forward = 0;
            float backward = 0;
            for (std::size_t i = 0; i < level.size(); ++i) {
                forward += level[i].busy[std::size_t(SpanClass::forward)];
                backward += level[i].busy[std::size_t(SpanClass::backward)];
                QCOMPARE(level[i].begin, track.spans()[i * size].begin);
                QCOMPARE(level[i].end,
                         track.spans()[std::min((i + 1) * size, track.spans().size()) - 1].end);
            }
            QCOMPARE(forward, 3e6F);
            QCOMPARE(backward, 3e6F);
            size *= TrackSpans::fanOut;
        }
    }

    void theClockOfAResumedRunGoesOn() {
        SpanStore store;
        store.append(test::sampleStep(7, 500'000, 1, 10));
        store.append(test::sampleStep(8, 700'000, 1, 10));
        store.append(test::sampleStep(8, 1'000, 1, 10));
        QCOMPARE(store.steps().size(), std::size_t{3});
        QVERIFY(store.window(8)->begin >= store.steps()[1].end);
        const auto& spans = store.tracks()[0].spans();
        QVERIFY(std::is_sorted(spans.begin(), spans.end(),
                               [](const auto& a, const auto& b) { return a.begin < b.begin; }));
    }

    void whatEndsAfterATimeIsFound() {
        SpanStore store;
        store.append(test::sampleStep(0, 0, 1, 10));
        const TrackSpans& track = store.tracks()[0];
        QCOMPARE(track.firstEndingAfter(-1), std::size_t{0});
        QCOMPARE(track.firstEndingAfter(999), std::size_t{0});
        QCOMPARE(track.firstEndingAfter(1000), std::size_t{1});
        QCOMPARE(track.firstEndingAfter(99'999), std::size_t{20});
    }
};

std::unique_ptr<QObject> makeTestSpanStore() { return std::make_unique<TestSpanStore>(); }
#include "tst_span_store.moc"
