// SPDX-License-Identifier: Apache-2.0
// The gradient of every op that has one, built by its rule and evaluated in double, against central
// differences: for each operand in turn, the change of <dy, y> along random directions.

#include "graph/builder.h"
#include "support/op_case.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

/// The op with a gradient for its first result, over feeds.
struct Differentiated {
    Graph graph;
    std::vector<ValueId> feeds;
    std::vector<ValueId> results;
    ValueId dy;
    std::vector<ValueId> dx;
};

} // namespace

class TestGradients : public QObject {
    Q_OBJECT

    OpList ops_ = allOps();
    Oracle oracle_;

    Differentiated differentiate(const OpCase& one) {
        Differentiated made;
        Builder builder(made.graph, ops_);
        builder.setOrigin({LayerId{3}, 0});
        builder.setRole("test");
        std::vector<bool> wanted;
        for (std::size_t k = 0; k < one.inputs.size(); ++k) {
            made.feeds.push_back(builder.addFeed("x" + std::to_string(k), FeedKind::data,
                                                 one.inputs[k].dtype, one.inputs[k].shape));
            wanted.push_back(isFloating(one.inputs[k].dtype));
        }
        made.results = builder.addAll(one.op->name, made.feeds, one.attributes);
        made.dy = builder.addFeed("dy", FeedKind::data, DType::f64, one.outputs[0].shape);
        std::vector<ValueId> dy(made.results.size());
        dy[0] = made.dy;
        const NodeId node{static_cast<std::uint32_t>(made.graph.nodes.size() - 1)};
        Gradient gradient(builder, node, dy, wanted);
        one.op->gradient(gradient);
        made.dx = gradient.results();
        return made;
    }

    /// <dy, y> by the op alone.
    double product(const OpCase& one, const Differentiated& made, const Tensor& dy,
                   const std::vector<Tensor>& inputs) {
        const Node& node = made.graph.nodes.front();
        return dot(dy, oracle_
                           .run(one.op->name, node.attributes, inputs, one.outputs,
                                {.randomKey = randomKeyOf(node, 1)})
                           .front());
    }

    /// d/dt <dy, y(x + t u)> at t = 0, by four points: exact to the fourth order.
    double difference(const OpCase& one, const Differentiated& made, const Tensor& dy,
                      std::size_t operand, const Tensor& direction) {
        constexpr double step = 1e-5;
        const auto at = [&](double t) {
            std::vector<Tensor> inputs = one.inputs;
            for (std::int64_t e = 0; e < direction.elements(); ++e) {
                inputs[operand].set(e, inputs[operand].at(e) + t * direction.at(e));
            }
            return product(one, made, dy, inputs);
        };
        return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
    }

    void compare(const OpCase& one, const Differentiated& made, std::size_t operand) {
        const Tensor dy = drawNormal(DType::f64, one.outputs[0].shape, 7, one.name + " dy");
        std::map<ValueId, Tensor> given{{made.dy, dy}};
        for (std::size_t k = 0; k < one.inputs.size(); ++k) {
            given[made.feeds[k]] = one.inputs[k];
        }
        const auto values = evaluate(made.graph, oracle_, given);
        const Tensor& dx = values.at(made.dx[operand]);
        for (std::uint64_t trial = 0; trial < 3; ++trial) {
            const Tensor direction = drawNormal(DType::f64, one.inputs[operand].shape, 100 + trial,
                                                one.name + " direction");
            const double expected = difference(one, made, dy, operand, direction);
            const double found = dot(dx, direction);
            // Rounding of <dy, y> over the step, and what is left of the fifth order.
            double scale = std::abs(product(one, made, dy, one.inputs)) + 1;
            for (std::int64_t e = 0; e < dx.elements(); ++e) {
                scale += std::abs(dx.at(e) * direction.at(e));
            }
            QVERIFY2(std::abs(found - expected) <= 1e-9 * scale,
                     QByteArray::fromStdString(
                         one.name + ", operand " +
                         one.op->inputs[std::min(operand, one.op->inputs.size() - 1)].name +
                         ": gradient " + std::to_string(found) + ", difference " +
                         std::to_string(expected)));
        }
    }

    /// Between two draws of an operand, the others being those of the first.
    std::map<ValueId, Tensor> valuesBetween(const OpCase& one, const OpCase& other,
                                            const Differentiated& made, std::size_t operand,
                                            double share) {
        std::map<ValueId, Tensor> given{
            {made.dy, drawNormal(DType::f64, one.outputs[0].shape, 7, one.name + " dy")}};
        for (std::size_t k = 0; k < one.inputs.size(); ++k) {
            given[made.feeds[k]] = one.inputs[k];
        }
        Tensor& moved = given[made.feeds[operand]];
        for (std::int64_t e = 0; e < moved.elements(); ++e) {
            moved.set(e, (1 - share) * one.inputs[operand].at(e) +
                             share * other.inputs[operand].at(e));
        }
        return evaluate(made.graph, oracle_, given);
    }

    /// The values on both sides of a jump of the gradient between two draws; none: it has no jump.
    std::vector<std::map<ValueId, Tensor>> jumpOf(const OpCase& one, const OpCase& other,
                                                  const Differentiated& made, std::size_t operand) {
        constexpr int looks = 16;
        const ValueId dx = made.dx[operand];
        const auto valuesAt = [&](double share) {
            return valuesBetween(one, other, made, operand, share);
        };
        const auto change = [&](const auto& a, const auto& b) {
            return largestDifference(a.at(dx), b.at(dx));
        };
        double begin = 0;
        double most = -1;
        auto before = valuesAt(0);
        for (int look = 1; look <= looks; ++look) {
            auto next = valuesAt(static_cast<double>(look) / looks);
            if (change(before, next) > most) {
                most = change(before, next);
                begin = (look - 1.0) / looks;
            }
            before = std::move(next);
        }
        // If the function is smooth, the change shrinks with the distance of the two points.
        auto a = valuesAt(begin);
        auto b = valuesAt(begin + 1.0 / looks);
        for (double width = 0.5 / looks; width > 1e-9; width /= 2) {
            auto middle = valuesAt(begin + width);
            if (change(a, middle) > change(middle, b)) {
                b = std::move(middle);
            } else {
                a = std::move(middle);
                begin += width;
            }
        }
        if (change(a, b) <= 1e-6 * (1 + largestMagnitude(a.at(dx)))) {
            return {};
        }
        return {std::move(a), std::move(b)};
    }

