// SPDX-License-Identifier: Apache-2.0
// Gradients of a loss on codes through the rounds of sparse coding: with `gradient: through` they
// equal central differences, also in a convolution before it; with `stop` they are zero.
#include "contract/layers/lowered_alone.h"
#include "support/evaluate.h"
#include "support/test_main.h"
#include "transform/differentiate.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

/// conv -> lca -> a loss that weighs the code and the residual with drawn numbers.
class Pulled {
public:
    explicit Pulled(Attributes attributes) {
        attributes.set("atoms", std::int64_t{4});
        attributes.set("kernel", Shape{4, 4});
        attributes.set("stride", Shape{2, 2});
        attributes.set("iterations", std::int64_t{5});
        attributes.set("tau", 4.0);
        attributes.set("threshold", 0.05);
        attributes.set("two_sided", true);
        const LayerKind& kind = *lowerings_.layers().find("lca");
        Builder builder(graph_, lowerings_.ops());
        const ValueId x = builder.addFeed("x", FeedKind::data, DType::f64, {2, 1, 6, 6});
        filters_ = builder.addSlot(
            {.name = "conv.weight", .dtype = DType::f64, .shape = {2, 1, 3, 3}, .origin = {}});
        const ValueId mapped =
            builder.add("conv2d", {x, builder.valueOf(filters_)}, {{"padding", Shape{1, 1, 1, 1}}});
        builder.setOrigin({LayerId{1}, 0});
        Lowering lowering(builder, {.origin = builder.origin(),
                                    .name = "it",
                                    .attributes = completed(attributes, kind.info.attributes),
                                    .inputs = {{"x", mapped}},
                                    .mode = Mode::train,
                                    .batch = 2});
        kind.lower(lowering);
        std::vector<ValueId> terms;
        for (const auto& [port, value] : lowering.outputs()) {
            if (port != "energy") {
                const ValueId pull = builder.addFeed("pull " + port, FeedKind::data, DType::f64,
                                                     builder.shape(value));
                terms.push_back(builder.add("sum_all", {builder.add("multiply", {value, pull})}));
            }
        }
        loss_ = builder.add("add", terms);
        graph_.results.push_back({"loss", ResultKind::total, loss_, {}});
        refusals_ = lowering.refusals().size() + builder.takeRefusals().size();
        differentiate(graph_, lowerings_.ops(), loss_);
        verify(graph_);
    }

    [[nodiscard]] bool isRefused() const { return refusals_ > 0; }
    [[nodiscard]] ValueId gradient() const { return graph_.gradientOf(graph_.at(filters_).value); }

    /// Returns the error of the filters' gradient, relative to its largest number.
    double largestError() {
        const ValueId weight = graph_.at(filters_).value;
        const auto values = evaluate(graph_, oracle_, {});
        const Tensor& at = values.at(weight);
        const Tensor& computed = values.at(gradient());
        double largest = 0;
        double worst = 0;
        for (std::int64_t k = 0; k < at.elements(); ++k) {
            const double step = 1e-6;
            const double slope =
                (lossAt(weight, at, k, step) - lossAt(weight, at, k, -step)) / (2 * step);
            largest = std::max(largest, std::abs(slope));
            worst = std::max(worst, std::abs(slope - computed.at(k)));
        }
        return largest > 0 ? worst / largest : 1;
    }

private:
    double lossAt(ValueId weight, Tensor at, std::int64_t k, double by) {
        at.set(k, at.at(k) + by);
        return evaluate(graph_, oracle_, {{weight, at}}).at(loss_).at(0);
    }

    Lowerings lowerings_;
    Oracle oracle_;
    Graph graph_;
    SlotId filters_;
    ValueId loss_;
    std::size_t refusals_ = 0;
};

Attributes through(Attributes attributes) {
    attributes.set("gradient", std::string("through"));
    return attributes;
}

} // namespace

class TestLcaGradient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreesWithCentralDifferences_data() {
        QTest::addColumn<Attributes>("attributes");
        QTest::newRow("as it was left") << through({});
        QTest::newRow("from rest") << through({{"start", std::string("rest")}});
        QTest::newRow("a ramp") << through({{"transfer", std::string("firm")}, {"width", 0.4}});
        QTest::newRow("momentum") << through(
            {{"variant", std::string("momentum")}, {"momentum_rate", 0.3}});
        QTest::newRow("ista") << through({{"variant", std::string("ista")}});
        // Steps adapt between their least and most: a gradient takes them as they were.
        QTest::newRow("steps that adapt") << through(
            {{"step_rule", std::string("basic")}, {"base_minimum", 0.3}, {"base_maximum", 0.3}});
        QTest::newRow("without itself") << through({{"self_interaction", false}});
        QTest::newRow("a dictionary per element") << through({{"per_element", true}});
        QTest::newRow("a dictionary per pixel") << through({{"per_position", true}});
        QTest::newRow("a dictionary per element and pixel")
            << through({{"per_element", true}, {"per_position", true}});
    }
    void agreesWithCentralDifferences() {
        QFETCH(Attributes, attributes);
        Pulled pulled(attributes);
        QVERIFY(!pulled.isRefused());
        QVERIFY(!pulled.gradient().isNone());
        const double error = pulled.largestError();
        QVERIFY2(error < 1e-6, qPrintable(QString::number(error)));
    }

    void stopsWhereItIsToldTo() {
        for (const char* start : {"warm", "rest"}) {
            Pulled pulled({{"start", std::string(start)}});
            QVERIFY(!pulled.isRefused());
            QVERIFY2(pulled.gradient().isNone(), start);
        }
    }
};

std::unique_ptr<QObject> makeTestLcaGradient() { return std::make_unique<TestLcaGradient>(); }
#include "tst_lca_gradient.moc"
