// SPDX-License-Identifier: Apache-2.0
// Every op keeps what its declaration promises: it is complete, its kernel fills the shapes that it
// infers and nothing else, it works in place where it says so, expands into what it is, and refuses
// what does not fit.

#include "graph/broadcast.h"
#include "graph/builder.h"
#include "support/op_case.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

using namespace weft;
using namespace weft::test;

namespace {

QByteArray sentence(const std::string& text) { return QByteArray::fromStdString(text); }

/// Rounding of one operation of that type.
double epsilonOf(DType dtype) { return dtype == DType::f32 ? 6e-8 : 1.2e-16; }

/// Two ways to the same numbers: sums of so many terms, in another order.
double toleranceFor(DType dtype, std::int64_t length, const Tensor& expected) {
    return epsilonOf(dtype) * static_cast<double>(length + 16) *
           std::max(1.0, largestMagnitude(expected));
}

/// The same numbers in double.
OpCase widened(OpCase one) {
    for (Tensor& input : one.inputs) {
        input = isFloating(input.dtype) ? input.as(DType::f64) : input;
    }
    for (TensorType& output : one.outputs) {
        output.dtype = isFloating(output.dtype) ? DType::f64 : output.dtype;
    }
    return one;
}

} // namespace

class TestOps : public QObject {
    Q_OBJECT

    OpList ops_ = allOps();
    Oracle oracle_;

    void rowPerOp() const {
        QTest::addColumn<QString>("name");
        for (const Op* op : ops_.all()) {
            QTest::newRow(op->name.c_str()) << QString::fromStdString(op->name);
        }
    }

    /// Every sample of the op; what it throws is this test's failure.
    template <class Visit>
    void eachCase(const QString& name, DType floating, const Visit& visit) {
        const Op& op = ops_.at(name.toStdString());
        try {
            for (std::size_t k = 0; !op.bodied && k < op.samples.size(); ++k) {
                visit(makeCase(ops_, op, k, oracle_, floating));
            }
        } catch (const std::exception& error) {
            QFAIL(error.what());
        }
    }

    std::vector<Tensor> run(const OpCase& one, const RunOptions& options = {}) {
        return oracle_.run(one.op->name, one.attributes, one.inputs, one.outputs, options);
    }

    void tryShapes(const Op& op, Signature signature) {
        signature.outputs.assign(op.outputs.size(), {DType::f32, {}});
        ShapeInference inference(signature);
        op.shape(inference);
        if (inference.isRefused()) {
            QVERIFY2(inference.reason().back() != '.' && inference.reason().back() != '\n',
                     sentence(inference.reason()));
            QVERIFY(inference.refusedInput() < std::max<std::size_t>(1, signature.inputs.size()));
            return;
        }
        for (const TensorType& output : signature.outputs) {
            QVERIFY2(std::ranges::all_of(output.shape, [](std::int64_t size) { return size > 0; }),
                     sentence(op.name + " makes " + toString(output.shape)));
        }
    }

    void compareShared(const OpCase& one, const std::vector<Tensor>& apart,
                       std::vector<InPlacePair> pairs) {
        const auto shared = run(one, {.inPlace = std::move(pairs)});
        for (std::size_t k = 0; k < apart.size(); ++k) {
            QVERIFY2(apart[k].bytes == shared[k].bytes, sentence(one.name));
        }
    }

