// SPDX-License-Identifier: Apache-2.0
// Weights of which there are several sets: a run of B elements, each with a set of its own, is B
// runs of a batch of 1, in every number; sets that are alike are one; sets begin by their index in
// the whole batch.
#include "contract/layers/lowered_alone.h"
#include "run/execute/initialise.h"
#include "support/evaluate.h"
#include "support/test_main.h"
#include "transform/differentiate.h"
#include "transform/optimize_step.h"

#include <QTest>
#include <cmath>
#include <cstring>

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::int64_t elements = 4;
constexpr std::int64_t steps = 5;

/// A layer with the wire that goes into its first port.
struct Link {
    std::string kind;
    Attributes attributes = {};
};

/// Layers one behind the other, and a loss of classes where one ends them.
struct Chain {
    Shape picture; ///< shape of one element
    std::vector<Link> links;
    TrainingSettings training = {};
};

Attributes setsOf(Attributes attributes, bool perElement, bool perPosition = false) {
    attributes.set("per_element", perElement);
    attributes.set("per_position", perPosition);
    return attributes;
}

Chain classifier(const std::string& optimizer, const Attributes& with) {
    Chain chain{.picture = {2, 6, 5},
                .links = {{"conv2d", setsOf({{"filters", std::int64_t{4}},
                                             {"groups", std::int64_t{2}},
                                             {"padding", Shape{1, 1}}},
                                            true)},
                          {"relu"},
                          {"conv2d", setsOf({{"filters", std::int64_t{3}}, {"stride", Shape{2, 1}}},
                                            true, true)},
                          {"tanh"},
                          {"flatten"},
                          {"dense", setsOf({{"units", std::int64_t{5}}}, true)},
                          {"softmax_cross_entropy"}}};
    chain.training.optimizer = optimizer;
    chain.training.optimizerAttributes = with;
    return chain;
}

Chain sparse(const Attributes& attributes) {
    Attributes all = {
        {"atoms", std::int64_t{5}},      {"kernel", Shape{4, 4}}, {"stride", Shape{2, 2}},
        {"iterations", std::int64_t{6}}, {"threshold", 0.1},      {"tau", 3.0},
        {"start", std::string("warm")}};
    for (const auto& [name, value] : attributes.entries()) {
        all.set(name, value);
    }
    return {.picture = {2, 8, 6}, .links = {{"lca", std::move(all)}}};
}

/// A chain for so many elements, as a training step in double.
class Machine {
public:
    Machine(const Chain& chain, std::int64_t batch) : batch_(batch) {
        Builder builder(graph_, lowerings_.ops());
        Shape shape = chain.picture;
        shape.insert(shape.begin(), batch);
        ValueId now = builder.addFeed("x", FeedKind::data, DType::f64, shape);
        std::uint32_t id = 0;
        for (const Link& link : chain.links) {
            const LayerKind& kind = *lowerings_.layers().find(link.kind);
            builder.setOrigin({LayerId{++id}, 0});
            std::vector<std::pair<std::string, ValueId>> inputs = {
                {kind.info.inputs.front().name, now}};
            if (kind.info.inputs.size() > 1 && !kind.info.inputs[1].optional) {
                inputs.emplace_back(kind.info.inputs[1].name,
                                    builder.addFeed("target", FeedKind::data, DType::i64, {batch}));
            }
            Lowering lowering(builder,
                              {.origin = builder.origin(),
                               .name = link.kind + std::to_string(id),
                               .attributes = completed(link.attributes, kind.info.attributes),
                               .inputs = std::move(inputs),
                               .mode = Mode::train,
                               .batch = batch});
            kind.lower(lowering);
            refusals_ += lowering.refusals().size() + builder.takeRefusals().size();
            if (refusals_ > 0) {
                return;
            }
            now = lowering.outputs().front().second;
            outputs_ = lowering.outputs();
        }
        const bool hasLoss = builder.shape(now).empty();
        if (hasLoss) {
            loss_ = now;
            graph_.results.push_back({"loss", ResultKind::total, now, {}});
            differentiate(graph_, lowerings_.ops(), now);
        }
        appendUpdate(graph_, lowerings_.ops(), allOptimizers(), chain.training);
        verify(graph_);
    }

    [[nodiscard]] bool isRefused() const { return refusals_ > 0; }
    [[nodiscard]] const Graph& graph() const { return graph_; }
    [[nodiscard]] const auto& outputs() const { return outputs_; }

    using Kept = std::map<std::string, Tensor>;
    struct Step {
        Kept kept;    ///< slots, after it
        Kept results; ///< and outputs of the last layer
    };