    /// Returns true if the op's declared choice distinguishes the two sides of the jump.
    static bool isTold(const OpCase& one, const Differentiated& made,
                       const std::vector<std::map<ValueId, Tensor>>& sides) {
        const PiecewiseGradient& choice = *one.op->choice;
        const ValueId read = (choice.isOperand ? made.feeds : made.results)[choice.index];
        const Tensor& a = sides[0].at(read);
        const Tensor& b = sides[1].at(read);
        const auto pieceOf = choice.pieces
                                 ? choice.pieces(made.graph.nodes.front().attributes)
                                 : [](double position) { return static_cast<int>(position); };
        for (std::int64_t e = 0; e < a.elements(); ++e) {
            if (pieceOf(a.at(e)) != pieceOf(b.at(e))) {
                return true;
            }
        }
        return false;
    }

private Q_SLOTS:
    void jumpsOnlyWithADeclaredChoice_data() { agreesWithCentralDifferences_data(); }
    void jumpsOnlyWithADeclaredChoice() {
        QFETCH(QString, name);
        const Op& op = ops_.at(name.toStdString());
        int jumps = 0;
        for (std::size_t k = 0; k < op.samples.size(); ++k) {
            const OpCase one = makeCase(ops_, op, k, oracle_);
            const OpCase other = makeCase(ops_, op, k, oracle_, DType::f64, 2);
            const Differentiated made = differentiate(one);
            for (std::size_t operand = 0; operand < one.inputs.size(); ++operand) {
                if (made.dx[operand].isNone()) {
                    continue;
                }
                if (const auto sides = jumpOf(one, other, made, operand); !sides.empty()) {
                    ++jumps;
                    QVERIFY2(op.choice, qPrintable(QString::fromStdString(
                                            one.name + ": its gradient jumps, and the op "
                                                       "declares no choice")));
                    QVERIFY2(op.choice->isHidden() || isTold(one, made, sides),
                             qPrintable(QString::fromStdString(
                                 one.name + ": what it declares is the same on both sides")));
                }
            }
        }
        QCOMPARE(jumps > 0, op.choice.has_value());
    }

    void agreesWithCentralDifferences_data() {
        QTest::addColumn<QString>("name");
        for (const Op* op : ops_.all()) {
            if (op->gradient && !op->bodied) {
                QTest::newRow(op->name.c_str()) << QString::fromStdString(op->name);
            }
        }
    }
    void agreesWithCentralDifferences() {
        QFETCH(QString, name);
        const Op& op = ops_.at(name.toStdString());
        int compared = 0;
        try {
            for (std::size_t k = 0; k < op.samples.size(); ++k) {
                const OpCase one = makeCase(ops_, op, k, oracle_);
                const Differentiated made = differentiate(one);
                verify(made.graph);
                for (std::size_t operand = 0; operand < one.inputs.size(); ++operand) {
                    if (!made.dx[operand].isNone()) {
                        QCOMPARE(made.graph.at(made.dx[operand]).shape, one.inputs[operand].shape);
                        compare(one, made, operand);
                        ++compared;
                    }
                }
            }
        } catch (const std::exception& error) {
            QFAIL(error.what());
        }
        QVERIFY2(compared > 0, "its rule gives no gradient");
    }

    void givesOnlyWhatIsWanted_data() { agreesWithCentralDifferences_data(); }
    void givesOnlyWhatIsWanted() {
        QFETCH(QString, name);
        const Op& op = ops_.at(name.toStdString());
        const OpCase one = makeCase(ops_, op, 0, oracle_);
        const Differentiated all = differentiate(one);
        const auto isInteger = [&](std::size_t k) { return !isFloating(one.inputs[k].dtype); };
        for (std::size_t wanted = 0; wanted < one.inputs.size(); ++wanted) {
            QVERIFY2(!isInteger(wanted) || all.dx[wanted].isNone(),
                     "an integer operand is given a gradient");
            if (all.dx[wanted].isNone()) {
                continue;
            }
            Graph graph;
            Builder builder(graph, ops_);
            std::vector<ValueId> feeds;
            feeds.reserve(one.inputs.size());
            for (const Tensor& input : one.inputs) {
                feeds.push_back(builder.addFeed("x" + std::to_string(feeds.size()), FeedKind::data,
                                                input.dtype, input.shape));
            }
            const auto results = builder.addAll(op.name, feeds, one.attributes);
            std::vector<ValueId> dy(results.size());
            dy[0] = builder.addFeed("dy", FeedKind::data, DType::f64, one.outputs[0].shape);
            std::vector<bool> wants(feeds.size(), false);
            wants[wanted] = true;
            Gradient gradient(builder, NodeId{0}, dy, wants);
            op.gradient(gradient);
            QVERIFY(builder.takeRefusals().empty());
            QVERIFY2(!gradient.results()[wanted].isNone(),
                     "an operand alone gets no gradient that it gets among others");
        }
    }
};

std::unique_ptr<QObject> makeTestGradients() { return std::make_unique<TestGradients>(); }

#include "tst_gradients.moc"
