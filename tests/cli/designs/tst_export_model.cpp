// SPDX-License-Identifier: Apache-2.0
// A trained design as an ONNX model: exported, imported and applied, as a user does it.
#include "cli/weft_process.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/import.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
using namespace weft::test;

class TestExportModel : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] QString here() const { return folder_.path(); }
    [[nodiscard]] Ended ran(const QStringList& arguments) const {
        return test::weft(arguments, here());
    }
    [[nodiscard]] static QString sample(const char* name) {
        return QString::fromStdString(
            (sourceFolder() / "projects" / name / "design.weft").string());
    }

private Q_SLOTS:
    void initTestCase() {
        if (!readsOnnx()) {
            QSKIP("this build neither reads nor writes ONNX");
        }
    }

    void aRunIsExportedAndImportedAgain() {
        writeDesign(here() + "/small.weft", {.steps = 4, .checkpointEvery = 4});
        QCOMPARE(ran({"run", "small.weft", "--run", "trained"}).code, 0);
        const Ended exported = ran({"export", "small.weft", "--to", "onnx", "--weights", "trained",
                                    "--out", "small.onnx"});
        QVERIFY2(exported.code == 0, qPrintable(exported.error));
        QVERIFY2(exported.error.contains("small.onnx: opset 17, "), qPrintable(exported.error));
        QVERIFY2(!exported.error.contains("initial"), qPrintable(exported.error));
        // A run has its own design and weights.
        QCOMPARE(ran({"export", "trained", "--to", "onnx", "--out", "run.onnx"}).code, 0);
        QCOMPARE(bytesOf(here() + "/run.onnx"), bytesOf(here() + "/small.onnx"));

        const Ended imported = ran({"import", "small.onnx", "--out", "back"});
        QVERIFY2(imported.code == 0, qPrintable(imported.error));
        QVERIFY2(imported.error.contains("contains the design that it was exported from"),
                 qPrintable(imported.error));
        const Ended again = ran({"export", "back/small.weft", "--to", "onnx", "--weights",
                                 "back/weights.safetensors", "--out", "again.onnx"});
        QVERIFY2(again.code == 0, qPrintable(again.error));
        QCOMPARE(bytesOf(here() + "/again.onnx"), bytesOf(here() + "/small.onnx"));
    }

    void layersWithoutAnOperatorAreNamedAndNothingIsWritten() {
        const Ended ended =
            ran({"export", sample("lca-classify"), "--to", "onnx", "--out", "code.onnx"});
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.error.contains("(lca): ONNX has no operator for it; mute the layer"),
                 qPrintable(ended.error));
        QVERIFY(!QFile::exists(here() + "/code.onnx"));
    }

    void optionsThatDoNotFitAreRefused() {
        const QString file = sample("first");
        QCOMPARE(ran({"export", file, "--to", "onnx"}).code, 2);
        QCOMPARE(ran({"export", file, "--to", "onnx", "--opset", "12", "--out", "m"}).code, 2);
        const Ended other = ran({"export", file, "--to", "slurm", "--opset", "17"});
        QCOMPARE(other.code, 2);
        QVERIFY2(other.error.contains("--to onnx"), qPrintable(other.error));
    }
};

std::unique_ptr<QObject> makeTestExportModel() { return std::make_unique<TestExportModel>(); }
#include "tst_export_model.moc"
