// SPDX-License-Identifier: Apache-2.0
// Cost of a run's tick on the canvas: times and heat of 1,000 layers change at once and are
// painted. Prints a line of JSON per figure: median and 95th percentile of the GUI thread's
// processor time, over all zooms.
#include "../thread_time.h"
#include "canvas/view/canvas_view.h"

#include <QApplication>
#include <QEventLoop>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <random>

namespace weft::ui {

using bench::millisecondsOf;

namespace {

constexpr int layers = 1000;
constexpr int ticks = 20;

/// Chains side by side, as a long network that was folded.
Design networkOf(int count) {
    constexpr int perColumn = 40;
    constexpr double across = 288;
    constexpr double down = 120;
    Design design;
    Layer input{.kind = "input", .position = Point{0, -down}};
    addLayer(design, {}, std::move(input));
    for (int i = 0; i < count; ++i) {
        const int column = i / perColumn;
        Layer layer{.kind = "dense", .position = Point{across * column, down * (i % perColumn)}};
        layer.attributes.set("units", std::int64_t{64});
        const Edited added = addLayer(design, {}, std::move(layer));
        const Layer& before = design.network.layers[design.network.layers.size() - 2];
        weft::connect(design, {}, {before.id, "y"}, {added.layer(), "x"});
    }
    return design;
}

std::map<LayerId, LiveNode> timesOf(const Design& design, std::mt19937& random) {
    std::uniform_real_distribution<double> time(1e-4, 3e-2);
    std::map<LayerId, LiveNode> nodes;
    for (const Layer& layer : design.network.layers) {
        nodes[layer.id] = {.measured = time(random)};
    }
    return nodes;
}

void benchTicks(Look& look, const char* lens, QSize size, const char* name) {
    DesignDocument document(std::make_shared<const std::vector<LayerKindInfo>>(catalogue()));
    document.setDesign(networkOf(layers), false);
    Selection selection(document);
    PreviewQueue previewQueue;
    LiveCheck check(document, previewQueue);
    CanvasView view(document, selection, check, look);
    view.resize(size);
    view.show();
    view.live().setLens(lens);
    std::mt19937 random(1);
    std::vector<double> times;
    for (const double zoom : {0.18, 0.32, 0.62, 1.0}) {
        view.camera().zoomTo(zoom, QPointF(view.rect().center()));
        view.setLive(timesOf(document.design(), random));
        // It comes to rest, and what lies below is kept.
        constexpr int untilRest = 400;
        QEventLoop rest;
        QTimer::singleShot(untilRest, &rest, &QEventLoop::quit);
        rest.exec();
        for (int tick = 0; tick < ticks; ++tick) {
            auto nodes = timesOf(document.design(), random);
            times.push_back(millisecondsOf([&] {
                view.setLive(std::move(nodes));
                QCoreApplication::processEvents();
            }));
        }
    }
    std::ranges::sort(times);
    std::printf("{\"bench\": \"live\", \"row\": \"%s, %dx%d\", \"repetitions\": %zu, "
                "\"ms\": %.2f, \"ms_95\": %.2f}\n",
                name, size.width(), size.height(), times.size(), times[times.size() / 2],
                times[times.size() * 95 / 100]);
    std::fflush(stdout);
}

} // namespace
} // namespace weft::ui

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    weft::ui::Look look;
    look.applyLook(application);
    for (const QSize size : {QSize(1600, 1000), QSize(3840, 2160)}) {
        weft::ui::benchTicks(look, "parallelism", size, "times of 1000 layers");
        weft::ui::benchTicks(look, "time", size, "heat of 1000 layers");
    }
    return 0;
}
