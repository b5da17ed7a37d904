// SPDX-License-Identifier: Apache-2.0
// Operators that become other layers than those of their name: constants per channel, differences,
// quotients and powers.
#include "engine/exchange/onnx/written_model.h"
#include "support/test_main.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <functional>

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
            QVERIFY2(std::abs(given - expected) < 1e-5,
                     qPrintable(QString("%1 instead of %2").arg(given).arg(expected)));
        }
    }

private Q_SLOTS:
    void constantsPerChannelAreConvolutions_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<bool>("isFirst");
        QTest::addColumn<bool>("isOne"); // one number for all channels
        for (const char* op : {"Add", "Sub", "Mul", "Div"}) {
            for (const bool isOne : {false, true}) {
                QTest::addRow("x %s %s", op, isOne ? "number" : "channels") << op << false << isOne;
                if (op != std::string("Div")) {
                    QTest::addRow("%s %s x", isOne ? "number" : "channels", op)
                        << op << true << isOne;
                }
            }
        }
    }
    void constantsPerChannelAreConvolutions() {
        QFETCH(const QString, op);
        QFETCH(const bool, isFirst);
        QFETCH(const bool, isOne);
        const std::vector<float> c =
            isOne ? std::vector<float>{2} : std::vector<float>{2, -3, 0.5F};
        WrittenModel model;
        model.input("x", {0, 3, 2, 2});
        model.reals("scale.weight", isOne ? Shape{} : Shape{3, 1, 1}, c);
        using Names = std::vector<std::string>;
        model.node(op.toStdString(),
                   isFirst ? Names{"scale.weight", "x"} : Names{"x", "scale.weight"}, "y");
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(lastKind(import), std::string("conv2d"));
        QCOMPARE(import.design.network.layers.back().name, std::string("scale"));
        compare(import, false, [&](double x, double, std::size_t channel) {
            const double number = c[isOne ? 0 : channel];
            return op == "Add"   ? x + number
                   : op == "Mul" ? x * number
                   : op == "Div" ? x / number
                   : isFirst     ? number - x
                                 : x - number;
        });
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
            QCOMPARE(lastKind(import), std::string(isDifference ? "add" : "multiply"));
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
        QCOMPARE(kindOf("Mul", 2, false), std::string("input")); // refused
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
