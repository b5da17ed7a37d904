// SPDX-License-Identifier: Apache-2.0
// Every bench computes what PyTorch computes: from the same weights and the same batches, the
// losses before and after one step. With the PyTorch that `packaging/install peers` brings.

#include "support/places.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <memory>

using namespace weft::test;

class TestPeerLosses : public QObject {
    Q_OBJECT

    /// The interpreter that has PyTorch.
    static QString python() {
        return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
               "/weft/peers/bin/python";
    }
    static QString source(const std::string& path) {
        return QString::fromStdString((sourceFolder() / path).string());
    }

private Q_SLOTS:
    void areThoseOfPyTorch_data() {
        QTest::addColumn<QString>("design");
        const QDir projects(source("projects"));
        for (const QString& name : projects.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            if (projects.exists(name + "/bench.weft")) {
                QTest::newRow(qPrintable(name)) << projects.filePath(name + "/bench.weft");
            }
        }
    }
    void areThoseOfPyTorch() {
        QFETCH(QString, design);
        if (!QFile::exists(python())) {
            QSKIP("no PyTorch: packaging/install peers brings it");
        }
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(python(), {"-B", source("tests/bench/peers/losses.py"), "--weft",
                                 QString::fromStdString(weftProgram().string()), design, "--steps",
                                 "2", "--threads", "2"});
        QVERIFY(process.waitForFinished(1'200'000));
        const QByteArray said = process.readAll();
        QVERIFY2(process.exitCode() == 0, said.right(2000).constData());
    }
};

std::unique_ptr<QObject> makeTestPeerLosses() { return std::make_unique<TestPeerLosses>(); }
#include "tst_peer_losses.moc"
