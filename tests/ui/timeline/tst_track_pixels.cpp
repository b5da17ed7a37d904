// SPDX-License-Identifier: Apache-2.0
#include "support/test_main.h"
#include "timeline/track_pixels.h"
#include "ui/runs/run_writer.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::ui;

class TestTrackPixels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pixelsAndTimesAreEachOthersInverse() {
        const TimeView view{1'000'000, 250, 800};
        QCOMPARE(view.end(), 1'200'000);
        QCOMPARE(view.toPixel(1'000'000), 0.0);
        QCOMPARE(view.toPixel(view.toTime(123)), 123.0);
    }

    void aFewSpansAreExact() {
        SpanStore store;
        store.append(test::sampleStep(0, 0, 1, 10)); // 10 us forward, 10 us back
        std::vector<BusyTime> pixels;
        addBusyShares(store.tracks()[0], {0, 500, 80}, pixels);
        for (std::size_t x = 0; x < 80; ++x) {
            const float forward = pixels[x][std::size_t(SpanClass::forward)];
            const float backward = pixels[x][std::size_t(SpanClass::backward)];
            QVERIFY(std::abs(forward - (x < 20 ? 1.0F : 0.0F)) < 1e-4F);
            QVERIFY(std::abs(backward - (x >= 20 && x < 40 ? 1.0F : 0.0F)) < 1e-4F);
        }
    }

    void busyTimeIsKeptAtEveryZoom_data() {
        QTest::addColumn<double>("perPixel");
        for (const double perPixel : {100.0, 1e3, 1e4, 1e5, 1e6}) {
            QTest::addRow("%g ns a pixel", perPixel) << perPixel;
        }
    }
    void busyTimeIsKeptAtEveryZoom() {
        QFETCH(double, perPixel);
        SpanStore store;
        for (int step = 0; step < 2000; ++step) {
            store.append(test::sampleStep(step, step * 30'000, 1, 10));
        }
        const TimeView view{0, perPixel, 1000};
        std::vector<BusyTime> pixels;
        addBusyShares(store.tracks()[0], view, pixels);
        double busy = 0;
        for (const BusyTime& pixel : pixels) {
            for (const float share : pixel) {
                busy += double(share) * perPixel;
            }
        }
        double expected = 0;
        for (const TrackSpans::Span& span : store.tracks()[0].spans()) {
            expected += double(std::max<std::int64_t>(0, std::min(span.end, view.end()) -
                                                             std::max(span.begin, view.begin)));
        }
        // A block at the edge may count for what lies beyond it.
        QVERIFY2(std::abs(busy - expected) <= expected * 0.03,
                 qPrintable(QString("%1 %2").arg(busy).arg(expected)));
    }

    void spansOutsideAreNotSeen() {
        SpanStore store;
        store.append(test::sampleStep(0, 0, 1, 10));
        const TrackSpans& track = store.tracks()[0];
        QCOMPARE(spansIn(track, {5'500, 1, 1'000}).size(), std::size_t{2});
        QCOMPARE(spansIn(track, {50'000, 1, 1'000}).size(), std::size_t{0});
        QCOMPARE(spansIn(track, {-5'000, 1, 1'000}).size(), std::size_t{0});
    }
};

std::unique_ptr<QObject> makeTestTrackPixels() { return std::make_unique<TestTrackPixels>(); }
#include "tst_track_pixels.moc"
