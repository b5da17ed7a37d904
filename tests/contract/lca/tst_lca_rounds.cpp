// SPDX-License-Identifier: Apache-2.0
// Sparse coding by one kernel for all rounds: it is chosen for what the layer lowers to, its
// results are those of the rounds one by one in double, and an element's bits depend neither on
// how many stand beside it nor on the number of cores.
#include "backends/backends.h"
#include "base/philox.h"
#include "contract/layers/lowered_alone.h"
#include "place/place.h"
#include "schedule/task.h"
#include "support/evaluate.h"
#include "support/test_main.h"
#include "support/trained.h"
#include "transform/optimize_step.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

struct CodedNetwork {
    Shape picture; ///< [batch, channels, rows, columns]
    Attributes layer;

    [[nodiscard]] std::int64_t taps() const {
        const Shape kernel = layer.integers("kernel");
        return picture[1] * kernel[0] * kernel[1];
    }
    /// The longest sum of a round: the taps of a drive, and all atoms that reach a pixel.
    [[nodiscard]] std::int64_t length() const {
        const Shape stride = layer.integers("stride");
        return taps() + layer.integer("atoms") * taps() / picture[1] / stride[0] / stride[1];
    }
};

CodedNetwork usualCode() {
    return {{3, 2, 8, 12},
            {{"atoms", std::int64_t{20}},
             {"kernel", Shape{6, 4}},
             {"stride", Shape{2, 2}},
             {"iterations", std::int64_t{6}},
             {"tau", 4.0},
             {"threshold", 0.3},
             {"start", std::string("warm")}}};
}

CodedNetwork with(CodedNetwork network,
                  std::initializer_list<std::pair<std::string, AttributeValue>> list) {
    for (const auto& [name, value] : list) {
        network.layer.set(name, value);
    }
    return network;
}

CodedNetwork sized(Shape picture, std::int64_t atoms, Shape kernel, Shape stride) {
    CodedNetwork network = with(usualCode(), {{"atoms", atoms},
                                              {"kernel", std::move(kernel)},
                                              {"stride", std::move(stride)},
                                              {"two_sided", true}});
    network.picture = std::move(picture);
    return network;
}

CodedNetwork adaptiveCode(const std::string& rule) {
    const CodedNetwork network = with(usualCode(), {{"step_rule", rule},
                                                    {"base_minimum", 0.4},
                                                    {"base_maximum", 0.8},
                                                    {"tau_factor", 0.2},
                                                    {"growth_factor", 0.3}});
    return rule == "knee"  ? with(network, {{"knee_threshold", 0.9}, {"knee_slope", 0.2}})
           : rule == "log" ? with(network, {{"log_threshold", 1.6}, {"log_slope", 0.3}})
                           : network;
}

CodedNetwork withOwn(CodedNetwork network) {
    return with(std::move(network), {{"per_element", true}});
}

CodedNetwork drawn(std::uint64_t seed) {
    const Philox draw({.seed = seed});
    std::uint64_t drawings = 0;
    const auto below = [&](std::uint64_t limit) {
        return static_cast<std::int64_t>(draw.below(drawings++, limit));
    };
    Shape picture{1 + below(3), 1 + below(4), 0, 0};
    Shape kernel;
    Shape stride;
    for (std::size_t side = 0; side < 2; ++side) {
        stride.push_back(1 + below(4));
        kernel.push_back(stride.back() + 2 * below(5));
        picture[side + 2] = stride.back() * (1 + below(6));
    }
    const std::int64_t atoms = 1 + below(below(2) == 0 ? 16 : 200);
    return sized(std::move(picture), atoms, std::move(kernel), std::move(stride));
}

/// The repeat of a layer, and all that goes in and comes out in double.
struct Reference {
    explicit Reference(const CodedNetwork& network, std::uint64_t seed = 1) {
        LayerSample sample{.inputs = {network.picture}, .attributes = network.layer};
        Alone alone = lowerings.lower(*lowerings.layers().find("lca"), sample, Mode::train);
        appendUpdate(alone.graph, ops, allOptimizers(), TrainingSettings{});
        graph = std::make_shared<const Graph>(alone.graph);
        for (const Node& node : graph->nodes) {
            repeat = node.body ? &node : repeat;
        }
        std::map<ValueId, Tensor> given;
        for (const Slot& slot : slotsOf(*graph)) {
            Tensor values = drawNormal(DType::f64, slot.shape, seed, slot.name);
            if (slot.name == "it.weight") { // so that a drive is about as large as a pixel
                for (std::int64_t k = 0; k < values.elements(); ++k) {
                    values.set(k, values.at(k) / std::sqrt(double(network.taps())));
                }
            }
            given[slot.value] = values.as(DType::f32).as(DType::f64);
        }
        Oracle oracle;
        const auto values = evaluate(*graph, oracle, given, {.seed = seed});
        for (const ValueId input : repeat->inputs) {
            inputs.push_back(values.at(input).as(DType::f32));
        }
        for (const ValueId output : repeat->outputs) {
            outputs.push_back(values.at(output));
        }
        PlacementRequest request{.devices = {"cpu:0"}};
        const auto plan = std::make_shared<const Plan>(place(graph, ops, request).plan);
        for (const Task& task : localize(plan, DeviceId{0}, {}).tasks) {
            if (task.request.repeat) {
                kernel = task.request;
            }
        }
    }

