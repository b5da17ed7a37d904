// SPDX-License-Identifier: Apache-2.0
// Small files that would take much memory or time: each ends with a message. None asserts a time,
// but without the limits these tests would not end.
#include "engine/exchange/onnx/written_model.h"
#include "exchange/onnx/model.h"
#include "exchange/onnx/parse.h"
#include "support/refusal.h"
#include "support/test_main.h"
#include <weft/error.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

using namespace weft;
using namespace weft::test;

namespace fs = std::filesystem;

class TestOnnxLimits : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] fs::path file() const {
        return fs::path(folder_.path().toStdString()) / "m.onnx";
    }
    [[nodiscard]] Import importOf(const WrittenModel& model) const {
        model.save(file());
        return importOnnx({.file = file()});
    }
    [[nodiscard]] std::string refusal(const WrittenModel& model) const {
        return refusalOf([&] { (void)importOf(model); }, ErrorCode::format);
    }
    [[nodiscard]] static std::string numbered(const char* name, std::size_t k) {
        return name + std::to_string(k);
    }
    static bool says(const std::string& text, const char* words) {
        return text.find("m.onnx") != std::string::npos && text.find(words) != std::string::npos;
    }

private Q_SLOTS:
    void nodesAreCounted() {
        WrittenModel model;
        model.input("x", {0, 4});
        for (std::size_t k = 0; k <= onnx::mostNodes; ++k) {
            model.graph().add_node()->add_output(numbered("v", k));
        }
        model.output("v0");
        QVERIFY(says(refusal(model), "200000 of each are the most"));
    }

    void partsAreCountedBeforeTheyAreMade() {
        // Two bytes each in the file, three hundred in memory.
        std::string body;
        for (std::size_t k = 0; k <= onnx::mostParts; ++k) {
            body += std::string("\x2A\x00", 2); // an attribute
        }
        const auto wrapped = [](char tag, const std::string& content) {
            std::string made(1, tag);
            for (std::size_t size = content.size(); true; size >>= 7U) {
                made += static_cast<char>((size & 0x7FU) | (size > 0x7FU ? 0x80U : 0U));
                if (size <= 0x7FU) {
                    return made + content;
                }
            }
        };
        std::ofstream(file(), std::ios::binary)
            << wrapped('\x3A', wrapped('\x0A', body)); // graph, node
        const std::string text =
            refusalOf([&] { (void)importOnnx({.file = file()}); }, ErrorCode::format);
        QVERIFY2(says(text, "more than 2000000 messages and texts"), text.c_str());
    }

    void constantsAreReadSoOftenOnly_data() {
        QTest::addColumn<QString>("op");
        for (const char* op : {"ReduceSum", "Transpose", "ConstantOfShape", "Expand"}) {
            QTest::newRow(op) << op;
        }
    }
    void constantsAreReadSoOftenOnly() {
        QFETCH(const QString, op);
        WrittenModel model;
        model.input("x", {0, 4});
        model.reals("c", {1 << 18}, std::vector<float>(1 << 18, 1));
        model.reals("one", {1}, {1});
        model.wholes("size", {1 << 24});
        for (std::size_t k = 0; k < 100'000; ++k) {
            std::vector<std::string> inputs = {op == "Expand" ? "one" : "c"};
            if (op == "Expand") {
                inputs.emplace_back("size");
            } else if (op == "ConstantOfShape") {
                inputs = {"size"};
            }
            model.node(op.toStdString(), inputs, numbered("v", k));
            model.output(numbered("v", k));
        }
        const std::string text = refusal(model);
        QVERIFY2(says(text, "than 8 numbers per number of the model"), text.c_str());
    }

    void weightsAreUsedSoOftenOnly_data() {
        QTest::addColumn<QString>("op");
        for (const char* op : {"Conv", "MatMul", "Gemm", "LayerNormalization"}) {
            QTest::newRow(op) << op;
        }
    }
    void weightsAreUsedSoOftenOnly() {
        QFETCH(const QString, op);
        const bool isConvolution = op == "Conv";
        WrittenModel model;
        model.input("x", isConvolution ? Shape{0, 512, 1, 1} : Shape{0, 512});
        model.reals("w", isConvolution ? Shape{512, 512, 1, 1} : Shape{512, 512});
        model.reals("s", {512});
        for (std::size_t k = 0; k < 90'000; ++k) {
            model.node(op.toStdString(), {"x", op == "LayerNormalization" ? "s" : "w"},
                       numbered("v", k));
            model.output(numbered("v", k));
        }
        const std::string text = refusal(model);
        QVERIFY2(says(text, "than 8 numbers per number of the model"), text.c_str());
    }

    void dimsAreCounted() {
        WrittenModel model;
        model.input("x", Shape(65, 1));
        model.node("Relu", {"x"}, "y");
        model.output("y");
        QVERIFY(says(refusal(model), "value x has 65 dims; 64 are the most"));

        WrittenModel grown;
        grown.input("x", {0, 4});
        grown.reals("v0", {1});
        grown.wholes("first", {0});
        for (std::size_t k = 0; k < 5'000; ++k) {
            grown.node("Unsqueeze", {numbered("v", k), "first"}, numbered("v", k + 1));
        }
        grown.node("Add", {"x", "v5000"}, "y");
        grown.output("y");
        const Import import = importOf(grown);
        QCOMPARE(textOf(import, ImportOutcome::refused),
                 std::string("node /v64/Unsqueeze (Unsqueeze): its constant result has 65 dims; 64 "
                             "are the most\n"));
    }

    void anEmptyConstantMakesNoLargeOne() {
        WrittenModel model;
        model.input("x", {0, 4});
        model.reals("none", {0, 1 << 27}, {});
        model.graph().mutable_initializer(0)->clear_raw_data();
        model.graph().mutable_initializer(0)->set_raw_data("");
        WrittenModel::set(model.node("ReduceMean", {"none"}, "mean"), "axes", Shape{0});
        model.node("Add", {"x", "mean"}, "y");
        model.output("y");
        const std::string text = textOf(importOf(model), ImportOutcome::refused);
        QVERIFY2(text.find("which is too large") != std::string::npos, text.c_str());
    }

    void anAxisIsSlicedOnce() {
        WrittenModel model;
        model.input("x", {0, 4});
        model.reals("c", {100});
        model.wholes("starts", {50, 50});
        model.wholes("ends", {100, 100});
        model.wholes("axes", {0, 0});
        model.wholes("steps", {10, 10});
        model.node("Slice", {"c", "starts", "ends", "axes", "steps"}, "part");
        model.node("Add", {"x", "part"}, "y");
        model.output("y");
        const std::string text = textOf(importOf(model), ImportOutcome::refused);
        QVERIFY2(text.find("its axes occur twice") != std::string::npos, text.c_str());
    }

    void anEmptyConstantHasNoHugeDims() {
        WrittenModel model;
        model.input("x", {0, 4});
        model.wholes("size", {0, std::int64_t{1} << 62, std::int64_t{1} << 62});
        model.node("ConstantOfShape", {"size"}, "none");
        model.node("Transpose", {"none"}, "turned");
        model.node("Add", {"x", "turned"}, "y");
        model.output("y");
        const std::string text = textOf(importOf(model), ImportOutcome::refused);
        QVERIFY2(text.find("which is too large") != std::string::npos, text.c_str());
    }

    void aModelWithoutAnOutputIsRefused() {
        WrittenModel model;
        model.input("x", {0, 4});
        model.node("Relu", {"x"}, "y");
        QVERIFY(says(refusal(model), "has no output"));
    }

    void aDataFileIsReadFourTimesAtMost() {
        WrittenModel model;
        model.input("x", {0, 2});
        std::ofstream(fs::path(folder_.path().toStdString()) / "w.bin") << std::string(16, 'a');
        for (std::size_t k = 0; k < 6; ++k) {
            onnx::wire::Tensor& tensor = *model.graph().add_initializer();
            tensor.set_name(numbered("w", k));
            tensor.set_data_type(1);
            tensor.add_dims(2);
            tensor.add_dims(2);
            tensor.set_data_location(1);
            onnx::wire::Entry& entry = *tensor.add_external_data();
            entry.set_key("location");
            entry.set_value(k % 2 == 0 ? "w.bin" : "./w.bin");
        }
        model.node("MatMul", {"x", "w0"}, "y");
        model.output("y");
        const std::string text = refusal(model);
        QVERIFY2(says(text, "tensor w4: its data file w.bin is read more than 4 times"),
                 text.c_str());
        model.graph().mutable_initializer()->DeleteSubrange(4, 2);
        QCOMPARE(textOf(importOf(model), ImportOutcome::refused), std::string());
    }
};

std::unique_ptr<QObject> makeTestOnnxLimits() { return std::make_unique<TestOnnxLimits>(); }
#include "tst_onnx_limits.moc"
