// SPDX-License-Identifier: Apache-2.0
#include "support/bug.h"
#include <weft/profile.h>
#include <weft/timeline.h>

#include <QTest>
#include <memory>

using namespace weft;

namespace {

TimelineSpan spanOf(std::uint32_t device, std::uint32_t stream, std::uint32_t site,
                    std::int64_t begin, std::int64_t end, std::int64_t step = 1) {
    return {DeviceId{device}, stream, site, step, {begin}, {end - begin}};
}

/// Two devices, a compute stream and a communication stream each.
Timeline sample() {
    Timeline timeline;
    timeline.sites = {
        {.origin = {LayerId{1}}, .pass = Pass::forward, .layer = "conv1", .op = "conv2d"},
        {.origin = {LayerId{1}}, .pass = Pass::backward, .layer = "conv1", .op = "conv2d_dw"},
        {.origin = {LayerId{1}},
         .pass = Pass::backward,
         .kind = SpanKind::communicate,
         .layer = "conv1",
         .op = "all-reduce of conv1.weight"},
        {.origin = {LayerId{1}}, .kind = SpanKind::wait, .layer = "conv1", .op = "wait"}};
    timeline.spans = {spanOf(0, 0, 0, 100, 200), spanOf(0, 0, 1, 200, 300),
                      spanOf(0, 1, 2, 250, 400), spanOf(1, 0, 0, 100, 150),
                      spanOf(1, 1, 2, 350, 400), spanOf(1, 0, 3, 150, 350)};
    sortSpans(timeline);
    return timeline;
}

/// Returns the profile of all spans of the timeline's single step.
Profile profileOf(const Timeline& timeline) {
    Profile profile;
    for (const TimelineSpan& span : timeline.spans) {
        const SpanSite& site = timeline.siteOf(span);
        profile.add({.origin = site.origin,
                     .layer = site.layer,
                     .pass = site.pass,
                     .kind = site.kind,
                     .device = span.device,
                     .steps = 1,
                     .time = span.duration});
    }
    return profile;
}

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void totalsCountUnions() {
        const auto totals = totalsOf(sample());
        QCOMPARE(totals.size(), std::size_t{2});
        const StepTotals first{1, DeviceId{0}, {300}, {200}, {150}, {50}, {0}, {0}};
        const StepTotals second{1, DeviceId{1}, {300}, {50}, {50}, {0}, {200}, {0}};
        QVERIFY(totals[0] == first);
        QVERIFY(totals[1] == second);
        QCOMPARE(sample().length().count, 300);
        QVERIFY(totalsOf(Timeline{}).empty());
    }

    void onlyWaitingThatNothingHidesIsWaiting() {
        Timeline timeline = sample();
        // While it computes on; then it idles for a while.
        timeline.spans = {spanOf(0, 0, 0, 100, 200), spanOf(0, 1, 3, 150, 250),
                          spanOf(0, 1, 2, 250, 300), spanOf(0, 0, 1, 350, 400)};
        const StepTotals totals = totalsOf(timeline).at(0);
        QCOMPARE(totals.waiting.count, 50);
        QCOMPARE(totals.idle.count, 50);
        QCOMPARE(
            (totals.compute + totals.communicate - totals.overlapped + totals.waiting + totals.idle)
                .count,
            totals.length.count);
    }

    void stepsAreTotalledApart() {
        Timeline timeline = sample();
        timeline.spans.push_back(spanOf(0, 0, 0, 1000, 1100, 2));
        const auto totals = totalsOf(timeline);
        QCOMPARE(totals.size(), std::size_t{3});
        QCOMPARE(totals[2].step, 2);
        QCOMPARE(totals[2].length.count, 100);
    }

    void verifyRefusesWhatCannotHaveBeen() {
        verify(sample());
        Timeline overlapping = sample();
        overlapping.spans.push_back(spanOf(0, 1, 2, 390, 500));
        QVERIFY(test::isBug([&] { verify(overlapping); }));
        Timeline unsorted = sample();
        std::swap(unsorted.spans.front(), unsorted.spans.back());
        QVERIFY(test::isBug([&] { verify(unsorted); }));
        Timeline siteless = sample();
        siteless.sites.pop_back();
        QVERIFY(test::isBug([&] { verify(siteless); }));
    }

    void aProfileSumsPerLayerPassKindAndDevice() {
        const Profile profile = profileOf(sample());
        QCOMPARE(profile.entries.size(), std::size_t{6});
        QCOMPARE(profile.timeOf({LayerId{1}}).count, 650);
        QCOMPARE(profile.timeOf({LayerId{2}}).count, 0);
        QCOMPARE(profile.entries[0].time.count, 100);
        Profile twice = profile;
        for (const ProfileEntry& entry : profile.entries) {
            twice.add(entry);
        }
        QCOMPARE(twice.entries.size(), profile.entries.size());
        QCOMPARE(twice.entries[1].time.count, 2 * profile.entries[1].time.count);
        QCOMPARE(twice.entries[1].perStep().count, profile.entries[1].perStep().count);
    }

    void printsALinePerSpan() {
        const std::string text = print(sample());
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), 7);
        QVERIFY(text.find("conv2d_dw") != std::string::npos);
    }

    void saysHowManyRoundsASpanHas() {
        Timeline timeline = sample();
        timeline.sites[0].rounds = 50;
        const std::string text = print(timeline);
        QVERIFY2(text.find("conv2d: 50 iterations, 2 ns each") != std::string::npos, text.c_str());
        QVERIFY(roundsText(1, {100}).empty());
    }
};

std::unique_ptr<QObject> makeTestTimeline() { return std::make_unique<TestTimeline>(); }
#include "tst_timeline.moc"