    const Lowerings lowerings;
    const OpList& ops = lowerings.ops();
    std::shared_ptr<const Graph> graph;
    const Node* repeat = nullptr;
    std::vector<Tensor> inputs;  ///< in float
    std::vector<Tensor> outputs; ///< in double
    KernelRequest kernel;
};

const Backend& cpu() {
    static const BackendList backends = [] {
        BackendList list;
        backends::fill(list);
        return list;
    }();
    return *backends.find("cpu");
}

ChoiceOrRefusal chosenFor(const KernelRequest& request) {
    ChoiceOrRefusal answer = tl::make_unexpected(Refusal{"cpu", "there is no kernel"});
    for (const KernelMaker& maker : cpu().kernels.ownOf("repeat")) {
        answer = maker.choose(request);
        if (answer) {
            break;
        }
    }
    return answer;
}

std::vector<Tensor> run(const Reference& reference, int cores, const char* tag = "",
                        bool mayChoose = true) {
    KernelRequest request = reference.kernel;
    request.cores = cores;
    request.mayChooseFormats = mayChoose;
    for (auto* parts : {&request.inputs, &request.outputs}) {
        for (TensorPart& part : *parts) {
            // Codes and potentials; a dictionary and a picture lie plain.
            const bool isCode = part.shape == reference.inputs[0].shape;
            part.format = {isCode ? tag : ""};
        }
    }
    const ChoiceOrRefusal choice = chosenFor(request);
    if (!choice) {
        qWarning("%s", choice.error().reason.c_str());
        return {};
    }
    Oracle oracle(cpu(), "cpu:0", cores);
    return oracle.run(request, *choice, reference.inputs, {.cores = cores});
}

double activityOf(const Tensor& code) {
    std::int64_t active = 0;
    for (std::int64_t k = 0; k < code.elements(); ++k) {
        active += code.at(k) != 0 ? 1 : 0;
    }
    return double(active) / double(code.elements());
}

} // namespace

class TestLcaRounds : public QObject {
    Q_OBJECT

    static void compare(const CodedNetwork& network, const std::vector<Tensor>& found,
                        const std::vector<Tensor>& expected) {
        QCOMPARE(found.size(), expected.size());
        const double rounding = std::ldexp(1.0, -24); // whose sums walk at random
        const auto rounds = static_cast<double>(network.layer.integer("iterations"));
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const double allowed = 4 * rounding * rounds * std::sqrt(double(network.length())) *
                                   std::max(1.0, largestMagnitude(expected[k]));
            const double difference = largestDifference(found[k], expected[k]);
            QVERIFY2(difference <= allowed,
                     qPrintable(QStringLiteral("result %1 differs by %2, allowed %3")
                                    .arg(k)
                                    .arg(difference)
                                    .arg(allowed)));
        }
    }

