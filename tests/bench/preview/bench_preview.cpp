// SPDX-License-Identifier: Apache-2.0
// How long a preview takes of a network of some 1,000 layers: the whole, and again after one edit
// of each sort. A line of JSON per figure: the middle of so many repetitions.
// usage: bench_preview [repetitions [row]]
#include "../large_network.h"
#include "../thread_time.h"
#include <weft/catalogue.h>
#include <weft/edits.h>
#include <weft/preview.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace weft::bench {
namespace {

LayerId idOf(const Design& design, const std::string& name) {
    return findLayer(design.network, std::string_view(name))->id;
}

void report(const char* what, std::size_t layers, std::vector<double> times) {
    std::ranges::sort(times);
    fmt::print("{{\"bench\": \"preview\", \"row\": \"{}\", \"layers\": {}, \"repetitions\": {}, "
               "\"ms\": {:.3f}, \"ms_min\": {:.3f}}}\n",
               what, layers, times.size(), times[times.size() / 2], times.front());
    std::fflush(stdout);
}

struct Edit {
    const char* name;
    std::function<void(Design&, int turn)> apply;
};

std::vector<Edit> edits() {
    const NetworkPath top;
    return {
        {"move",
         [top](Design& design, int) {
             moveLayers(design, top, {idOf(design, "block70_relu1")}, {10, 5});
         }},
        {"attribute",
         [top](Design& design, int turn) {
             setAttribute(design, top, idOf(design, "block70_conv1"), "filters",
                          std::int64_t{turn % 2 == 0 ? 48 : 32});
         }},
        {"assignment",
         [top](Design& design, int turn) {
             const Assignment other{.words = {AxisWord::modelStack}};
             assign(design, top, {idOf(design, "block70_conv1")},
                    turn % 2 == 0 ? std::optional(other) : std::nullopt);
         }},
        {"layer",
         [top](Design& design, int turn) {
             if (turn % 2 == 1) {
                 dissolve(design, top, {idOf(design, "between")});
                 return;
             }
             const Endpoint to{idOf(design, "block70_conv2"), "x"};
             insertBefore(design, top, to, {.name = "between", .kind = "relu"}, {}, "x", "y");
         }},
        {"wire", [top](Design& design, int turn) {
             const std::string from = turn % 2 == 0 ? "block67_relu2" : "block69_relu2";
             connect(design, top, {idOf(design, from), "y"}, {idOf(design, "block70_add"), "x1"});
         }}};
}

/// Of all rows, or of the one that is named.
int run(int repetitions, const std::string& only) {
    const auto isAsked = [&](const char* row) { return only.empty() || only == row; };
    Design design = largeNetwork(142);
    const std::size_t layers = design.network.layers.size();
    const PreviewRequest request{.machine = thisMachine()};
    std::vector<double> times;
    for (int turn = 0; isAsked("whole") && turn < repetitions; ++turn) {
        PreviewCache cache;
        times.push_back(millisecondsOf([&] {
            const Preview shown = preview(design, cache, request);
            if (!shown.isComplete) {
                for (const Diagnostic& problem : shown.problems) {
                    fmt::print(stderr, "{}\n", toString(problem));
                }
                std::exit(1);
            }
        }));
    }
    if (!times.empty()) {
        report("whole", layers, times);
    }
    PreviewCache cache;
    (void)preview(design, cache, request);
    for (const Edit& edit : edits()) {
        times.clear();
        if (!isAsked(edit.name)) {
            continue;
        }
        for (int turn = 0; turn < 2 * repetitions; ++turn) {
            edit.apply(design, turn);
            times.push_back(millisecondsOf([&] { (void)preview(design, cache, request); }));
        }
        report(edit.name, layers, times);
    }
    return 0;
}

} // namespace
} // namespace weft::bench

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::max(1, std::atoi(argv[1])) : 10;
    return weft::bench::run(repetitions, argc > 2 ? argv[2] : "");
}
