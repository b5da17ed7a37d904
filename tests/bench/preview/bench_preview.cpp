// SPDX-License-Identifier: Apache-2.0
// How long a preview takes of a network of some 1,000 layers: the whole, and again after one edit
// of each sort. A line of JSON per figure: the middle of so many repetitions.
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

/// Blocks of convolution, norm, relu, convolution, norm, a way round and relu; then a classifier.
class Network {
public:
    explicit Network(int blocks) {
        design_.devices = {
            {.name = "cpu:0"}, {.name = "cpu:1"}, {.name = "cpu:2"}, {.name = "cpu:3"}};
        design_.assignment.words = {AxisWord::data};
        design_.data.source = "digits";
        design_.data.feeds = {{"images", "images"}, {"labels", "labels"}};
        design_.data.batch = 64;
        Endpoint x = add("input", "images", {{"shape", std::vector<std::int64_t>{1, 28, 28}}}, {});
        x = convolution("stem", x);
        for (int block = 0; block < blocks; ++block) {
            x = addBlock("block" + std::to_string(block) + "_", x);
        }
        x = add("global_average_pool", "pool", {}, {{"x", x}});
        x = add("dense", "fc", {{"units", std::int64_t{10}}}, {{"x", x}});
        const Endpoint labels =
            add("input", "labels",
                {{"shape", std::vector<std::int64_t>{}}, {"dtype", std::string("i64")}}, {});
        add("softmax_cross_entropy", "loss", {}, {{"logits", x}, {"target", labels}});
    }

    Design design_;

private:
    using Inputs = std::vector<std::pair<std::string, Endpoint>>;

    Endpoint add(const std::string& kind, const std::string& name, Attributes attributes,
                 const Inputs& inputs) {
        Layer layer;
        layer.id = LayerId{static_cast<std::uint32_t>(design_.network.layers.size() + 1)};
        layer.name = name;
        layer.kind = kind;
        layer.attributes = std::move(attributes);
        for (const auto& [port, from] : inputs) {
            design_.network.wires.push_back({from, {layer.id, port}});
        }
        design_.network.layers.push_back(layer);
        return {layer.id, "y"};
    }

    Endpoint convolution(const std::string& name, Endpoint x) {
        return add("conv2d", name,
                   {{"filters", std::int64_t{32}},
                    {"kernel", std::int64_t{3}},
                    {"pad", std::string("same")}},
                   {{"x", x}});
    }

    Endpoint addBlock(const std::string& name, const Endpoint& x) {
        Endpoint y = convolution(name + "conv1", x);
        y = add("batch_norm", name + "norm1", {}, {{"x", y}});
        y = add("relu", name + "relu1", {}, {{"x", y}});
        y = convolution(name + "conv2", y);
        y = add("batch_norm", name + "norm2", {}, {{"x", y}});
        y = add("add", name + "add", {}, {{"x0", y}, {"x1", x}});
        return add("relu", name + "relu2", {}, {{"x", y}});
    }
};

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

int run(int repetitions) {
    Design design = Network(142).design_;
    const std::size_t layers = design.network.layers.size();
    const PreviewRequest request{.machine = thisMachine()};
    std::vector<double> times;
    for (int turn = 0; turn < repetitions; ++turn) {
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
    report("whole", layers, times);
    PreviewCache cache;
    (void)preview(design, cache, request);
    for (const Edit& edit : edits()) {
        times.clear();
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
    return weft::bench::run(repetitions);
}
