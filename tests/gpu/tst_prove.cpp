// SPDX-License-Identifier: Apache-2.0
// Runs the proof of a GPU, from its packing to its table, on the simulated chip.

#include "support/places.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace weft::test;

class TestProve : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] QByteArray bytesOf(const QString& name) const {
        QFile file(folder_.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void initTestCase() {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QString::fromStdString((sourceFolder() / "tests/gpu/prove").string()),
                      {"try", QString::fromStdString(buildFolder().string()), folder_.path()});
        QVERIFY(process.waitForFinished(480'000));
        QVERIFY2(process.exitCode() == 0, process.readAll().right(4000).constData());
    }

    /// Each has proved something: none was left out, or ended before it told anything.
    void hasEveryStage_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("stage");
        for (const char* stage : {"device", "streams", "workers", "memory", "resume", "kernels",
                                  "products", "layers", "training", "program", "memcheck"}) {
            QTest::addRow("right, %s", stage) << "right" << stage;
        }
        for (const char* stage : {"device", "benches", "choice"}) {
            QTest::addRow("fast, %s", stage) << "fast" << stage;
        }
    }
    void hasEveryStage() {
        QFETCH(QString, part);
        QFETCH(QString, stage);
        int passed = 0;
        for (const QByteArray& line : bytesOf(part + "/prove.jsonl").split('\n')) {
            const bool isOf = line.contains(QString(R"("stage": "%1")").arg(stage).toUtf8());
            passed += isOf && line.contains(R"("verdict": "passed")") ? 1 : 0;
        }
        QVERIFY(passed > 0);
        QVERIFY(bytesOf(part + "/prove.md")
                    .contains(QString("| %1 | %2 | 0 |").arg(stage).arg(passed).toUtf8()));
    }

    /// Lists the checks that need a real chip or PyTorch.
    void namesWhatTheStandInCannotTell() {
        const QByteArray page = bytesOf("fast/prove.md");
        for (const char* stage : {"counters", "compiled"}) {
            const QByteArray row = "| " + QByteArray(stage) + " | the stage | ";
            QVERIFY2(page.contains(row), page.constData());
        }
    }
};

std::unique_ptr<QObject> makeTestProve() { return std::make_unique<TestProve>(); }
#include "tst_prove.moc"
