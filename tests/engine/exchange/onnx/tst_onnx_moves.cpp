// SPDX-License-Identifier: Apache-2.0
// Operators that rearrange elements, as each opset spells them, and what mixes the batch.
#include "engine/exchange/onnx/written_model.h"
#include "support/test_main.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <functional>
#include <limits>

using namespace weft;
using namespace weft::test;

namespace {

using Names = std::vector<std::string>;

constexpr std::int64_t toTheEnd = std::numeric_limits<std::int64_t>::max();

/// A model of one node that reads x [batch, 4, 2, 3].
struct Case {
    const char* name;
    std::int64_t opset;
    const char* op;
    std::vector<std::pair<const char*, Shape>> attributes =
        {};                         ///< one number of blocksize is no list
    std::vector<Shape> inputs = {}; ///< after x
    const char* kind = "";          ///< layer that is made; empty: none
    Shape rest = {};                ///< first output without the batch
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"reshape", 13, "Reshape", {}, {{0, 2, -1}}, "reshape", {2, 12}},
        {"reshape to features", 13, "Reshape", {}, {{0, -1}}, "flatten", {24}},
        {"unsqueeze by attribute",
         11,
         "Unsqueeze",
         {{"axes", {2, -1}}},
         {},
         "reshape",
         {4, 1, 2, 3, 1}},
        {"unsqueeze by input", 13, "Unsqueeze", {}, {{1}}, "reshape", {1, 4, 2, 3}},
        {"transpose", 13, "Transpose", {{"perm", {0, 3, 1, 2}}}, {}, "transpose", {3, 4, 2}},
        {"slice by attributes",
         9,
         "Slice",
         {{"axes", {1, 3}}, {"starts", {1, 0}}, {"ends", {toTheEnd, -1}}},
         {},
         "slice",
         {3, 2, 2}},
        {"slice by inputs", 13, "Slice", {}, {{1}, {3}, {1}}, "slice", {2, 2, 3}},
        {"slice backwards", 13, "Slice", {}, {{-1}, {-toTheEnd}, {3}, {-1}}, "slice", {4, 2, 3}},
        {"slice the whole batch", 13, "Slice", {}, {{0}, {toTheEnd}, {0}}, "", {4, 2, 3}},
        {"pad by attribute", 10, "Pad", {{"pads", {0, 0, 1, 0, 0, 0, 0, 2}}}, {}, "pad", {4, 3, 5}},
        {"pad by input", 13, "Pad", {}, {{0, 1, 0, 0, 0, 1, 0, 0}}, "pad", {6, 2, 3}},
        {"pad nothing", 13, "Pad", {}, {Shape(8, 0)}, "", {4, 2, 3}},
        {"tile", 13, "Tile", {}, {{1, 2, 1, 3}}, "tile", {8, 2, 9}},
        {"depth to space",
         13,
         "DepthToSpace",
         {{"blocksize", {2}}},
         {},
         "depth_to_space",
         {1, 4, 6}},
        {"expand nothing", 13, "Expand", {}, {{4, 2, 3}}, "", {4, 2, 3}},
    };
    return all;
}

WrittenModel modelOf(const Case& one) {
    WrittenModel model(one.opset);
    model.input("x", {0, 4, 2, 3});
    Names inputs{"x"};
    for (const Shape& numbers : one.inputs) {
        inputs.push_back("input" + std::to_string(inputs.size()));
        model.wholes(inputs.back(), numbers);
    }
    auto& node = model.node(one.op, inputs, "y");
    for (const auto& [name, values] : one.attributes) {
        if (std::string(name) == "blocksize") {
            WrittenModel::set(node, name, values.front());
        } else {
            WrittenModel::set(node, name, values);
        }
    }
    model.node("Relu", {"y"}, "z");
    model.output("z");
    return model;
}

} // namespace

class TestOnnxMoves : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] std::filesystem::path here() const { return folder_.path().toStdString(); }
    [[nodiscard]] Import importOf(const WrittenModel& model) const {
        model.save(here() / "model.onnx");
        return importOnnx({.file = here() / "model.onnx"});
    }