    /// Slots that are not given begin at 0.
    std::vector<Step> run(Kept kept, const Tensor& pictures, const Tensor& targets) {
        std::vector<Step> course;
        for (std::int64_t step = 0; step < steps; ++step) {
            const auto values = evaluate(graph_, oracle_, givenFor(step, kept, pictures, targets));
            Step now;
            for (const Slot& slot : slotsOf(graph_)) {
                kept[slot.name] = values.at(slot.next.isNone() ? slot.value : slot.next);
            }
            now.kept = kept;
            for (const Result& result : graph_.results) {
                now.results[result.name] = values.at(result.value);
            }
            for (const auto& [port, value] : outputs_) {
                now.results["output " + port] = values.at(value);
            }
            course.push_back(std::move(now));
        }
        return course;
    }

    /// Gradients of parameters, unscaled, and the outputs.
    Kept gradients(const Kept& kept, const Tensor& pictures, const Tensor& targets) {
        const auto values = evaluate(graph_, oracle_, givenFor(0, kept, pictures, targets));
        Kept found;
        for (const Slot& slot : slotsOf(graph_)) {
            if (const ValueId gradient = graph_.gradientOf(slot.value); !gradient.isNone()) {
                found[slot.name] = values.at(gradient);
            }
        }
        for (const auto& [port, value] : outputs_) {
            found["output " + port] = values.at(value);
        }
        return found;
    }

private:
    [[nodiscard]] std::map<ValueId, Tensor> givenFor(std::int64_t step, const Kept& kept,
                                                     const Tensor& pictures,
                                                     const Tensor& targets) const {
        std::map<ValueId, Tensor> given;
        for (const Feed& feed : graph_.feeds) {
            const Value& value = graph_.at(feed.value);
            if (feed.kind == FeedKind::argument) {
                const bool isCount = !isFloating(value.dtype);
                given[feed.value] = Tensor(value.dtype, {},
                                           {isCount ? static_cast<double>(step + 1)
                                            : feed.name == "learning_rate" ? 0.1
                                                                           : 1.0});
            } else {
                given[feed.value] = placeOf(feed.name == "x" ? pictures : targets, step);
            }
        }
        for (const Slot& slot : slotsOf(graph_)) {
            const auto known = kept.find(slot.name);
            given[slot.value] =
                known == kept.end() ? Tensor(DType::f64, slot.shape) : known->second;
        }
        return given;
    }

    std::int64_t batch_;
    Lowerings lowerings_;
    Oracle oracle_;
    Graph graph_;
    ValueId loss_;
    std::vector<std::pair<std::string, ValueId>> outputs_;
    std::size_t refusals_ = 0;
};

/// One element, along the dim where there are so many.
Tensor elementOf(const Tensor& all, std::size_t dim, std::int64_t element) {
    Shape begin(all.shape.size());
    begin[dim] = element;
    Shape shape = all.shape;
    shape[dim] = 1;
    return sliceOf(all, begin, shape);
}

Tensor drawnFor(const Slot& slot) {
    const Tensor values = drawNormal(DType::f64, slot.shape, 3, slot.name);
    Tensor small(DType::f64, slot.shape);
    for (std::int64_t k = 0; k < values.elements(); ++k) {
        small.set(k, values.at(k) / 4);
    }
    return small;
}

Tensor picturesFor(const Chain& chain) {
    Shape shape = chain.picture;
    shape.insert(shape.begin(), {steps, elements});
    return drawNormal(DType::f64, shape, 7, "pictures");
}

Tensor targetsFor() { return drawIntegers(DType::i64, {steps, elements}, 5, 7, "targets"); }

bool isOfElements(const Slot& slot) {
    return slot.isPerElement || slot.kind == SlotKind::layerState;
}

} // namespace

class TestSets : public QObject {
    Q_OBJECT

private:
    static void compare(const Tensor& found, const Tensor& expected, const std::string& what) {
        QCOMPARE(toString(found.shape), toString(expected.shape));
        const double difference = largestDifference(found, expected);
        const double allowed = 1e-11 * std::max(1.0, largestMagnitude(expected));
        QVERIFY2(difference <= allowed, qPrintable(QStringLiteral("%1 differs by %2")
                                                       .arg(QString::fromStdString(what))
                                                       .arg(difference)));
    }

    /// Numbers that are one for the batch: a mean over its elements, or, of the norm, their sum.
    static void compareWhole(const std::string& name, const Tensor& all,
                             const std::vector<double>& each) {
        double sum = 0;
        for (const double number : each) {
            sum += number;
        }
        const bool isSum = name == "gradient_norm_squared";
        compare(all, Tensor(DType::f64, {}, {isSum ? sum : sum / double(each.size())}), name);
    }

