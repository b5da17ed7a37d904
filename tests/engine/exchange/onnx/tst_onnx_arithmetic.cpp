// SPDX-License-Identifier: Apache-2.0
// Operators of two operands, with constants and broadcasting, and reductions.
#include "engine/exchange/onnx/written_model.h"
#include "support/test_main.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

using namespace weft;
using namespace weft::test;

class TestOnnxArithmetic : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] std::filesystem::path here() const { return folder_.path().toStdString(); }
    [[nodiscard]] Import importOf(const WrittenModel& model) const {
        model.save(here() / "model.onnx");
        return importOnnx({.file = here() / "model.onnx"});
    }
    static std::string lastKind(const Import& import) {
        return import.design.network.layers.back().kind;
    }

    /// Compares what a model computes for x [batch 2, 3, 2, 2], or for x and z, with a formula of
    /// (x, z, channel).
    void compare(const Import& import, bool readsZ,
                 const std::function<double(double, double, std::size_t)>& formula) {
        QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
        std::vector<float> x = someNumbers(24, 3);
        std::vector<float> z = someNumbers(24, 8);
        for (std::size_t k = 0; k < z.size(); ++k) {
            z[k] += 2; // a divisor
        }
        std::vector<GivenInput> inputs = {{.layer = "x", .shape = {2, 3, 2, 2}, .reals = x}};
        if (readsZ) {
            inputs.push_back({.layer = "z", .shape = {2, 3, 2, 2}, .reals = z});
        }
        const InferenceResult result = apply(import, here(), inputs);
        for (std::size_t k = 0; k < x.size(); ++k) {
            const double expected = formula(x[k], z[k], k / 4 % 3);
            const double given = result.outputs.front().numbers[k];
            QVERIFY2(given == expected || std::abs(given - expected) < 1e-5,
                     qPrintable(QString("%1 instead of %2").arg(given).arg(expected)));
        }
    }

    static double computed(const QString& op, double a, double b) {
        return op == "Add"       ? a + b
               : op == "Sub"     ? a - b
               : op == "Mul"     ? a * b
               : op == "Div"     ? a / b
               : op == "Max"     ? std::max(a, b)
               : op == "Min"     ? std::min(a, b)
               : op == "Pow"     ? std::pow(a, b)
               : op == "Less"    ? static_cast<double>(a < b)
               : op == "Greater" ? static_cast<double>(a > b)
               : op == "Equal"   ? static_cast<double>(a == b)
               : op == "And"     ? static_cast<double>(a != 0 && b != 0)
                                 : static_cast<double>(a != 0 || b != 0);
    }

    static double reduced(const QString& op, const std::array<double, 3>& x) {
        double exponentials = 0;
        for (const double one : x) {
            exponentials += std::exp(one);
        }
        return op == "ReduceSum"    ? x[0] + x[1] + x[2]
               : op == "ReduceMean" ? (x[0] + x[1] + x[2]) / 3
               : op == "ReduceMax"  ? std::max({x[0], x[1], x[2]})
               : op == "ReduceMin"  ? std::min({x[0], x[1], x[2]})
               : op == "ReduceProd" ? x[0] * x[1] * x[2]
               : op == "ReduceL1"   ? std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2])
               : op == "ReduceL2"   ? std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
                                    : std::log(exponentials);
    }

