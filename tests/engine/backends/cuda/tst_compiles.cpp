// SPDX-License-Identifier: Apache-2.0
// nvcc takes every kernel, for two generations of chips, without a word.

#include "support/places.h"
#include "support/test_main.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

class TestCompiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void forEachGeneration_data() {
        QTest::addColumn<QString>("path");
        const auto folder = weft::test::sourceFolder() / "engine/backends/cuda";
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() == ".cu") {
                QTest::newRow(entry.path().filename().c_str())
                    << QString::fromStdString(entry.path().string());
            }
        }
    }
    void forEachGeneration() {
        const QString nvcc = WEFT_NVCC;
        if (nvcc.isEmpty()) {
            QSKIP("there is no nvcc");
        }
        QFETCH(QString, path);
        const QString engine =
            QString::fromStdString((weft::test::sourceFolder() / "engine").string());
        const QTemporaryDir folder;
        QProcess process;
        process.start(nvcc, {"-std=c++20", "-Werror", "all-warnings", "--expt-relaxed-constexpr",
                             "-gencode", "arch=compute_80,code=sm_80", "-gencode",
                             "arch=compute_90,code=sm_90", "-t2", "-I", engine, "-I",
                             engine + "/include", "-c", path, "-o", folder.filePath("kernel.o")});
        QVERIFY2(process.waitForFinished(250000), qPrintable(process.errorString()));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    }
};

std::unique_ptr<QObject> makeTestCompiles() { return std::make_unique<TestCompiles>(); }

#include "tst_compiles.moc"