    static void runsAsManyOfOne(const Chain& chain) {
        Machine all(chain, elements);
        QVERIFY(!all.isRefused());
        Machine::Kept first;
        for (const Slot& slot : slotsOf(all.graph())) {
            if (slot.kind == SlotKind::parameter) {
                first[slot.name] = drawnFor(slot);
            }
        }
        const Tensor pictures = picturesFor(chain);
        const Tensor targets = targetsFor();
        const auto together = all.run(first, pictures, targets);
        std::vector<std::vector<Machine::Step>> apart;
        for (std::int64_t b = 0; b < elements; ++b) {
            Machine one(chain, 1);
            Machine::Kept own = first;
            for (const Slot& slot : slotsOf(all.graph())) {
                if (own.contains(slot.name) && isOfElements(slot)) {
                    own[slot.name] = elementOf(first[slot.name], 0, b);
                }
            }
            apart.push_back(one.run(own, elementOf(pictures, 1, b), elementOf(targets, 1, b)));
        }
        for (std::size_t step = 0; step < together.size(); ++step) {
            for (const Slot& slot : slotsOf(all.graph())) {
                for (std::int64_t b = 0; b < elements && isOfElements(slot); ++b) {
                    compare(elementOf(together[step].kept.at(slot.name), 0, b),
                            apart[static_cast<std::size_t>(b)][step].kept.at(slot.name), slot.name);
                }
            }
            for (const auto& [name, value] : together[step].results) {
                compareResult(name, value, step, apart);
            }
        }
    }

    static void compareResult(const std::string& name, const Tensor& value, std::size_t step,
                              const std::vector<std::vector<Machine::Step>>& apart) {
        std::vector<double> each;
        for (std::int64_t b = 0; b < elements; ++b) {
            const Tensor& own = apart[static_cast<std::size_t>(b)][step].results.at(name);
            if (value.shape.empty()) {
                each.push_back(own.at(0));
                continue;
            }
            const bool isSeries = own.shape[0] != 1; // [rounds, batch]
            compare(elementOf(value, isSeries ? 1 : 0, b), own, name);
        }
        if (value.shape.empty()) {
            compareWhole(name, value, each);
        }
    }

private Q_SLOTS:
    void runsOfElementsAreAsManyOfOne_data() {
        QTest::addColumn<Chain>("chain");
        QTest::newRow("sgd") << classifier("sgd", {{"weight_decay", 0.01}});
        QTest::newRow("momentum") << classifier("sgd", {{"momentum", 0.9}, {"nesterov", true}});
        QTest::newRow("adam") << classifier("adam", {});
        QTest::newRow("adamw") << classifier("adamw", {});
        QTest::newRow("rmsprop") << classifier("rmsprop", {{"momentum", 0.5}, {"epsilon", 0.01}});
        const auto rows = [](const char* name, const Attributes& attributes) {
            QTest::addRow("lca, %s", name) << sparse(setsOf(attributes, true));
            QTest::addRow("lca, %s, per pixel", name) << sparse(setsOf(attributes, true, true));
        };
        rows("by elements", {});
        rows("by positions, with momentum", {{"count", std::string("positions")},
                                             {"variant", std::string("momentum")},
                                             {"momentum_rate", 0.2},
                                             {"momentum_method", std::string("simple")}});
        rows("by activations, adaptive steps", {{"count", std::string("activations")},
                                                {"step_rule", std::string("basic")},
                                                {"base_minimum", 0.3},
                                                {"base_maximum", 0.6},
                                                {"two_sided", true}});
        rows("by taps", {{"count", std::string("per_weight")}, {"weight_decay", 0.1}});
    }
    void runsOfElementsAreAsManyOfOne() {
        QFETCH(Chain, chain);
        runsAsManyOfOne(chain);
    }

    /// With one set for all, all but what is learnt.
    void runsWithAFrozenDictionaryAreAsManyOfOne() {
        for (const bool perPosition : {false, true}) {
            runsAsManyOfOne(sparse(setsOf({{"frozen", true}}, false, perPosition)));
        }
    }

    /// One set learns from all elements: then runs differ.
    void runsThatShareAreNot() {
        Machine all(sparse({}), elements);
        Machine one(sparse({}), 1);
        const Slot& dictionary = slotsOf(all.graph()).front();
        const Machine::Kept first = {{dictionary.name, drawnFor(dictionary)}};
        const Tensor pictures = picturesFor(sparse({}));
        const auto together = all.run(first, pictures, targetsFor());
        const auto apart = one.run(first, elementOf(pictures, 1, 0), targetsFor());
        QVERIFY(largestDifference(together.back().kept.at(dictionary.name),
                                  apart.back().kept.at(dictionary.name)) > 1e-3);
    }