private Q_SLOTS:
    void constantsPerChannelAreConvolutions_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<bool>("isFirst");
        for (const char* op : {"Add", "Sub", "Mul", "Div"}) {
            QTest::addRow("x %s channels", op) << op << false;
            if (op != std::string("Div")) {
                QTest::addRow("channels %s x", op) << op << true;
            }
        }
    }
    void constantsPerChannelAreConvolutions() {
        QFETCH(const QString, op);
        QFETCH(const bool, isFirst);
        const std::vector<float> c{2, -3, 0.5F};
        WrittenModel model;
        model.input("x", {0, 3, 2, 2});
        model.reals("scale.weight", {3, 1, 1}, c);
        using Names = std::vector<std::string>;
        model.node(op.toStdString(),
                   isFirst ? Names{"scale.weight", "x"} : Names{"x", "scale.weight"}, "y");
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(lastKind(import), std::string("conv2d"));
        QCOMPARE(import.design.network.layers.back().name, std::string("scale"));
        compare(import, false, [&](double x, double, std::size_t channel) {
            const double number = c[channel];
            return op == "Add"   ? x + number
                   : op == "Mul" ? x * number
                   : op == "Div" ? x / number
                   : isFirst     ? number - x
                                 : x - number;
        });
    }

    void aConstantNumberIsAnAttribute_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<bool>("isFirst");
        QTest::addColumn<QString>("kind");
        const auto row = [](const char* op, const char* kind) {
            QTest::addRow("x %s 2", op) << op << false << kind;
            QTest::addRow("2 %s x", op) << op << true << kind;
        };
        row("Add", "add");
        row("Sub", "subtract");
        row("Mul", "multiply");
        row("Div", "divide");
        row("Max", "maximum");
        row("Min", "minimum");
        row("Less", "less");
        row("Greater", "greater");
        QTest::addRow("2 Pow x") << "Pow" << true << "pow";
        QTest::addRow("x Pow 2") << "Pow" << false << "power";
    }
    void aConstantNumberIsAnAttribute() {
        QFETCH(const QString, op);
        QFETCH(const bool, isFirst);
        QFETCH(const QString, kind);
        WrittenModel model;
        model.input("x", {0, 3, 2, 2});
        model.reals("two", {}, {2});
        using Names = std::vector<std::string>;
        model.node(op.toStdString(), isFirst ? Names{"two", "x"} : Names{"x", "two"}, "y");
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(lastKind(import), kind.toStdString());
        compare(import, false, [&](double x, double, std::size_t) {
            return computed(op, isFirst ? 2 : x, isFirst ? x : 2);
        });
    }

    void operandsAreBroadcast_data() {
        QTest::addColumn<QString>("op");
        for (const char* op :
             {"Add", "Sub", "Mul", "Div", "Max", "Min", "Less", "Greater", "Equal", "And", "Or"}) {
            QTest::newRow(op) << op;
        }
    }
    void operandsAreBroadcast() {
        QFETCH(const QString, op);
        const std::vector<float> x = someNumbers(24, 3);
        std::vector<float> z = someNumbers(6, 8);
        for (std::size_t k = 0; k < z.size(); ++k) {
            z[k] = k == 1 ? 0 : z[k] + 2;
        }
        for (const bool isTurned : {false, true}) {
            WrittenModel model;
            model.input("x", {0, 3, 2, 2});
            model.input("z", {0, 3, 1, 1});
            using Names = std::vector<std::string>;
            model.node(op.toStdString(), isTurned ? Names{"z", "x"} : Names{"x", "z"}, "y");
            model.output("y");
            const Import import = importOf(model);
            QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
            const InferenceResult result =
                apply(import, here(),
                      {{.layer = "x", .shape = {2, 3, 2, 2}, .reals = x},
                       {.layer = "z", .shape = {2, 3, 1, 1}, .reals = z}});
            for (std::size_t k = 0; k < x.size(); ++k) {
                const double a = isTurned ? z[k / 4] : x[k];
                const double b = isTurned ? x[k] : z[k / 4];
                if (op == "Div" && b == 0) {
                    continue;
                }
                const double given = result.outputs.front().numbers[k];
                const double expected = computed(op, a, b);
                QVERIFY2(std::abs(given - expected) < 1e-5 * (1 + std::abs(expected)),
                         qPrintable(QString("%1 instead of %2").arg(given).arg(expected)));
            }
        }
    }

    void theBatchIsNotBroadcast() {
        WrittenModel model;
        model.input("x", {0, 3, 2});
        model.input("z", {0, 2});
        model.node("Mul", {"x", "z"}, "y");
        model.output("y");
        QCOMPARE(importOf(model).linesWith(ImportOutcome::refused).size(), std::size_t{1});
    }

    void whereChoosesByAConditionOfTheModel() {
        WrittenModel model;
        model.input("x", {0, 3, 2, 2});
        model.input("z", {0, 3, 2, 2});
        model.reals("lowest", {}, {-1e30F});
        model.node("Less", {"x", "z"}, "less");
        model.node("Not", {"less"}, "condition");
        model.node("Where", {"condition", "x", "z"}, "larger");
        model.node("Where", {"condition", "larger", "lowest"}, "masked");
        model.node("Max", {"masked", "x", "z"}, "y");
        model.output("y");
        compare(importOf(model), true,
                [](double x, double z, std::size_t) { return std::max(x, z); });
    }

    void anInfiniteNumberIsRefused() {
        WrittenModel model;
        model.input("x", {0, 4});
        model.reals("lowest", {}, {-std::numeric_limits<float>::infinity()});
        model.node("Where", {"x", "x", "lowest"}, "y");
        model.output("y");
        QCOMPARE(importOf(model).linesWith(ImportOutcome::refused).size(), std::size_t{1});
    }

    void dimsAreReduced_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<bool>("keepsDims");
        for (const char* op : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd",
                               "ReduceL1", "ReduceL2", "ReduceLogSumExp"}) {
            QTest::addRow("%s", op) << op << false;
            QTest::addRow("%s, keepdims", op) << op << true;
        }
    }
    void dimsAreReduced() {
        QFETCH(const QString, op);
        QFETCH(const bool, keepsDims);
        WrittenModel model(11);
        model.input("x", {0, 3, 4});
        onnx::wire::Node& node = model.node(op.toStdString(), {"x"}, "y");
        WrittenModel::set(node, "axes", Shape{-2});
        WrittenModel::set(node, "keepdims", std::int64_t{keepsDims ? 1 : 0});
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
        QCOMPARE(import.outputs.front().shape, keepsDims ? (Shape{1, 4}) : (Shape{4}));
        const std::vector<float> x = someNumbers(24, 3);
        const InferenceResult result =
            apply(import, here(), {{.layer = "x", .shape = {2, 3, 4}, .reals = x}});
        for (std::size_t k = 0; k < 8; ++k) {
            const std::size_t first = k / 4 * 12 + k % 4;
            const double expected = reduced(op, {x[first], x[first + 4], x[first + 8]});
            const double given = result.outputs.front().numbers[k];
            QVERIFY2(std::abs(given - expected) < 1e-5,
                     qPrintable(QString("%1 instead of %2").arg(given).arg(expected)));
        }
    }

    void theBatchIsNotReduced() {
        for (const Shape& axes : {Shape{0}, Shape{}, Shape{-3, 2}}) {
            WrittenModel model(11);
            model.input("x", {0, 3, 4});
            onnx::wire::Node& node = model.node("ReduceSum", {"x"}, "y");
            if (!axes.empty()) {
                WrittenModel::set(node, "axes", axes);
            }
            model.output("y");
            QCOMPARE(importOf(model).linesWith(ImportOutcome::refused).size(), std::size_t{1});
        }
    }

    void constantsOfOtherShapesAreRefused() {
        for (const Shape& shape : {Shape{3}, Shape{2}, Shape{1, 1, 2}, Shape{3, 2, 2},
                                   Shape{2, 3, 1, 1}, Shape{1, 1, 3, 1, 1}}) {
            WrittenModel model;
            model.input("x", {0, 3, 2, 2});
            model.reals("c", shape);
            model.node("Mul", {"x", "c"}, "y");
            model.output("y");
            QCOMPARE(importOf(model).linesWith(ImportOutcome::refused).size(), std::size_t{1});
        }
    }

    void anOldAxisSaysWhereTheConstantBegins() {
        for (const bool fits : {true, false}) {
            WrittenModel model(6);
            model.input("x", {0, 3, 2, 2});
            model.reals("c", {3}, {1, 2, 3});
            onnx::wire::Node& node = model.node("Add", {"x", "c"}, "y");
            WrittenModel::set(node, "broadcast", std::int64_t{1});
            WrittenModel::set(node, "axis", std::int64_t{fits ? 1 : 0});
            model.output("y");
            const Import import = importOf(model);
            if (fits) {
                compare(import, false,
                        [](double x, double, std::size_t channel) { return x + 1.0 + channel; });
            } else {
                QCOMPARE(import.linesWith(ImportOutcome::refused).size(), std::size_t{1});
            }
        }
    }

    void differencesAndQuotientsOfValues() {
        for (const bool isDifference : {true, false}) {
            WrittenModel model;
            model.input("x", {0, 3, 2, 2});
            model.input("z", {0, 3, 2, 2});
            model.node(isDifference ? "Sub" : "Div", {"x", "z"}, "y");
            model.output("y");
            const Import import = importOf(model);
            QCOMPARE(lastKind(import), std::string(isDifference ? "subtract" : "divide"));
            compare(import, true,
                    [&](double x, double z, std::size_t) { return isDifference ? x - z : x / z; });
        }
    }

    void oneOperandIsEnoughForSomeConstants() {
        const auto kindOf = [&](const char* op, float number, bool isFirst) {
            WrittenModel model;
            model.input("x", {0, 4}); // no picture
            model.reals("c", {}, {number});
            using Names = std::vector<std::string>;
            model.node(op, isFirst ? Names{"c", "x"} : Names{"x", "c"}, "y");
            model.output("y");
            return lastKind(importOf(model));
        };
        QCOMPARE(kindOf("Div", 1, true), std::string("reciprocal"));
        QCOMPARE(kindOf("Sub", 0, true), std::string("neg"));
        QCOMPARE(kindOf("Mul", -1, false), std::string("neg"));
        QCOMPARE(kindOf("Mul", 2, false), std::string("multiply"));
    }

    void powersHaveOneExponent() {
        WrittenModel model;
        model.input("x", {0, 3, 2, 2});
        model.reals("three", {}, {3});
        model.node("Pow", {"x", "three"}, "y");
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(lastKind(import), std::string("power"));
        compare(import, false, [](double x, double, std::size_t) { return x * x * x; });
    }

    void theMaximumOfAPictureIsAWindow() {
        WrittenModel model;
        model.input("x", {0, 3, 2, 2});
        model.node("GlobalMaxPool", {"x"}, "y");
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
        QCOMPARE(import.outputs.front().shape, (Shape{3, 1, 1}));
        const std::vector<float> x = someNumbers(12);
        const InferenceResult result =
            apply(import, here(), {{.layer = "x", .shape = {1, 3, 2, 2}, .reals = x}});
        for (std::size_t k = 0; k < 3; ++k) {
            QCOMPARE(static_cast<float>(result.outputs.front().numbers[k]),
                     *std::max_element(x.begin() + static_cast<std::ptrdiff_t>(4 * k),
                                       x.begin() + static_cast<std::ptrdiff_t>(4 * k + 4)));
        }
    }

    void namesAreThoseOfTheScopes_data() {
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("layer");
        QTest::newRow("scope") << "/encoder/act/Relu"
                               << "encoder.act";
        QTest::newRow("list") << "/layer1/layer1.0/relu/Relu"
                              << "layer1.0.relu";
        QTest::newRow("list in a list") << "/a/a.0/a.0.b/Relu_1"
                                        << "a.0.b";
        QTest::newRow("no list") << "/layer1/layer10/Relu"
                                 << "layer1.layer10";
        QTest::newRow("operator alone") << "/Relu"
                                        << "Relu";
        QTest::newRow("number") << "Relu_3"
                                << "Relu_3";
        QTest::newRow("nothing") << ""
                                 << "relu";
    }
    void namesAreThoseOfTheScopes() {
        QFETCH(const QString, node);
        QFETCH(const QString, layer);
        WrittenModel model;
        model.input("x", {0, 4});
        model.node("Relu", {"x"}, "y").set_name(node.toStdString());
        model.output("y");
        QCOMPARE(importOf(model).design.network.layers.back().name, layer.toStdString());
    }
};

std::unique_ptr<QObject> makeTestOnnxArithmetic() { return std::make_unique<TestOnnxArithmetic>(); }
#include "tst_onnx_arithmetic.moc"
