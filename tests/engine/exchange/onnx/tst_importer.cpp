// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/npy.h"
#include "engine/exchange/onnx/written_model.h"
#include "support/refusal.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <span>

using namespace weft;
using namespace weft::test;

namespace fs = std::filesystem;

class TestImporter : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] fs::path here() const { return folder_.path().toStdString(); }
    [[nodiscard]] Import importOf(const WrittenModel& model, ImportRequest request = {}) const {
        request.file = here() / "model.onnx";
        model.save(request.file);
        return importOnnx(request);
    }
    /// The kinds of the layers in order: "input conv2d relu".
    [[nodiscard]] static std::string kindsOf(const Import& import) {
        std::string kinds;
        for (const Layer& layer : import.design.network.layers) {
            kinds += (kinds.empty() ? "" : " ") + layer.kind;
        }
        return kinds;
    }
    [[nodiscard]] static bool refuses(const Import& import, const std::string& text) {
        return textOf(import, ImportOutcome::refused).find(text) != std::string::npos;
    }

    /// Convolution, pooling and two dense layers. The flattening is spelled out as PyTorch does it:
    /// by the shape of the value, or with a batch that the exporter fixed.
    [[nodiscard]] static WrittenModel network(std::int64_t batch) {
        WrittenModel model;
        model.input("picture", {batch, 1, 8, 8});
        model.reals("conv1.weight", {3, 1, 3, 3});
        model.reals("conv1.bias", {3});
        model.reals("fc1.weight", {5, 48});
        model.reals("fc1.bias", {5});
        model.reals("matrix", {5, 4});
        model.reals("row", {4});
        WrittenModel::set(model.node("Conv", {"picture", "conv1.weight", "conv1.bias"}, "conv"),
                          "pads", Shape{1, 1, 1, 1});
        model.node("Relu", {"conv"}, "relu");
        onnx::wire::Node& pool = model.node("MaxPool", {"relu"}, "pool");
        WrittenModel::set(pool, "kernel_shape", Shape{2, 2});
        WrittenModel::set(pool, "strides", Shape{2, 2});
        if (batch == 0) {
            model.wholes("zero", {0});
            model.wholes("minus", {-1});
            model.node("Shape", {"pool"}, "shape");
            model.node("Gather", {"shape", "zero"}, "rows");
            model.node("Concat", {"rows", "minus"}, "target");
            WrittenModel::set(model.graph().mutable_node()->at(5), "axis", std::int64_t{0});
        } else {
            model.wholes("target", {batch, 48});
        }
        model.node("Reshape", {"pool", "target"}, "flat");
        WrittenModel::set(model.node("Gemm", {"flat", "fc1.weight", "fc1.bias"}, "fc"), "transB",
                          std::int64_t{1});
        model.node("MatMul", {"fc", "matrix"}, "product");
        model.node("Add", {"product", "row"}, "scores");
        model.output("scores");
        return model;
    }

    /// What the network computes, by plain loops.
    [[nodiscard]] static std::vector<double> scoresOf(const std::vector<float>& picture) {
        const std::vector<float> weight = someNumbers(27, std::string("conv1.weight").size());
        const std::vector<float> bias = someNumbers(3, std::string("conv1.bias").size());
        std::vector<double> flat;
        for (int f = 0; f < 3; ++f) {
            for (int row = 0; row < 4; ++row) {
                for (int column = 0; column < 4; ++column) {
                    double most = 0; // the ReLU goes before the maximum
                    for (int k = 0; k < 4; ++k) {
                        most = std::max(most, convolved(picture, weight, f, 2 * row + k / 2,
                                                        2 * column + k % 2) +
                                                  bias[static_cast<std::size_t>(f)]);
                    }
                    flat.push_back(most);
                }
            }
        }
        const std::vector<float> fc = someNumbers(240, std::string("fc1.weight").size());
        const std::vector<float> shift = someNumbers(5, std::string("fc1.bias").size());
        const std::vector<float> matrix = someNumbers(20, std::string("matrix").size());
        const std::vector<float> row = someNumbers(4, std::string("row").size());
        std::vector<double> scores(row.begin(), row.end());
        for (std::size_t unit = 0; unit < 5; ++unit) {
            double sum = shift[unit];
            for (std::size_t k = 0; k < 48; ++k) {
                sum += flat[k] * fc[unit * 48 + k];
            }
            for (std::size_t score = 0; score < 4; ++score) {
                scores[score] += sum * matrix[unit * 4 + score];
            }
        }
        return scores;
    }
    static double convolved(const std::vector<float>& picture, const std::vector<float>& weight,
                            int filter, int row, int column) {
        double sum = 0;
        for (int dy = 0; dy < 3; ++dy) {
            for (int dx = 0; dx < 3; ++dx) {
                const int y = row + dy - 1;
                const int x = column + dx - 1;
                if (y >= 0 && y < 8 && x >= 0 && x < 8) {
                    sum += static_cast<double>(picture[static_cast<std::size_t>(y * 8 + x)]) *
                           weight[static_cast<std::size_t>(filter * 9 + dy * 3 + dx)];
                }
            }
        }
        return sum;
    }

