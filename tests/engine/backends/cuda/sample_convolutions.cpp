// SPDX-License-Identifier: Apache-2.0
#include "sample_convolutions.h"

#include "backends/cuda/windows/convolution_of.h"
#include "compile/registry.h"
#include "front/preview/study.h"
#include "plan_cases.h"
#include "support/places.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace weft::test {

using namespace cuda;

namespace {

std::vector<std::filesystem::path> sampleFiles() {
    std::vector<std::filesystem::path> files;
    for (const auto& folder : std::filesystem::directory_iterator(sourceFolder() / "projects")) {
        for (const char* name : {"design.weft", "bench.weft"}) {
            if (std::filesystem::exists(folder.path() / name)) {
                files.push_back(folder.path() / name);
            }
        }
    }
    std::ranges::sort(files);
    return files;
}

/// Collects what is found once, by its name.
class Collection {
public:
    Collection(Precision precision, std::int64_t times) : precision_(precision), times_(times) {}

    void addFrom(const Graph& graph, const std::string& design) {
        for (const Node& node : graph.nodes) {
            addFrom(graph, node, design);
            if (node.body != nullptr) {
                addFrom(*node.body, design);
            }
        }
    }
    [[nodiscard]] std::vector<SampleConvolution> take() { return std::move(found_); }

private:
    void addFrom(const Graph& graph, const Node& node, const std::string& design) {
        struct Pass {
            const char* op;
            ConvolutionPass pass;
            std::array<std::size_t, 3> places; ///< x, w and y among operands, then results
        };
        static constexpr std::array passes{
            Pass{"conv2d", ConvolutionPass::forward, {0, 1, 2}},
            Pass{"conv2d_dx", ConvolutionPass::inputGradient, {2, 1, 0}},
            Pass{"conv2d_dw", ConvolutionPass::weightGradient, {0, 2, 1}}};
        const auto* const found = std::ranges::find(passes, node.op->name, &Pass::op);
        if (found == passes.end()) {
            return;
        }
        std::vector<ValueId> values = node.inputs;
        values.insert(values.end(), node.outputs.begin(), node.outputs.end());
        const auto partOf = [&](std::size_t which, bool hasBatch) {
            Shape shape = graph.at(values.at(found->places.at(which))).shape;
            shape.front() *= hasBatch ? times_ : 1;
            return TensorPart{.shape = shape, .begin = Shape(shape.size(), 0), .whole = shape};
        };
        const auto convolution =
            convolutionOf(node.attributes, partOf(0, true), partOf(1, false), partOf(2, true));
        if (convolution) {
            add(*convolution, found->pass, design + ": " + graph.layerName(node.origin));
        }
    }
    void add(const Convolution& plain, ConvolutionPass pass, const std::string& of) {
        const bool isExact = precision_ == Precision::exact;
        PlannedConvolution one{isExact ? plain : plain.channelsLast(), pass, {}, precision_};
        std::vector<PlannedEnding> endings{{}};
        if (pass == ConvolutionPass::forward && precision_ != Precision::bf16) {
            endings.insert(endings.end(), {{true, false, false}, {true, false, true}});
        }
        for (const PlannedEnding& ending : endings) {
            one.ending = ending;
            if (names_.insert(nameOf(one) + (ending.hasRelu ? " + relu" : "")).second) {
                found_.push_back({of, one});
            }
        }
    }

    Precision precision_;
    std::int64_t times_;
    std::set<std::string> names_;
    std::vector<SampleConvolution> found_;
};

} // namespace

std::vector<SampleConvolution> sampleConvolutions(Precision precision, std::int64_t times) {
    Collection collection(precision, times);
    const auto registry = makeRegistry();
    for (const std::filesystem::path& file : sampleFiles()) {
        const Design design = loadDesign(file, catalogue()).design;
        const Study made = study({.design = &design, .registry = registry.get()});
        const std::string name = file.parent_path().filename() / file.stem();
        for (const PlannedStep& step : made.steps) {
            collection.addFrom(*step.graph, name);
        }
    }
    return collection.take();
}

std::vector<PlannedConvolution> plannedOf(const std::vector<SampleConvolution>& all) {
    std::vector<PlannedConvolution> planned;
    planned.reserve(all.size());
    std::ranges::transform(all, std::back_inserter(planned), &SampleConvolution::planned);
    return planned;
}

} // namespace weft::test
