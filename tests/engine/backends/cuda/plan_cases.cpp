// SPDX-License-Identifier: Apache-2.0
#include "plan_cases.h"

#include "support/places.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>

namespace weft::test {

using namespace cuda;

namespace {

struct Layer {
    int inputs, outputs, side, kernel = 1, stride = 1, padding = 0, groups = 1;
};

constexpr std::array alexNet = {Layer{3, 96, 227, 11, 4},        Layer{96, 256, 27, 5, 1, 2},
                                Layer{96, 256, 27, 5, 1, 2, 2},  Layer{256, 384, 13, 3, 1, 1},
                                Layer{384, 384, 13, 3, 1, 1, 2}, Layer{384, 256, 13, 3, 1, 1}};
constexpr std::array resNet50 = {Layer{3, 64, 224, 7, 2, 3},   Layer{64, 64, 56},
                                 Layer{64, 64, 56, 3, 1, 1},   Layer{64, 256, 56},
                                 Layer{256, 64, 56},           Layer{256, 128, 56},
                                 Layer{128, 128, 56, 3, 2, 1}, Layer{128, 512, 28},
                                 Layer{256, 512, 56, 1, 2},    Layer{512, 128, 28},
                                 Layer{128, 128, 28, 3, 1, 1}, Layer{512, 256, 28},
                                 Layer{256, 256, 28, 3, 2, 1}, Layer{256, 1024, 14},
                                 Layer{512, 1024, 28, 1, 2},   Layer{1024, 256, 14},
                                 Layer{256, 256, 14, 3, 1, 1}, Layer{1024, 512, 14},
                                 Layer{512, 512, 14, 3, 2, 1}, Layer{512, 2048, 7},
                                 Layer{1024, 2048, 14, 1, 2},  Layer{2048, 512, 7},
                                 Layer{512, 512, 7, 3, 1, 1}};
constexpr std::array googLeNet = {
    Layer{64, 192, 56, 3, 1, 1}, Layer{192, 64, 28},           Layer{192, 96, 28},
    Layer{96, 128, 28, 3, 1, 1}, Layer{192, 16, 28},           Layer{16, 32, 28, 5, 1, 2},
    Layer{256, 128, 28},         Layer{128, 192, 28, 3, 1, 1}, Layer{32, 96, 28, 5, 1, 2},
    Layer{480, 192, 14},         Layer{96, 208, 14, 3, 1, 1},  Layer{480, 16, 14},
    Layer{16, 48, 14, 5, 1, 2},  Layer{528, 256, 14},          Layer{160, 320, 14, 3, 1, 1},
    Layer{832, 384, 7},          Layer{192, 384, 7, 3, 1, 1},  Layer{48, 128, 7, 5, 1, 2}};
/// lenet-mnist, quickstart-digits, cifar-quick, resnet18-cifar, and one with a group a channel.
constexpr std::array small = {
    Layer{1, 6, 28, 5, 1, 2},    Layer{6, 16, 14, 5},           Layer{1, 8, 28, 3, 1, 1},
    Layer{8, 16, 14, 3, 1, 1},   Layer{3, 32, 32, 5, 1, 2},     Layer{32, 32, 16, 5, 1, 2},
    Layer{32, 64, 8, 5, 1, 2},   Layer{3, 64, 32, 3, 1, 1},     Layer{64, 128, 32, 3, 2, 1},
    Layer{512, 512, 4, 3, 1, 1}, Layer{64, 64, 32, 3, 1, 1, 64}};
/// Dense layers of AlexNet, of a small network and of a language model.
constexpr std::array dense = {Layer{9216, 4096, 1}, Layer{4096, 1000, 1}, Layer{784, 300, 1},
                              Layer{77, 10, 1},     Layer{512, 2048, 1},  Layer{2048, 512, 1}};

Convolution convolutionOf(const Layer& layer, std::int64_t batch) {
    const int windows = (layer.side + 2 * layer.padding - layer.kernel) / layer.stride + 1;
    Convolution c;
    c.batch = batch;
    c.groups = layer.groups;
    c.inputs = layer.inputs / layer.groups;
    c.outputs = layer.outputs / layer.groups;
    c.rows = c.columns = layer.side;
    c.windowRows = c.windowColumns = windows;
    c.kernelRows = c.kernelColumns = layer.kernel;
    c.strideRows = c.strideColumns = layer.stride;
    c.top = c.left = layer.padding;
    return c;
}

} // namespace

std::vector<PlannedConvolution> planCases(const std::vector<std::int64_t>& batches,
                                          Precision precision) {
    std::vector<Layer> layers;
    const auto add = [&](const auto& more) {
        layers.insert(layers.end(), more.begin(), more.end());
    };
    add(alexNet);
    add(resNet50);
    add(googLeNet);
    add(small);
    if (precision != Precision::exact) {
        add(dense);
    }
    std::vector<PlannedConvolution> cases;
    for (const std::int64_t batch : batches) {
        for (const Layer& layer : layers) {
            const Convolution plain = convolutionOf(layer, batch);
            const Convolution of = precision == Precision::exact ? plain : plain.channelsLast();
            cases.push_back({of, ConvolutionPass::forward, {}, precision});
            if (precision != Precision::bf16) { // in bf16 the library fuses no epilogue
                cases.push_back({of, ConvolutionPass::forward, {true, false, true}, precision});
                cases.push_back({of, ConvolutionPass::forward, {true, true, true}, precision});
            }
            cases.push_back({of, ConvolutionPass::inputGradient, {}, precision});
            cases.push_back({of, ConvolutionPass::weightGradient, {}, precision});
        }
    }
    return cases;
}

std::string nameOf(const PlannedConvolution& planned) {
    constexpr std::array passes = {"y", "dx", "dw"};
    const Convolution& c = planned.of;
    return fmt::format("{}{}{}{} of {} maps {}x{}x{}, {} groups of {} to {} channels, kernel {}, "
                       "stride {}",
                       passes.at(static_cast<std::size_t>(planned.pass)),
                       planned.ending.hasAddend ? " + addend" : "",
                       planned.ending.hasBias ? " + bias" : "",
                       planned.precision == Precision::exact
                           ? ""
                           : fmt::format(" in {}", weft::nameOf(planned.precision)),
                       c.batch, c.groups * c.inputs, c.rows, c.columns, c.groups, c.inputs,
                       c.outputs, c.kernelRows, c.strideRows);
}

std::string ChipSheet::properties() const {
    std::ifstream file(sourceFolder() / "tests/engine/backends/cuda/sheets" / (name + ".json"));
    return {std::istreambuf_iterator<char>(file), {}};
}

ChipKind ChipSheet::kind() const { return {generation, planRows().front().version}; }

std::vector<ChipSheet> chipSheets() { return {{"a100", 80}, {"h100", 90}, h200()}; }

ChipSheet h200() { return {"h200", 90}; }

std::string whyNoPlans() {
    const plans::Library library = plans::library();
    if (!library.why.empty()) {
        return "no plans: " + library.why;
    }
    const std::string of = planRows().front().version;
    return library.version == of
               ? ""
               : fmt::format("the table is of version {}, this one is {}", of, library.version);
}

bool isOfLastResort(const Plan& plan) { return plan.engine() == "engine 0"; }

std::string faultOfTable(const std::vector<PlannedConvolution>& cases, const ChipSheet& chip) {
    const std::string properties = chip.properties();
    double fitting = 0;
    for (const PlannedConvolution& one : cases) {
        const auto allowed = workspaceFor(one, chip.kind());
        const auto wanted = plans::make(one, workspaceLimit(one.of), properties);
        const auto plan = plans::make(one, allowed.value_or(0), properties);
        if (!allowed || plan == nullptr || plan->workspace() > *allowed) {
            return nameOf(one) + ": the table says otherwise than the library";
        }
        if (isOfLastResort(*plan) && !isOfLastResort(*wanted)) {
            return nameOf(one) + ": engine 0 computes it, and another would fit";
        }
        if (one.precision != Precision::exact && hasFewChannels(one.of) &&
            !plan->usesTensorCores()) {
            return nameOf(one) + ": computed without tensor cores, by " + plan->engine();
        }
        fitting += plan->engine() == wanted->engine() ? 1 : 0;
    }
    const double share = fitting / static_cast<double>(cases.size());
    return share >= nearlyAlways
               ? ""
               : fmt::format("of {} the table leaves room for {:.3f}", cases.size(), share);
}

} // namespace weft::test
