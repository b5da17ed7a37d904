// SPDX-License-Identifier: Apache-2.0
// A model of another program: imported, applied and checked, as a user does it.
#include "cli/weft_process.h"
#include "data/arrays/npy.h"
#include "exchange/onnx/model.h"
#include "support/test_main.h"
#include <weft/import.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

using namespace weft;
using namespace weft::test;

namespace fs = std::filesystem;

class TestImport : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] QString here() const { return folder_.path(); }
    [[nodiscard]] static fs::path folderOf(const char* name) {
        return fs::path("/usr/share/libonnx-testdata/data") / name;
    }
    [[nodiscard]] static QString modelOf(const char* name) {
        return QString::fromStdString((folderOf(name) / "model.onnx").string());
    }

private Q_SLOTS:
    void initTestCase() {
        if (!readsOnnx()) {
            QSKIP("this build has no ONNX reader");
        }
        if (!fs::exists(folderOf("node"))) {
            QSKIP("no cases: packaging/install installs libonnx-testdata");
        }
    }

    void anImportedModelIsAppliedAndNeedsOnlyDataAndALoss() {
        constexpr const char* name = "pytorch-converted/test_Conv2d_padding";
        const Ended imported =
            test::weft({"import", modelOf(name), "--out", "conv", "--report", "report"}, here());
        QVERIFY2(imported.code == 0, qPrintable(imported.error));
        QVERIFY2(imported.out.contains("weft infer conv/model.weft --weights "
                                       "conv/weights.safetensors"),
                 qPrintable(imported.out));
        QVERIFY(bytesOf(here() + "/report").contains("converted"));

        const fs::path data = folderOf(name) / "test_data_set_0";
        const onnx::Tensor x = onnx::readTensor(data / "input_0.pb");
        writeNpy(folder_.filePath("x.npy").toStdString(), DType::f32, x.shape,
                 std::as_bytes(std::span(x.reals)));
        const Ended applied =
            test::weft({"infer", "conv/model.weft", "--weights", "conv/weights.safetensors",
                        "--input", "x.npy", "--output", "y.npy"},
                       here());
        QVERIFY2(applied.code == 0, qPrintable(applied.error));
        const Array y = readNpy(folder_.filePath("y.npy").toStdString(), DType::f32);
        const onnx::Tensor expected = onnx::readTensor(data / "output_0.pb");
        QCOMPARE(y.shape, expected.shape);
        for (std::size_t k = 0; k < expected.size(); ++k) {
            float given = 0;
            std::memcpy(&given, y.bytes.data() + k * sizeof(given), sizeof(given));
            QVERIFY(std::abs(static_cast<double>(given) - expected.real(k)) < 1e-4);
        }

        const Ended checked = test::weft({"check", "conv/model.weft"}, here());
        const QStringList problems = checked.out.split('\n', Qt::SkipEmptyParts);
        QCOMPARE(checked.code, 3);
        QVERIFY2(problems.size() == 2, qPrintable(checked.out));
        QVERIFY2(problems[0].contains("no source is chosen: choose one of"),
                 qPrintable(checked.out));
        QVERIFY2(problems[1].contains("no loss to minimise: add a softmax_cross_entropy or mse"),
                 qPrintable(checked.out));
    }

    void aRefusedModelLeavesNothing() {
        const Ended ended =
            test::weft({"import", modelOf("node/test_top_k"), "--out", "sorted"}, here());
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.error.contains("(TopK): sorts"), qPrintable(ended.error));
        QVERIFY(!fs::exists(folder_.filePath("sorted").toStdString()));
    }

    void aFileThatIsNoModelIsNamed() {
        writeBytes(here() + "/text.onnx", "no model");
        const Ended ended = test::weft({"import", "text.onnx"}, here());
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("text.onnx") && ended.error.contains("is not an ONNX model"),
                 qPrintable(ended.error));
    }
};

std::unique_ptr<QObject> makeTestImport() { return std::make_unique<TestImport>(); }
#include "tst_import.moc"
