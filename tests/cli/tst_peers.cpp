// SPDX-License-Identifier: Apache-2.0
// PyTorch's half of a pair (tests/bench/peers) knows what Weft calls its parameters. Needs no
// PyTorch: the losses themselves are compared by tst_peer_losses.

#include "support/places.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft::test;

class TestPeers : public QObject {
    Q_OBJECT

    struct Answer {
        int code = -1;
        QByteArray said;
    };

    /// Returns the answer of the script in this folder.
    static Answer asked(const QString& folder) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start("python3", {"-B", folder + "/parameter_names.py", "--weft",
                                  QString::fromStdString(weftProgram().string())});
        process.waitForFinished();
        return {process.exitCode(), process.readAll()};
    }

    static QString peers() {
        return QString::fromStdString((sourceFolder() / "tests/bench/peers").string());
    }

private Q_SLOTS:
    void readParametersByTheNamesThatWeftDeclares() {
        const Answer answer = asked(peers());
        QVERIFY2(answer.code == 0, answer.said.constData());
    }

    /// A name of before, as it went unnoticed once, and a kind that a bench has and PyTorch's half
    /// has not.
    void aDifferenceIsFound_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("name") << "parameter_names.py" << QByteArray("\"in_proj_weight\", ")
                              << QByteArray() << QByteArray("attention: torch_network.py reads");
        QTest::newRow("kind") << "torch_network.py" << QByteArray("def gelu(")
                              << QByteArray("def other(") << QByteArray("a layer of kind gelu");
    }
    void aDifferenceIsFound() {
        QFETCH(QString, file);
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, said);
        const QTemporaryDir root;
        const QString folder = root.filePath("tests/bench/peers");
        QVERIFY(QDir().mkpath(folder));
        const QString projects = QString::fromStdString((sourceFolder() / "projects").string());
        QVERIFY(QFile::link(projects, root.filePath("projects")));
        for (const QString name : {"parameter_names.py", "torch_network.py"}) {
            QFile source(peers() + "/" + name);
            QVERIFY(source.open(QIODevice::ReadOnly));
            QByteArray text = source.readAll();
            if (name == file) {
                QVERIFY(text.contains(from));
                text.replace(from, to);
            }
            QFile copy(folder + "/" + name);
            QVERIFY(copy.open(QIODevice::WriteOnly));
            copy.write(text);
        }
        const Answer answer = asked(folder);
        QCOMPARE(answer.code, 1);
        QVERIFY2(answer.said.contains(said), answer.said.constData());
    }
};

std::unique_ptr<QObject> makeTestPeers() { return std::make_unique<TestPeers>(); }
#include "tst_peers.moc"