private Q_SLOTS:
    void everySpellingBecomesALayer_data() {
        QTest::addColumn<int>("number");
        for (std::size_t k = 0; k < cases().size(); ++k) {
            QTest::newRow(cases()[k].name) << static_cast<int>(k);
        }
    }
    void everySpellingBecomesALayer() {
        QFETCH(const int, number);
        const Case& one = cases()[static_cast<std::size_t>(number)];
        const Import import = importOf(modelOf(one));
        const std::string refused = textOf(import, ImportOutcome::refused);
        QVERIFY2(refused.empty(), refused.c_str());
        const auto& layers = import.design.network.layers;
        QCOMPARE(layers.size(), one.kind == std::string() ? 2 : 3);
        QCOMPARE(layers[layers.size() - 2].kind, one.kind == std::string() ? "input" : one.kind);
        QCOMPARE(toString(import.outputs.front().shape), toString(one.rest));
    }

    void splitHasAnOutputForEachPart_data() {
        QTest::addColumn<int>("opset");
        for (const int opset : {11, 13, 18}) {
            QTest::addRow("opset %d", opset) << opset;
        }
    }
    void splitHasAnOutputForEachPart() {
        QFETCH(const int, opset);
        WrittenModel model(opset);
        model.input("x", {0, 5});
        auto& node = model.node("Split", {"x"}, "a");
        node.add_output("b");
        WrittenModel::set(node, "axis", std::int64_t{1});
        if (opset == 11) {
            WrittenModel::set(node, "split", Shape{3, 2});
        } else if (opset == 13) {
            model.wholes("sizes", {3, 2});
            node.add_input("sizes");
        } else {
            WrittenModel::set(node, "num_outputs", std::int64_t{2});
        }
        model.output("a");
        model.output("b");
        const Import import = importOf(model);
        QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
        const InferenceResult result =
            apply(import, here(), {{.layer = "x", .shape = {1, 5}, .reals = {1, 2, 3, 4, 5}}});
        QCOMPARE(result.outputs.size(), 2);
        QCOMPARE(result.outputs[0].numbers, (std::vector<float>{1, 2, 3}));
        QCOMPARE(result.outputs[1].numbers, (std::vector<float>{4, 5}));
    }

    void theBatchStays_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("reason");
        QTest::newRow("Reshape") << "Reshape"
                                 << "moves the batch";
        QTest::newRow("Unsqueeze") << "Unsqueeze"
                                   << "moves the batch";
        QTest::newRow("Transpose") << "Transpose"
                                   << "and so the batch";
        QTest::newRow("Slice") << "Slice"
                               << "a part of the batch";
        QTest::newRow("Split") << "Split"
                               << "divides the batch";
        QTest::newRow("Pad") << "Pad"
                             << "pads the batch";
        QTest::newRow("Tile") << "Tile"
                              << "repeats the batch";
        QTest::newRow("Expand") << "Expand"
                                << "before the batch";
    }
    void theBatchStays() {
        QFETCH(const QString, op);
        QFETCH(const QString, reason);
        WrittenModel model(13);
        model.input("x", {0, 4});
        model.wholes("numbers", op == "Reshape"     ? Shape{4, -1}
                                : op == "Unsqueeze" ? Shape{0}
                                : op == "Pad"       ? Shape{1, 0, 0, 0}
                                : op == "Tile"      ? Shape{2, 1}
                                                    : Shape{2, 1, 4});
        model.wholes("start", {0});
        model.wholes("end", {1});
        const bool readsNumbers = op != "Transpose" && op != "Split" && op != "Slice";
        auto& node = model.node(op.toStdString(),
                                readsNumbers    ? Names{"x", "numbers"}
                                : op == "Slice" ? Names{"x", "start", "end"}
                                                : Names{"x"},
                                "y");
        if (op == "Transpose") {
            WrittenModel::set(node, "perm", Shape{1, 0});
        }
        model.output("y");
        const std::string refused = textOf(importOf(model), ImportOutcome::refused);
        QVERIFY2(QString::fromStdString(refused).contains(reason), refused.c_str());
    }
};

std::unique_ptr<QObject> makeTestOnnxMoves() { return std::make_unique<TestOnnxMoves>(); }

#include "tst_onnx_moves.moc"