    void equalSetsAreOne_data() {
        QTest::addColumn<bool>("perElement");
        QTest::addColumn<bool>("perPosition");
        QTest::newRow("per element") << true << false;
        QTest::newRow("per position") << false << true;
        QTest::newRow("per element and position") << true << true;
    }
    /// They compute what one does, and what they would learn adds up to what it would.
    void equalSetsAreOne() {
        QFETCH(bool, perElement);
        QFETCH(bool, perPosition);
        const auto chainOf = [&](bool hasElements, bool hasPositions) {
            return Chain{.picture = {2, 6, 5},
                         .links = {{"conv2d", setsOf({{"filters", std::int64_t{4}},
                                                      {"stride", Shape{2, 1}},
                                                      {"padding", Shape{1, 1}},
                                                      {"dilation", Shape{1, 2}}},
                                                     hasElements, hasPositions)},
                                   {"tanh"},
                                   {"flatten"},
                                   {"softmax_cross_entropy"}}};
        };
        Machine several(chainOf(perElement, perPosition), elements);
        Machine single(chainOf(false, false), elements);
        QVERIFY(!several.isRefused() && !single.isRefused());
        Machine::Kept one;
        Machine::Kept copies;
        for (const Slot& slot : slotsOf(single.graph())) {
            if (slot.kind == SlotKind::parameter) {
                one[slot.name] = drawnFor(slot);
            }
        }
        for (const Slot& slot : slotsOf(several.graph())) {
            if (const auto known = one.find(slot.name); known != one.end()) {
                Tensor all(DType::f64, slot.shape);
                for (std::int64_t k = 0; k < all.elements(); ++k) {
                    all.set(k, known->second.at(k % known->second.elements()));
                }
                copies[slot.name] = all;
            }
        }
        const Tensor pictures = picturesFor(chainOf(false, false));
        const auto expected = single.gradients(one, pictures, targetsFor());
        const auto found = several.gradients(copies, pictures, targetsFor());
        for (const auto& [name, value] : expected) {
            Tensor sum(DType::f64, value.shape);
            for (std::int64_t k = 0; k < found.at(name).elements(); ++k) {
                const std::int64_t to = k % sum.elements();
                sum.set(to, sum.at(to) + found.at(name).at(k));
            }
            compare(sum, value, name);
        }
    }

    void setsBeginByTheirIndex_data() {
        QTest::addColumn<QString>("kind");
        QTest::newRow("even") << QString("uniform");
        QTest::newRow("of length 1") << QString("unit");
    }
    void setsBeginByTheirIndex() {
        QFETCH(QString, kind);
        const auto slotOf = [&](std::int64_t batch, bool areAlike) {
            Slot slot{.name = "it.weight", .shape = {batch, 3, 4, 5}, .origin = {}};
            slot.initialiser = {kind.toStdString(), {{"low", -1.0}, {"high", 1.0}}};
            slot.initialiser.attributes.set("set_dims", std::int64_t{2});
            slot.initialiser.attributes.set("sets_alike", areAlike);
            return slot;
        };
        const auto drawn = [](const Slot& slot, const Box& box) {
            std::vector<float> numbers(static_cast<std::size_t>(box.elements()));
            drawInitialContents(slot, 9, box, std::as_writable_bytes(std::span(numbers)));
            return numbers;
        };
        const std::vector<float> all = drawn(slotOf(6, false), {{0, 0, 0, 0}, {6, 3, 4, 5}});
        // In a batch of another size, and by whoever holds a part.
        const std::vector<float> some = drawn(slotOf(4, false), {{1, 0, 0, 0}, {3, 3, 4, 5}});
        QVERIFY(std::equal(some.begin(), some.end(), all.begin() + 60));
        QVERIFY(!std::equal(some.begin(), some.begin() + 60, all.begin()));
        QVERIFY(!std::equal(all.begin(), all.begin() + 20, all.begin() + 20));
        Slot one = slotOf(6, false);
        one.shape = {4, 5};
        one.initialiser.attributes.remove("set_dims");
        const std::vector<float> single = drawn(one, {{0, 0}, {4, 5}});
        const std::vector<float> alike = drawn(slotOf(6, true), {{2, 1, 0, 0}, {5, 3, 4, 5}});
        for (std::size_t k = 0; k < alike.size(); ++k) {
            QCOMPARE(alike[k], single[k % single.size()]);
        }
        for (std::size_t row = 0; row < all.size() / 5 && kind == "unit"; ++row) {
            double squares = 0;
            for (std::size_t k = 0; k < 5; ++k) {
                squares += double(all[row * 5 + k]) * double(all[row * 5 + k]);
            }
            QVERIFY(std::abs(squares - 1) < 1e-6);
        }
    }
};

std::unique_ptr<QObject> makeTestSets() { return std::make_unique<TestSets>(); }
#include "tst_sets.moc"