private Q_SLOTS:
    void aNetworkComputesWhatItsLayersSay_data() {
        QTest::addColumn<int>("batch");
        QTest::newRow("open batch") << 0;
        QTest::newRow("batch fixed by the exporter") << 1;
        QTest::newRow("another one") << 4;
    }
    void aNetworkComputesWhatItsLayersSay() {
        QFETCH(const int, batch);
        const Import import = importOf(network(batch));
        QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
        QCOMPARE(kindsOf(import), std::string("input conv2d relu max_pool2d flatten dense dense"));
        QCOMPARE(import.weights.front().name, std::string("conv1.weight"));
        const std::vector<float> picture = someNumbers(3 * 64);
        const InferenceResult result =
            apply(import, here(), {{.layer = "picture", .shape = {3, 1, 8, 8}, .reals = picture}});
        QCOMPARE(result.outputs.size(), std::size_t{1});
        QCOMPARE(result.outputs.front().name, import.outputs.front().port);
        QCOMPARE(result.outputs.front().shape, (Shape{3, 4}));
        for (std::size_t example = 0; example < 3; ++example) {
            const std::vector<double> expected =
                scoresOf({picture.begin() + static_cast<std::ptrdiff_t>(example * 64),
                          picture.begin() + static_cast<std::ptrdiff_t>((example + 1) * 64)});
            for (std::size_t k = 0; k < 4; ++k) {
                const double given = result.outputs.front().numbers[example * 4 + k];
                QVERIFY2(std::abs(given - expected[k]) < 1e-4,
                         qPrintable(QString("%1 instead of %2").arg(given).arg(expected[k])));
            }
        }
    }

    void theFilesAreADesignAndItsWeights() {
        const Import import = importOf(network(0));
        const fs::path design = writeImport(import, here() / "written");
        QCOMPARE(design.filename().string(), std::string("model.weft"));
        const LoadedDesign loaded = loadDesign(design, catalogue());
        QVERIFY(loaded.diagnostics.empty());
        QVERIFY(std::ranges::all_of(loaded.design.network.layers,
                                    [](const Layer& layer) { return layer.position.has_value(); }));
        // A folder that holds anything is never written into.
        QCOMPARE(codeOf([&] { (void)writeImport(import, here() / "written"); }), ErrorCode::file);
        QVERIFY(fs::exists(here() / "written" / "weights.safetensors"));
    }

    void geluIsRecognised_data() {
        QTest::addColumn<int>("order");
        QTest::newRow("x (1 + erf) / 2") << 0;
        QTest::newRow("(x / 2) (1 + erf)") << 1;
        QTest::newRow("(1 + erf) / 2 x") << 2;
    }
    void geluIsRecognised() {
        QFETCH(const int, order);
        WrittenModel model;
        model.input("x", {0, 6});
        model.reals("root", {}, {1.41421356F});
        model.reals("one", {}, {1});
        model.reals("half", {}, {0.5F});
        model.node("Div", {"x", "root"}, "scaled");
        model.node("Erf", {"scaled"}, "erf");
        model.node("Add", {"erf", "one"}, "sum");
        if (order == 0) {
            model.node("Mul", {"x", "sum"}, "product");
            model.node("Mul", {"product", "half"}, "y");
        } else if (order == 1) {
            model.node("Mul", {"x", "half"}, "product");
            model.node("Mul", {"product", "sum"}, "y");
        } else {
            model.node("Mul", {"sum", "half"}, "product");
            model.node("Mul", {"product", "x"}, "y");
        }
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
        QCOMPARE(kindsOf(import), std::string("input gelu"));
        QCOMPARE(import.linesWith(ImportOutcome::recognised).size(), std::size_t{5});
        const std::vector<float> x = {-2, -1, -0.5F, 0, 0.5F, 3};
        const InferenceResult result =
            apply(import, here(), {{.layer = "x", .shape = {1, 6}, .reals = x}});
        for (std::size_t k = 0; k < x.size(); ++k) {
            const double value = x[k];
            const double expected = value * (1 + std::erf(value / std::sqrt(2.0))) / 2;
            QVERIFY(std::abs(result.outputs.front().numbers[k] - expected) < 1e-5);
        }
    }

    void geluWhosePartsAreReadElsewhereIsNot() {
        WrittenModel model;
        model.input("x", {0, 6});
        model.reals("root", {}, {1.41421356F});
        model.reals("one", {}, {1});
        model.reals("half", {}, {0.5F});
        model.node("Div", {"x", "root"}, "scaled");
        model.node("Erf", {"scaled"}, "erf");
        model.node("Add", {"erf", "one"}, "sum");
        model.node("Mul", {"x", "sum"}, "product");
        model.node("Mul", {"product", "half"}, "y");
        model.output("y");
        model.output("sum");
        const Import import = importOf(model);
        QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
        QCOMPARE(kindsOf(import), std::string("input divide erf add multiply multiply"));
    }

    void layerNormalizationIsRecognised() {
        WrittenModel model;
        model.input("x", {0, 2, 4});
        model.reals("two", {}, {2});
        model.reals("epsilon", {}, {1e-3F});
        model.reals("norm.weight", {4});
        model.reals("norm.bias", {4});
        const auto mean = [&](const char* from, const char* to) {
            WrittenModel::set(model.node("ReduceMean", {from}, to), "axes", Shape{-1});
        };
        mean("x", "mean");
        model.node("Sub", {"x", "mean"}, "deviation");
        model.node("Pow", {"deviation", "two"}, "squares");
        mean("squares", "variance");
        model.node("Add", {"variance", "epsilon"}, "sum");
        model.node("Sqrt", {"sum"}, "root");
        model.node("Div", {"deviation", "root"}, "normal");
        model.node("Mul", {"normal", "norm.weight"}, "scaled");
        model.node("Add", {"scaled", "norm.bias"}, "y");
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
        QCOMPARE(kindsOf(import), std::string("input layer_norm"));
        QCOMPARE(import.weights.front().name, std::string("norm.weight"));
        const std::vector<float> x = someNumbers(8, 5);
        const InferenceResult result =
            apply(import, here(), {{.layer = "x", .shape = {1, 2, 4}, .reals = x}});
        const std::vector<float> scale = someNumbers(4, 11);
        const std::vector<float> shift = someNumbers(4, 9);
        for (std::size_t k = 0; k < 8; ++k) {
            const std::size_t row = k / 4 * 4;
            const double middle = (x[row] + x[row + 1] + x[row + 2] + x[row + 3]) / 4.0;
            double variance = 0;
            for (std::size_t i = row; i < row + 4; ++i) {
                variance += (x[i] - middle) * (x[i] - middle) / 4;
            }
            const double expected =
                (x[k] - middle) / std::sqrt(variance + 1e-3) * scale[k % 4] + shift[k % 4];
            QVERIFY(std::abs(result.outputs.front().numbers[k] - expected) < 1e-4);
        }
    }

    void slopesOfPReluAreOneOrPerChannel() {
        const auto importWith = [this](const Shape& slopes) {
            WrittenModel model;
            model.input("x", {0, 3, 2, 3});
            model.reals("act.weight", slopes);
            model.node("PRelu", {"x", "act.weight"}, "y");
            model.output("y");
            return importOf(model);
        };
        const std::vector<float> x = someNumbers(18, 5);
        for (const Shape& slopes : {Shape{1}, Shape{3, 1, 1}, Shape{1, 3, 1, 1}}) {
            const Import import = importWith(slopes);
            QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
            QCOMPARE(kindsOf(import), std::string("input prelu"));
            QCOMPARE(import.weights.front().name, std::string("act.weight"));
            const std::vector<float>& slope = import.weights.front().numbers;
            const InferenceResult result =
                apply(import, here(), {{.layer = "x", .shape = {1, 3, 2, 3}, .reals = x}});
            for (std::size_t k = 0; k < x.size(); ++k) {
                const float factor = x[k] > 0 ? 1 : slope[slope.size() == 1 ? 0 : k / 6];
                QVERIFY(std::abs(result.outputs.front().numbers[k] - factor * x[k]) < 1e-6);
            }
        }
        QVERIFY(refuses(importWith({3}), "one for each channel")); // one for each column
    }

    void pooledPicturesAreFlattenedOnce() {
        WrittenModel model;
        model.input("x", {0, 3, 4, 4});
        model.node("GlobalAveragePool", {"x"}, "pooled");
        model.node("Flatten", {"pooled"}, "y");
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(kindsOf(import), std::string("input global_average_pool"));
        QCOMPARE(import.outputs.front().shape, (Shape{3}));
        model.graph().mutable_node()->RemoveLast();
        model.graph().mutable_output(0)->set_name("pooled");
        const Import whole = importOf(model);
        QCOMPARE(kindsOf(whole), std::string("input average_pool2d"));
        QCOMPARE(whole.outputs.front().shape, (Shape{3, 1, 1}));
    }

    void weightsWithAScaleBecomeNumbers() {
        WrittenModel model;
        model.input("x", {0, 2});
        onnx::wire::Tensor& tensor = *model.graph().add_initializer();
        tensor.set_name("small");
        tensor.set_data_type(3);
        tensor.add_dims(2);
        tensor.add_dims(2);
        tensor.set_raw_data(std::string("\x01\x02\xFE\x04", 4));
        model.reals("scale", {}, {0.25F});
        model.node("DequantizeLinear", {"small", "scale"}, "weight");
        model.node("MatMul", {"x", "weight"}, "y");
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(textOf(import, ImportOutcome::refused), std::string());
        QVERIFY(textOf(import, ImportOutcome::folded).find("INT8 weights with a scale") !=
                std::string::npos);
        QCOMPARE(import.weights.front().numbers, (std::vector<float>{0.25F, -0.5F, 0.5F, 1}));
    }

    void aBiasThatFollowsIsNotScaled() {
        WrittenModel model;
        model.input("x", {0, 2});
        model.reals("w", {2, 2}, {1, 0, 0, 1});
        model.reals("b", {2}, {4, 8});
        onnx::wire::Attribute& beta = *model.node("Gemm", {"x", "w"}, "product").add_attribute();
        beta.set_name("beta");
        beta.set_type(1);
        beta.set_f(0.5F);
        model.node("Add", {"product", "b"}, "y");
        model.output("y");
        const Import import = importOf(model);
        QCOMPARE(kindsOf(import), std::string("input dense"));
        QCOMPARE(import.weights.back().numbers, (std::vector<float>{4, 8}));
    }

    void numbersOfUnknownTypesAreNotRead() {
        WrittenModel model;
        model.input("x", {0, 2});
        model.reals("c", {2}, {1.5F, 2.5F});
        WrittenModel::set(model.node("Cast", {"c"}, "small"), "to", std::int64_t{17}); // FLOAT8
        WrittenModel::set(model.node("Cast", {"small"}, "back"), "to", std::int64_t{1});
        model.node("Add", {"x", "back"}, "y");
        model.output("y");
        QVERIFY(refuses(importOf(model), "it converts to type 17"));
    }

    void everyRefusalIsNamedAtOnce() {
        WrittenModel model;
        model.input("x", {0, 1, 6, 6});
        model.reals("w", {2, 1, 2, 2});
        model.reals("c", {1, 2, 1, 1});
        WrittenModel::set(model.node("Conv", {"x", "w"}, "uneven"), "pads", Shape{0, 0, 2, 1});
        model.node("Relu", {"x"}, "relu");
        model.node("TopK", {"relu"}, "sorted");
        model.node("Mul", {"relu", "c"}, "scaled");
        WrittenModel::set(model.node("Sigmoid", {"relu"}, "odd"), "surprise", std::int64_t{1});
        model.node("Ask", {"relu"}, "foreign").set_domain("com.example");
        model.node("Relu", {"sorted"}, "behind"); // says nothing of its own
        for (const char* name : {"uneven", "scaled", "odd", "foreign", "behind"}) {
            model.output(name);
        }
        const Import import = importOf(model);
        const std::string text = textOf(import, ImportOutcome::refused);
        QCOMPARE(import.linesWith(ImportOutcome::refused).size(), std::size_t{5});
        QVERIFY2(refuses(import, "node /uneven/Conv (Conv): its pads [0, 0, 2, 1]"), text.c_str());
        QVERIFY2(refuses(import, "node /sorted/TopK (TopK): sorts; end the import before it with "
                                 "--until relu"),
                 text.c_str());
        QVERIFY2(refuses(import, "node /scaled/Mul (Mul)"), text.c_str());
        QVERIFY2(refuses(import, "its attributes surprise"), text.c_str());
        QVERIFY2(refuses(import, "domain com.example"), text.c_str());
        QCOMPARE(codeOf([&] { (void)writeImport(import, here() / "refused"); }), ErrorCode::design);
        QVERIFY(!fs::exists(here() / "refused"));
    }

    void theEndCanBeMoved() {
        WrittenModel model;
        model.input("x", {0, 4});
        model.node("Relu", {"x"}, "relu");
        model.node("TopK", {"relu"}, "sorted");
        model.output("sorted");
        for (const char* until : {"relu", "/relu/Relu"}) {
            const Import import = importOf(model, {.until = until});
            QCOMPARE(kindsOf(import), std::string("input relu"));
            QCOMPARE(textOf(import, ImportOutcome::leftOut),
                     std::string("node /sorted/TopK (TopK): no output depends on it\n"));
        }
        QCOMPARE(codeOf([&] { (void)importOf(model, {.until = "nowhere"}); }), ErrorCode::usage);
    }

    void openDimsNeedASize() {
        WrittenModel model;
        model.input("x", {0, 3, 4});
        model.graph()
            .mutable_input(0)
            ->mutable_type()
            ->mutable_tensor_type()
            ->mutable_shape()
            ->mutable_dim(1)
            ->set_dim_param("time");
        model.node("Relu", {"x"}, "y");
        model.output("y");
        QVERIFY(refuses(importOf(model), "--size time=N"));
        QCOMPARE(importOf(model, {.sizes = {{"time", 7}}}).outputs.front().shape, (Shape{7, 4}));
        QCOMPARE(importOf(model, {.sizes = {{"x.1", 7}}}).outputs.front().shape, (Shape{7, 4}));
        QCOMPARE(codeOf([&] {
                     (void)importOf(model, {.sizes = {{"height", 7}}});
                 }),
                 ErrorCode::usage);
    }

    void inputsCanBeMadeConstant() {
        WrittenModel model;
        model.input("x", {0, 3});
        model.input("w", {3, 2});
        model.node("MatMul", {"x", "w"}, "y");
        model.output("y");
        QVERIFY(refuses(importOf(model), "different sizes"));
        const std::vector<float> weight = someNumbers(6);
        writeNpy(here() / "w.npy", DType::f32, {3, 2}, std::as_bytes(std::span(weight)));
        const Import import = importOf(model, {.constants = {{"w", here() / "w.npy"}}});
        QCOMPARE(kindsOf(import), std::string("input dense"));
        QCOMPARE(import.weights.front().shape, (Shape{2, 3}));
    }

    void fieldsThatAreNotReadAreNamed() {
        WrittenModel model;
        model.input("x", {0, 3});
        model.node("Relu", {"x"}, "y");
        model.output("y");
        std::string bytes = model.bytes();
        bytes += std::string("\xA2\x06\x02hi", 5); // field 100 of the model
        std::ofstream(here() / "more.onnx", std::ios::binary) << bytes;
        QVERIFY(textOf(importOnnx({.file = here() / "more.onnx"}), ImportOutcome::remark)
                    .find("field 100 of the model is not read") != std::string::npos);
    }

    void foldedNormalizationIsToldOnce() {
        const std::string text = textOf(importOf(network(0)), ImportOutcome::remark);
        const std::string what = "no BatchNormalization and no Dropout are left";
        QVERIFY(text.find(what) != std::string::npos);
        QCOMPARE(text.find(what), text.rfind(what));
    }

    void damagedModelsAreRefusedByFile_data() {
        QTest::addColumn<QString>("fault");
        for (const char* fault : {"cycle", "order", "twice", "opset", "shape", "overflow"}) {
            QTest::newRow(fault) << fault;
        }
    }
    void damagedModelsAreRefusedByFile() {
        QFETCH(const QString, fault);
        WrittenModel model(fault == "opset" ? 99 : 17);
        model.input("x", {0, 3});
        if (fault == "cycle") {
            model.node("Add", {"x", "b"}, "a");
            model.node("Relu", {"a"}, "b");
            model.output("b");
        } else if (fault == "order") {
            model.node("Relu", {"later"}, "y");
            model.node("Relu", {"x"}, "later");
            model.output("y");
        } else {
            model.node("Relu", {"x"}, "y");
            if (fault == "twice") {
                model.node("Relu", {"x"}, "y");
            }
            model.output("y");
        }
        if (fault == "shape") {
            model.reals("w", {1'000'000'000'000}, {1, 2});
        } else if (fault == "overflow") {
            model.reals("w", {std::int64_t{1} << 62, 4, 4}, {1, 2});
        }
        const std::string text = refusalOf([&] { (void)importOf(model); }, ErrorCode::format);
        QVERIFY2(text.find("model.onnx") != std::string::npos, text.c_str());
    }

    void noByteOfAModelCrashesTheImport() {
        const std::string bytes = network(0).bytes();
        // Without the weights' bytes, of which every value is right.
        const std::size_t end = std::min<std::size_t>(bytes.size(), 620);
        const fs::path file = here() / "damaged.onnx";
        for (std::size_t k = 0; k < end; k += 3) {
            std::string damaged = bytes;
            damaged[k] = static_cast<char>(damaged[k] ^ 0x11);
            std::ofstream(file, std::ios::binary) << damaged;
            try {
                (void)reportOf(importOnnx({.file = file}));
            } catch (const Error& error) {
                QVERIFY2(error.code() != ErrorCode::bug, error.what());
            }
        }
    }
};

std::unique_ptr<QObject> makeTestImporter() { return std::make_unique<TestImporter>(); }
#include "tst_importer.moc"