    /// True when the op expands for that letter.
    bool compareExpansion(const OpCase& one, const std::string& letter) {
        Graph graph;
        Builder builder(graph, ops_);
        std::vector<ValueId> feeds;
        std::map<ValueId, Tensor> given;
        feeds.reserve(one.inputs.size());
        for (const Tensor& input : one.inputs) {
            feeds.push_back(builder.addFeed("x" + std::to_string(feeds.size()), FeedKind::data,
                                            input.dtype, input.shape));
            given[feeds.back()] = input;
        }
        const auto fused = builder.addAll(one.op->name, feeds, one.attributes);
        const Node node = graph.nodes.back(); // a copy: the graph grows below
        Expansion expansion(builder, node, letter);
        one.op->expand(expansion);
        const auto& parts = expansion.results();
        if (std::ranges::all_of(parts, &ValueId::isNone)) {
            return false;
        }
        const auto values = evaluate(graph, oracle_, given);
        for (std::size_t k = 0; k < fused.size(); ++k) {
            if (parts[k].isNone() || !builder.takeRefusals().empty() ||
                graph.at(parts[k]).dtype != graph.at(fused[k]).dtype) {
                QTest::qFail("an expansion gives every result, of its type", __FILE__, __LINE__);
                return true;
            }
            const Tensor& expected = values.at(fused[k]);
            const double difference = largestDifference(values.at(parts[k]), expected);
            if (difference > 8 * toleranceFor(DType::f64, contractionLength(one), expected)) {
                QTest::qFail(sentence(one.name + " over " + letter + " differs by " +
                                      std::to_string(difference)),
                             __FILE__, __LINE__);
            }
        }
        return true;
    }

private Q_SLOTS:
    void isComplete_data() { rowPerOp(); }
    void isComplete() {
        QFETCH(QString, name);
        const Op& op = ops_.at(name.toStdString());
        QVERIFY2(!op.outputs.empty() || op.bodied, "has no results");
        QVERIFY2(op.bodied || op.shape, "infers no shape");
        QVERIFY2(op.bodied || op.cost, "has no cost");
        QVERIFY2(op.bodied || op.placementOf || !op.placement.empty(), "has no placement");
        QVERIFY2(op.bodied || !op.samples.empty(), "has no samples");
        std::set<std::string> names;
        for (const AttributeSpec& attribute : op.attributes) {
            QVERIFY2(!attribute.help.empty(), sentence(attribute.name + " has no help"));
            QVERIFY2(names.insert(attribute.name).second, sentence(attribute.name));
        }
        for (const Sample& sample : op.samples) {
            for (const auto& [attribute, value] : sample.attributes.entries()) {
                QVERIFY2(names.contains(attribute), sentence("a sample sets " + attribute));
            }
        }
        for (const InPlacePair& pair : op.inPlace) {
            QVERIFY(pair.input < op.inputs.size());
            QVERIFY(pair.output < op.outputs.size());
        }
    }

    void saysWhatItComputes_data() { rowPerOp(); }
    void saysWhatItComputes() {
        QFETCH(QString, name);
        const Op& op = ops_.at(name.toStdString());
        QVERIFY2(op.help.size() > 20 && op.help.back() == '.', sentence(op.help));
        for (const Op* other : ops_.all()) {
            QVERIFY2(other == &op || other->help != op.help, sentence("as " + other->name));
        }
    }

    void hasSamplesOfManyNumbers_data() { rowPerOp(); }
    void hasSamplesOfManyNumbers() {
        QFETCH(QString, name);
        const Op& op = ops_.at(name.toStdString());
        bool hasMany = op.bodied;
        bool hasDims = false;
        eachCase(name, DType::f64, [&](const OpCase& one) {
            for (const Tensor& input : one.inputs) {
                hasMany = hasMany || input.elements() > 1;
                hasDims = hasDims || !input.shape.empty();
            }
        });
        QVERIFY2(hasMany || !hasDims, "all samples are of single numbers");
    }

    void fillsWhatItInfers_data() { rowPerOp(); }
    void fillsWhatItInfers() {
        QFETCH(QString, name);
        for (const DType dtype : {DType::f64, DType::f32}) {
            eachCase(name, dtype, [&](const OpCase& one) {
                const auto first = run(one, {.fill = std::byte{0xA5}});
                const auto second = run(one, {.fill = std::byte{0x3C}});
                QCOMPARE(first.size(), one.outputs.size());
                for (std::size_t k = 0; k < first.size(); ++k) {
                    QVERIFY2(first[k].bytes == second[k].bytes,
                             sentence(one.name + " leaves some of " + one.op->outputs[k]));
                }
            });
        }
    }

    void computesInFloatWhatItComputesInDouble_data() { rowPerOp(); }
    void computesInFloatWhatItComputesInDouble() {
        QFETCH(QString, name);
        eachCase(name, DType::f32, [&](const OpCase& one) {
            const auto y = run(one);
            const auto expected = run(widened(one));
            for (std::size_t k = 0; k < y.size(); ++k) {
                const double difference = largestDifference(y[k], expected[k]);
                const double tolerance =
                    isFloating(y[k].dtype)
                        ? toleranceFor(DType::f32, contractionLength(one), expected[k])
                        : 0;
                QVERIFY2(difference <= tolerance,
                         sentence(one.name + " differs by " + std::to_string(difference)));
            }
        });
    }

