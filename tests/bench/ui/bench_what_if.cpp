// SPDX-License-Identifier: Apache-2.0
// How long it takes until every choice of the assignment panel has its price, for one layer of some
// 200. A line of JSON: median and 95th percentile of the time that passes, over layers asked in
// turn.
#include "../large_network.h"
#include "panels/assignment/choices.h"
#include "panels/assignment/price_choices.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <algorithm>
#include <chrono>
#include <cstdio>

namespace weft::ui {
namespace {

/// As the panel asks: what is legal on all devices in a row, alone and as a grid.
std::vector<DesignDocument::Edit> choicesOf(const LayerPreview& layer, const Design& design) {
    std::vector<std::string> devices;
    devices.reserve(design.devices.size());
    for (const DeviceDeclaration& device : design.devices) {
        devices.push_back(device.name);
    }
    std::vector<DesignDocument::Edit> edits;
    for (const AssignmentChoice& choice :
         choicesFor({{&layer}, devices, meshesOf(devices.size()).front()})) {
        if (choice.reason.isEmpty()) {
            edits.emplace_back([layers = std::vector{layer.origin.layer},
                                assignment = choice.assignment](Design& target) {
                return assign(target, {}, layers, assignment);
            });
        }
    }
    return edits;
}

double millisecondsUntilPriced(PriceChoices& prices, const PriceQuestion& question) {
    using Clock = std::chrono::steady_clock;
    QEventLoop loop;
    std::size_t known = 0;
    const auto heard = QObject::connect(&prices, &PriceChoices::priced, &loop, [&] {
        if (++known == question.choices.size()) {
            loop.quit();
        }
    });
    const auto begin = Clock::now();
    prices.ask(question);
    loop.exec();
    QObject::disconnect(heard);
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void measure() {
    constexpr int blocks = 28;
    const Design design = bench::largeNetwork(blocks);
    PreviewCache cache;
    const MachineSheet machine = thisMachine();
    const Preview& known = preview(design, cache, {.machine = machine});
    PriceChoices prices;
    std::vector<double> times;
    std::size_t choices = 0;
    for (const LayerPreview& layer : known.layers) {
        PriceQuestion question{design, choicesOf(layer, design), machine};
        if (layer.parameters.empty() || question.choices.empty()) {
            continue;
        }
        choices = std::max(choices, question.choices.size());
        times.push_back(millisecondsUntilPriced(prices, question));
    }
    std::ranges::sort(times);
    std::printf("{\"bench\": \"what_if\", \"row\": \"every choice of a layer of 200\", "
                "\"layers\": %zu, \"choices\": %zu, \"repetitions\": %zu, \"ms\": %.1f, "
                "\"ms_95\": %.1f}\n",
                known.layers.size(), choices, times.size(), times[times.size() / 2],
                times[times.size() * 95 / 100]);
}

} // namespace
} // namespace weft::ui

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    weft::ui::measure();
    return 0;
}