private Q_SLOTS:
    void areThoseOfTheGeneralRounds_data() {
        QTest::addColumn<CodedNetwork>("network");
        QTest::newRow("soft") << usualCode();
        QTest::newRow("soft, two-sided") << with(usualCode(), {{"two_sided", true}});
        QTest::newRow("hard") << with(usualCode(), {{"transfer", std::string("hard")}});
        QTest::newRow("hard, two-sided")
            << with(usualCode(), {{"transfer", std::string("hard")}, {"two_sided", true}});
        QTest::newRow("firm") << with(usualCode(),
                                      {{"transfer", std::string("firm")}, {"width", 0.4}});
        QTest::newRow("firm, without itself")
            << with(usualCode(), {{"transfer", std::string("firm")},
                                  {"width", 0.4},
                                  {"two_sided", true},
                                  {"self_interaction", false}});
        QTest::newRow("general, all active")
            << with(usualCode(), {{"transfer", std::string("general")},
                                  {"shift", 0.1},
                                  {"width", 0.5},
                                  {"minimum", -0.05},
                                  {"maximum", 0.45}});
        QTest::newRow("points") << with(usualCode(),
                                        {{"transfer", std::string("points")},
                                         {"threshold", 0.5}, // as it is where nothing is said
                                         {"points_v", std::vector<double>{-0.2, 0.2, 0.2, 0.9}},
                                         {"points_a", std::vector<double>{0.0, 0.0, 0.1, 0.5}},
                                         {"slope_below", 0.3},
                                         {"slope_above", 0.0}});
        QTest::newRow("none active") << with(usualCode(), {{"threshold", 1e4}});
        QTest::newRow("from rest")
            << with(usualCode(), {{"start", std::string("rest")}, {"rest", 0.25}});
        QTest::newRow("one round") << with(usualCode(), {{"iterations", std::int64_t{1}}});
        for (const char* rule : {"basic", "knee", "log"}) {
            QTest::addRow("%s steps", rule) << adaptiveCode(rule);
        }
        QTest::newRow("lagging energies")
            << with(adaptiveCode("basic"), {{"energy", std::string("lagged")}});
        QTest::newRow("lagging energies, fixed steps")
            << with(usualCode(), {{"energy", std::string("lagged")}});
        QTest::newRow("a dictionary each") << withOwn(usualCode());
        QTest::newRow("a dictionary each, adaptive steps") << withOwn(adaptiveCode("knee"));
        QTest::newRow("a dictionary of 70 of 5x7 each")
            << withOwn(sized({5, 2, 9, 15}, 70, {5, 7}, {1, 1}));
        QTest::newRow("128 of 8x8") << sized({3, 1, 16, 20}, 128, {8, 8}, {2, 2});
        QTest::newRow("96 of 3x8x8") << sized({2, 3, 16, 16}, 96, {8, 8}, {4, 4});
        QTest::newRow("70 of 7x13") << sized({2, 2, 9, 15}, 70, {7, 13}, {1, 1});
        QTest::newRow("64 of 16x16") << sized({1, 1, 24, 24}, 64, {16, 16}, {8, 8});
        QTest::newRow("one of 1x1") << sized({2, 1, 1, 1}, 1, {1, 1}, {1, 1});
    }
    void areThoseOfTheGeneralRounds() {
        QFETCH(CodedNetwork, network);
        const Reference reference(network);
        for (const int cores : {1, 2}) {
            for (const char* tag : {"", "acdb"}) {
                for (const bool mayChoose : {true, false}) {
                    compare(network, run(reference, cores, tag, mayChoose), reference.outputs);
                }
            }
        }
    }

    void areThoseOfTheGeneralRoundsForSizesAsTheyCome() {
        for (std::uint64_t seed = 1; seed <= 24; ++seed) {
            const CodedNetwork network = drawn(seed);
            const Reference reference(network, seed);
            compare(network, run(reference, 2), reference.outputs);
            QVERIFY2(!QTest::currentTestFailed(),
                     qPrintable(QStringLiteral("seed %1, %2, %3 atoms of %4")
                                    .arg(seed)
                                    .arg(toString(network.picture).c_str())
                                    .arg(network.layer.integer("atoms"))
                                    .arg(toString(network.layer.integers("kernel")).c_str())));
        }
    }

    void areAsSparseAsTheySay() {
        const std::size_t code = 1;
        QCOMPARE(activityOf(run(Reference(with(usualCode(), {{"threshold", 1e4}})), 1)[code]), 0.0);
        const CodedNetwork all =
            with(usualCode(),
                 {{"transfer", std::string("general")}, {"minimum", -0.05}, {"threshold", 0.3}});
        QCOMPARE(activityOf(run(Reference(all), 1)[code]), 1.0);
        const double some = activityOf(run(Reference(usualCode()), 1)[code]);
        QVERIFY(some > 0.02 && some < 0.6);
    }

    void haveTheSameBitsOnAnyNumberOfCores_data() {
        QTest::addColumn<CodedNetwork>("network");
        QTest::newRow("fixed steps") << usualCode();
        QTest::newRow("adaptive steps") << adaptiveCode("knee");
        QTest::newRow("a dictionary each") << withOwn(usualCode());
        QTest::newRow("128 of 8x8") << sized({3, 1, 16, 20}, 128, {8, 8}, {2, 2});
        QTest::newRow("70 of 7x13") << sized({2, 2, 9, 15}, 70, {7, 13}, {1, 1});
        QTest::newRow("more cores than rows") << sized({1, 1, 2, 2}, 9, {2, 2}, {2, 2});
    }
    void haveTheSameBitsOnAnyNumberOfCores() {
        QFETCH(CodedNetwork, network);
        const Reference reference(network);
        const std::vector<Tensor> alone = run(reference, 1);
        for (const int cores : {2, 3, 4, 7}) {
            QVERIFY2(run(reference, cores) == alone, qPrintable(QString::number(cores)));
        }
    }

    void haveTheSameBitsWhereMemoryHasRoomForOne() {
        Reference reference(sized({5, 1, 8, 8}, 70, {4, 4}, {2, 2}));
        reference.kernel.cores = 1;
        const Bytes least = chosenFor(reference.kernel)->scratch;
        const std::vector<Tensor> alone = run(reference, 1);
        reference.kernel.scratchLimit = least * 2;
        reference.kernel.cores = 4;
        QVERIFY(chosenFor(reference.kernel)->scratch <= least * 2);
        QVERIFY(run(reference, 4) == alone);
        reference.kernel.scratchLimit = {least.count - 1};
        QVERIFY(!chosenFor(reference.kernel));
    }

    void haveTheSameBitsBesideAnyNumberOfElements() {
        for (const CodedNetwork& network :
             {adaptiveCode("basic"), sized({5, 1, 8, 8}, 70, {4, 4}, {2, 2}),
              withOwn(adaptiveCode("basic")), withOwn(sized({5, 1, 8, 8}, 70, {4, 4}, {2, 2}))}) {
            const Reference all(network);
            const std::vector<Tensor> together = run(all, 2);
            const std::size_t carried = repeatForm(*all.repeat).carried;
            CodedNetwork single = network;
            single.picture[0] = 1;
            Reference one(single);
            for (std::int64_t b = 0; b < network.picture[0]; ++b) {
                for (std::size_t k = 0; k < one.inputs.size(); ++k) {
                    one.inputs[k] = elementOf(all.inputs[k], b, one.inputs[k].shape, 0);
                }
                const std::vector<Tensor> alone = run(one, 1);
                for (std::size_t k = 0; k < alone.size(); ++k) {
                    const std::size_t dim = k < carried ? 0 : 1;
                    QVERIFY(alone[k] == elementOf(together[k], b, alone[k].shape, dim));
                }
            }
        }
    }

    void trainWithoutAllocating() {
        for (const CodedNetwork& network :
             {usualCode(), adaptiveCode("knee"), withOwn(usualCode())}) {
            const Reference reference(network);
            const auto trainedAs = [&](bool laysRounds) {
                return train(reference.graph, reference.ops,
                             {.backend = "cpu", .cores = 2, .laysRounds = laysRounds}, 4, 4);
            };
            const Trained one = trainedAs(false);
            const Trained laid = trainedAs(true);
            QVERIFY(one.refusals.empty() && one.steps.size() < laid.steps.size());
            QCOMPARE(one.allocations, std::int64_t{0});
            QCOMPARE(one.slotsAfter.size(), laid.slotsAfter.size());
            for (std::size_t s = 0; s < one.slotsAfter.size(); ++s) {
                const auto& [name, numbers] = one.slotsAfter[s];
                for (std::size_t k = 0; k < numbers.size(); ++k) {
                    QVERIFY2(std::abs(numbers[k] - laid.slotsAfter[s].second[k]) < 1e-4,
                             name.c_str());
                }
            }
        }
    }

    void leaveOtherBodiesToTheGeneralRounds_data() {
        QTest::addColumn<CodedNetwork>("network");
        QTest::newRow("momentum") << with(
            usualCode(), {{"variant", std::string("momentum")}, {"momentum_rate", 0.2}});
        QTest::newRow("ista") << with(usualCode(), {{"variant", std::string("ista")}});
        QTest::newRow("a dictionary per pixel") << with(usualCode(), {{"per_position", true}});
        QTest::newRow("a dictionary per element and pixel")
            << with(usualCode(), {{"per_element", true}, {"per_position", true}});
        QTest::newRow("many points")
            << with(usualCode(), {{"transfer", std::string("points")},
                                  {"threshold", 0.5},
                                  {"points_v", std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
                                  {"points_a", std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}});
    }
    void leaveOtherBodiesToTheGeneralRounds() {
        QFETCH(CodedNetwork, network);
        QVERIFY(!chosenFor(Reference(network).kernel));
    }

private:
    /// One element of the batch, where it has one.
    static Tensor elementOf(const Tensor& all, std::int64_t b, const Shape& shape,
                            std::size_t dim) {
        if (all.shape == shape || all.shape.size() <= dim) {
            return all;
        }
        Shape begin(all.shape.size());
        begin[dim] = b;
        return sliceOf(all, begin, shape);
    }
};

std::unique_ptr<QObject> makeTestLcaRounds() { return std::make_unique<TestLcaRounds>(); }
#include "tst_lca_rounds.moc"