    void worksInPlaceWhereItSaysSo_data() { rowPerOp(); }
    void worksInPlaceWhereItSaysSo() {
        QFETCH(QString, name);
        eachCase(name, DType::f64, [&](const OpCase& one) {
            const auto apart = run(one);
            std::vector<InPlacePair> all;
            for (const InPlacePair& pair : one.op->inPlace) {
                const Tensor& input = one.inputs[pair.input];
                if (input.shape != apart[pair.output].shape &&
                    broadcastShape(input.shape, apart[pair.output].shape)) {
                    continue; // an operand that is repeated
                }
                QVERIFY2(input.bytes.size() == apart[pair.output].bytes.size(),
                         sentence(one.name + " cannot share buffers of two sizes"));
                compareShared(one, apart, {pair});
                if (std::ranges::none_of(all, [&](const InPlacePair& other) {
                        return other.input == pair.input || other.output == pair.output;
                    })) {
                    all.push_back(pair);
                }
            }
            compareShared(one, apart, all);
        });
    }

    void countsPlausibleFlops_data() { rowPerOp(); }
    void countsPlausibleFlops() {
        QFETCH(QString, name);
        eachCase(name, DType::f64, [&](const OpCase& one) {
            const std::int64_t flops = one.op->cost(one.signature).count;
            const std::int64_t most = 64 * (productOfLetters(one) + 1);
            QVERIFY2(flops >= 0 && flops <= most,
                     sentence(one.name + " counts " + std::to_string(flops)));
            if (flops > 0) {
                return;
            }
            // Without arithmetic it can only move numbers.
            std::set<double> given{0};
            for (const Tensor& input : one.inputs) {
                const auto numbers = input.numbers();
                given.insert(numbers.begin(), numbers.end());
            }
            for (const Tensor& output : run(one)) {
                for (const double number : output.numbers()) {
                    QVERIFY2(given.contains(number), sentence(one.name + " costs nothing"));
                }
            }
        });
    }

    void expandsIntoWhatItIs_data() {
        QTest::addColumn<QString>("name");
        for (const Op* op : ops_.all()) {
            if (op->expand) {
                QTest::newRow(op->name.c_str()) << QString::fromStdString(op->name);
            }
        }
    }
    void expandsIntoWhatItIs() {
        QFETCH(QString, name);
        int expanded = 0;
        eachCase(name, DType::f64, [&](const OpCase& one) {
            for (const std::string& letter : wholeLetters(one)) {
                expanded += compareExpansion(one, letter) ? 1 : 0;
            }
        });
        QVERIFY2(expanded > 0, "no sample was expanded");
    }

    void refusesWhatDoesNotFit_data() { rowPerOp(); }
    void refusesWhatDoesNotFit() {
        QFETCH(QString, name);
        eachCase(name, DType::f64, [&](const OpCase& one) {
            // One dim larger, one dim less, one dim more, no dims, for each operand.
            for (std::size_t k = 0; k < one.signature.inputs.size(); ++k) {
                const Shape shape = one.signature.inputs[k].shape;
                for (std::size_t dim = 0; dim < shape.size(); ++dim) {
                    Signature changed = one.signature;
                    ++changed.inputs[k].shape[dim];
                    tryShapes(*one.op, changed);
                    changed.inputs[k].shape.erase(changed.inputs[k].shape.begin() +
                                                  static_cast<std::ptrdiff_t>(dim));
                    tryShapes(*one.op, changed);
                }
                Signature changed = one.signature;
                changed.inputs[k].shape.push_back(3);
                tryShapes(*one.op, changed);
                changed.inputs[k].shape = {};
                tryShapes(*one.op, changed);
            }
        });
    }

    void survivesAnyShapes_data() { rowPerOp(); }
    void survivesAnyShapes() {
        QFETCH(QString, name);
        const Op& op = ops_.at(name.toStdString());
        for (std::uint64_t trial = 0; !op.bodied && trial < 100; ++trial) {
            Signature signature{.attributes = completed({}, op.attributes)};
            for (std::size_t k = 0; k < op.inputs.size(); ++k) {
                const Tensor dims =
                    drawIntegers(DType::i64, {6}, 6, trial, op.name + std::to_string(k));
                Shape shape;
                for (std::int64_t dim = 0; dim < static_cast<std::int64_t>(dims.at(5)); ++dim) {
                    shape.push_back(1 + static_cast<std::int64_t>(dims.at(dim)));
                }
                const bool isInteger = op.inputs[k].type == OperandType::integer;
                signature.inputs.push_back({isInteger ? DType::i64 : DType::f32, shape});
            }
            tryShapes(op, signature);
        }
    }
};

std::unique_ptr<QObject> makeTestOps() { return std::make_unique<TestOps>(); }

#include "tst_ops.moc"
