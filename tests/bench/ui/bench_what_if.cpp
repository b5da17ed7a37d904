// SPDX-License-Identifier: Apache-2.0
// How long it takes until the choice that is pointed at, and until every choice of the assignment
// panel has its price, for one layer of some 200. Lines of JSON: median and 95th percentile of the
// time that passes, over layers asked in turn.
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
         choicesFor({{&layer}, devices, meshShapes(devices.size()).front()})) {
        if (choice.reason.isEmpty()) {
            edits.emplace_back([layers = std::vector{layer.origin.layer},
                                assignment = choice.assignment](Design& target) {
                return assign(target, {}, layers, assignment);
            });
        }
    }
    return edits;
}

struct Waited {
    double first = 0; ///< milliseconds
    double all = 0;
};

Waited waitUntilPriced(ChoicePricer& prices, const PriceQuestion& question) {
    using Clock = std::chrono::steady_clock;
    QEventLoop loop;
    Waited waited;
    std::size_t known = 0;
    const auto begin = Clock::now();
    const auto passed = [&] {
        return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    };
    const auto heard = QObject::connect(&prices, &ChoicePricer::priced, &loop, [&] {
        waited.first = known == 0 ? passed() : waited.first;
        if (++known == question.choices.size()) {
            waited.all = passed();
            loop.quit();
        }
    });
    prices.ask(question);
    loop.exec();
    QObject::disconnect(heard);
    return waited;
}

void print(const char* row, std::vector<double> times) {
    std::ranges::sort(times);
    std::printf("{\"bench\": \"what_if\", \"row\": \"%s\", \"repetitions\": %zu, "
                "\"ms\": %.1f, \"ms_95\": %.1f}\n",
                row, times.size(), times[times.size() / 2], times[times.size() * 95 / 100]);
}

void measure() {
    constexpr int blocks = 28;
    const Design design = bench::largeNetwork(blocks);
    PreviewCache cache;
    const PreviewRequest request{.machine = thisMachine()};
    const auto known = preview(design, cache, request);
    PreviewQueue previewQueue;
    ChoicePricer prices(previewQueue);
    std::vector<double> first;
    std::vector<double> all;
    for (const LayerPreview& layer : known->layers) {
        const PriceQuestion question{
            .design = design, .choices = choicesOf(layer, design), .request = request};
        if (!layer.parameters.empty() && !question.choices.empty()) {
            const Waited waited = waitUntilPriced(prices, question);
            first.push_back(waited.first);
            all.push_back(waited.all);
        }
    }
    print("a choice of a layer of 200", std::move(first));
    print("every choice of a layer of 200", std::move(all));
}

} // namespace
} // namespace weft::ui

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    weft::ui::measure();
    return 0;
}
