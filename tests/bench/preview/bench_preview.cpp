// SPDX-License-Identifier: Apache-2.0
// How long the parts of a preview take. Of a network of some 1,000 layers the first: the whole, and
// again after one edit of each sort; the step's and the run's, with the parts before, of an edited
// network whose other layers were asked for before. A line of JSON per figure: the middle of so
// many repetitions.
// usage: bench_preview [repetitions [row]]
#include "../large_network.h"
#include "../thread_time.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/edits.h>
#include <weft/preview.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
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
             setAttribute(design, top, idOf(design, "block20_conv1"), "filters",
                          std::int64_t{turn % 2 == 0 ? 48 : 32});
         }},
        {"assignment",
         [top](Design& design, int turn) {
             const Assignment other{.words = {AxisWord::modelStack}};
             assign(design, top, {idOf(design, "block20_conv1")},
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

Design networkOn(int blocks, int devices) {
    Design design = largeNetwork(blocks);
    design.devices.clear();
    for (int k = 0; k < devices; ++k) {
        design.devices.push_back({.name = "cpu:" + std::to_string(k)});
    }
    design.data.batch = 16LL * devices;
    // As many classes as every device has an equal part of.
    for (Layer& layer : design.network.layers) {
        if (layer.name == "fc") {
            layer.attributes.set("units", std::int64_t{256});
        }
    }
    return design;
}

void measureWhole(const Design& design, const PreviewRequest& request, int repetitions) {
    std::vector<double> times;
    for (int turn = 0; turn < repetitions; ++turn) {
        PreviewCache cache;
        times.push_back(millisecondsOf([&] {
            const auto shown = preview(design, cache, request);
            if (!shown->isComplete) {
                for (const Diagnostic& problem : shown->problems) {
                    fmt::print(stderr, "{}\n", toString(problem));
                }
                std::exit(1);
            }
        }));
    }
    report("whole", design.network.layers.size(), times);
}

struct Part {
    const char* row;
    int blocks;
    int devices;
    PreviewPart until;
    const char* edit;
};
constexpr Part parts[] = {
    {"step of 200 layers on 2", 28, 2, PreviewPart::step, "attribute"},
    {"step of 200 layers on 8", 28, 8, PreviewPart::step, "attribute"},
    {"step of 200 layers on 8, assignment", 28, 8, PreviewPart::step, "assignment"},
    {"step of 1,000 layers on 1", 142, 1, PreviewPart::step, "attribute"},
    {"step of 1,000 layers on 8", 142, 8, PreviewPart::step, "attribute"},
    {"step of 200 layers on 256", 28, 256, PreviewPart::step, "attribute"},
    {"run of 200 layers on 8", 28, 8, PreviewPart::run, "attribute"}};

void measurePart(const Part& part, int repetitions) {
    Design design = networkOn(part.blocks, part.devices);
    const PreviewRequest request{.machine = thisMachine(), .until = part.until};
    const std::vector<Edit> all = edits();
    const Edit& edit = *std::ranges::find(all, std::string_view(part.edit), &Edit::name);
    PreviewCache cache;
    (void)preview(design, cache, request);
    std::vector<double> times;
    for (int turn = 0; turn < 2 * repetitions; ++turn) {
        edit.apply(design, turn);
        times.push_back(millisecondsOf([&] { (void)preview(design, cache, request); }));
    }
    report(part.row, design.network.layers.size(), times);
}

/// Previews 400 rounds of competing neurons: by batch, the repeat is one step of the program;
/// with a shared dictionary, its rounds are unrolled.
struct Rounds {
    const char* row;
    AxisWord word;
};
constexpr Rounds rounds[] = {{"step of 400 rounds by batch", AxisWord::batch},
                             {"step of 400 rounds by model.stack", AxisWord::modelStack}};

void measureRounds(const Rounds& asked, int repetitions) {
    Design design = parseDesign(R"({"weft": 1, "devices": ["cpu:0", "cpu:1"],
 "data": {"source": {"kind": "textures"}, "feeds": {"picture": "images"}, "batch": 16,
  "last_batch": "drop"},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [1, 32, 32]}},
  {"id": 2, "name": "code", "kind": "lca",
   "with": {"atoms": 64, "iterations": 400, "kernel": 8, "stride": 4, "two_sided": true}}],
 "wires": ["picture.y -> code.x"]})",
                                catalogue())
                        .design;
    design.assignment.words = {asked.word};
    const PreviewRequest request{.machine = thisMachine(), .until = PreviewPart::step};
    PreviewCache cache;
    if (!preview(design, cache, request)->step) {
        fmt::print(stderr, "{} is not planned\n", asked.row);
        std::exit(1);
    }
    std::vector<double> times;
    for (int turn = 0; turn < repetitions; ++turn) {
        setAttribute(design, {}, idOf(design, "code"), "threshold", turn % 2 == 0 ? 0.4 : 0.5);
        times.push_back(millisecondsOf([&] { (void)preview(design, cache, request); }));
    }
    report(asked.row, design.network.layers.size(), times);
}

/// Runs all rows, or the named one.
int run(int repetitions, const std::string& only) {
    const auto isAsked = [&](const char* row) { return only.empty() || only == row; };
    Design design = largeNetwork(142);
    const std::size_t layers = design.network.layers.size();
    const PreviewRequest request{.machine = thisMachine()};
    if (isAsked("whole")) {
        measureWhole(design, request, repetitions);
    }
    PreviewCache cache;
    (void)preview(design, cache, request);
    for (const Edit& edit : edits()) {
        std::vector<double> times;
        if (!isAsked(edit.name)) {
            continue;
        }
        for (int turn = 0; turn < 2 * repetitions; ++turn) {
            edit.apply(design, turn);
            times.push_back(millisecondsOf([&] { (void)preview(design, cache, request); }));
        }
        report(edit.name, layers, times);
    }
    for (const Part& part : parts) {
        if (isAsked(part.row)) {
            measurePart(part, repetitions);
        }
    }
    for (const Rounds& asked : rounds) {
        if (isAsked(asked.row)) {
            measureRounds(asked, repetitions);
        }
    }
    return 0;
}

} // namespace
} // namespace weft::bench

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::max(1, std::atoi(argv[1])) : 10;
    return weft::bench::run(repetitions, argc > 2 ? argv[2] : "");
}
