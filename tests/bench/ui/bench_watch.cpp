// SPDX-License-Identifier: Apache-2.0
// How long a run's views take to paint: 50 curves of a million points, and a million spans. A line
// of JSON per figure: median and 95th percentile over frames that show different stretches.
#include "../thread_time.h"
#include "monitor/plot_drawing.h"
#include "theme/look.h"
#include "timeline/timeline_drawing.h"

#include <QApplication>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>

namespace weft::ui {

using bench::millisecondsOf;

namespace {

void report(const std::string& row, std::vector<double> times) {
    std::ranges::sort(times);
    std::printf("{\"bench\": \"watch\", \"row\": \"%s\", \"repetitions\": %zu, \"ms\": %.2f, "
                "\"ms_95\": %.2f}\n",
                row.c_str(), times.size(), times[times.size() / 2],
                times[std::min(times.size() - 1, times.size() * 95 / 100)]);
    std::fflush(stdout);
}

void benchCurves() {
    constexpr std::size_t points = 1'000'000;
    constexpr int curves = 50;
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 0.2);
    SeriesStore store;
    std::vector<MetricInfo> metrics;
    StepBatch batch;
    for (std::size_t i = 0; i < points; ++i) {
        batch.rows.steps.push_back(static_cast<std::int64_t>(i));
        batch.rows.epochs.push_back(static_cast<double>(i) * 1e-3);
        batch.rows.seconds.push_back(static_cast<double>(i) * 1e-2);
    }
    for (int curve = 0; curve < curves; ++curve) {
        metrics.push_back({"metric " + std::to_string(curve)});
        StepBatch::Column column{static_cast<std::uint32_t>(curve), {}, {}};
        for (std::size_t i = 0; i < points; ++i) {
            column.rows.push_back(static_cast<std::uint32_t>(i));
            column.values.push_back(curve * 0.1 + noise(random));
        }
        batch.columns.push_back(std::move(column));
    }
    store.append(Split::train, batch, metrics);
    PlotPicture picture;
    picture.title = "Metrics";
    int slot = 0;
    for (const SeriesHandle& series : store.all()) {
        picture.curves.push_back({series, nullptr, QString::fromStdString(series->metric().name),
                                  tokens().dark.ofDevice(slot++)});
    }
    picture.y = {-1, 6};
    QImage image(1200, 600, QImage::Format_RGB32);
    for (const double share : {1.0, 0.1, 0.01, 0.001}) {
        std::vector<double> times;
        for (int frame = 0; frame < 40; ++frame) {
            const double from = (points - 1) * (1 - share) * frame / 40;
            picture.x = {from, from + (points - 1) * share};
            times.push_back(millisecondsOf([&] {
                drawPixels(image, {1200, 600}, picture, tokens().dark);
            }));
        }
        report(QStringLiteral("50 curves of 1000000 points, %1 % in view")
                   .arg(share * 100)
                   .toStdString(),
               times);
    }
}

void benchSpans() {
    constexpr int devices = 4;
    constexpr int perStep = 125;
    constexpr int steps = 1000;
    SpanStore store;
    Timeline timeline;
    for (int i = 0; i < perStep; ++i) {
        timeline.sites.push_back({.origin = {LayerId{static_cast<std::uint32_t>(i % 40)}, 0},
                                  .pass = i < 50 ? Pass::forward : Pass::backward,
                                  .layer = "layer" + std::to_string(i % 40),
                                  .op = "conv2d"});
        timeline.sites.push_back({.kind = SpanKind::communicate,
                                  .layer = "layer" + std::to_string(i % 40),
                                  .op = "all-reduce"});
    }
    for (int step = 0; step < steps; ++step) {
        timeline.spans.clear();
        for (std::uint32_t device = 0; device < devices; ++device) {
            for (std::uint32_t stream = 0; stream < 2; ++stream) {
                for (std::uint32_t i = 0; i < perStep; ++i) {
                    timeline.spans.push_back({DeviceId{device},
                                              stream,
                                              2 * i + stream,
                                              step,
                                              {step * 400'000LL + i * 3'000LL},
                                              {stream == 0 ? 2'500 : 1'000}});
                }
            }
        }
        store.append(timeline);
    }
    const SpanStore predicted;
    TimelinePicture picture;
    picture.measured = &store;
    picture.predicted = &predicted;
    picture.rows = rowsOf(store, predicted, {});
    QImage image(1600, heightOf(picture.rows), QImage::Format_RGB32);
    const double whole = steps * 400'000.0;
    std::vector<double> times;
    for (int zoom = 0; zoom < 44; ++zoom) {
        const double perPixel = whole / 1480 * std::pow(0.75, zoom);
        for (int frame = 0; frame < 10; ++frame) {
            picture.view = {static_cast<std::int64_t>((whole - perPixel * 1480) * frame / 10),
                            perPixel, 1480};
            times.push_back(millisecondsOf([&] {
                drawTimeline(image, {1600, image.height()}, picture, tokens().dark);
            }));
        }
    }
    report("1000000 spans, 44 zooms", times);
}

} // namespace
} // namespace weft::ui

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    weft::ui::benchCurves();
    weft::ui::benchSpans();
    return 0;
}
