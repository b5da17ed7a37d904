// SPDX-License-Identifier: Apache-2.0
// Lines of a file played by the program without a screen: what comes of them is compared with what
// always came of them. After a change that is meant, the golden file is what the program wrote.
#include "support/places.h"
#include "support/test_main.h"

#include <QFile>
#include <QIODevice>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

using namespace weft::test;

class TestReplays : public QObject {
    Q_OBJECT

    static constexpr int patience = 60'000; // milliseconds

    static QByteArray contents(const QString& file) {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }

    static QString replay(const QString& name) {
        return QString::fromStdString((sourceFolder() / "tests/stories/replays").string()) + '/' +
               name;
    }

    /// The workbench in a folder of its own, with a sample as design.weft; until it ends.
    struct Program {
        explicit Program(const QStringList& arguments, const QByteArray& script = {}) {
            QFile::copy(QString::fromStdString(sourceFolder() / "projects/lenet-mnist/design.weft"),
                        folder.filePath(QStringLiteral("design.weft")));
            QFile file(folder.filePath(QStringLiteral("script.txt")));
            (void)file.open(QIODevice::WriteOnly);
            file.write(script);
            file.close();
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
            environment.insert(QStringLiteral("HOME"), folder.path());
            for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME"}) {
                environment.remove(QLatin1String(name));
            }
            QProcess process;
            process.setProcessEnvironment(environment);
            process.setWorkingDirectory(folder.path());
            process.setProcessChannelMode(QProcess::MergedChannels);
            process.start(QStringLiteral(WEFT_WORKBENCH), arguments);
            const bool isEnded = process.waitForFinished(patience);
            words = QString::fromUtf8(process.readAll());
            code =
                isEnded && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
        }
        [[nodiscard]] QByteArray made() const {
            return contents(folder.filePath(QStringLiteral("played.weft")));
        }
        QTemporaryDir folder;
        QString words;
        int code = -1;
    };

private Q_SLOTS:
    void aScriptMakesTheDesignItAlwaysMade_data() {
        QTest::addColumn<QString>("script");
        QTest::newRow("layers spread") << "spread";
        QTest::newRow("what defines a group and the design") << "group";
    }
    void aScriptMakesTheDesignItAlwaysMade() {
        QFETCH(const QString, script);
        const Program played({"--quit", "--play", replay(script + ".txt"), "design.weft"});
        QVERIFY2(played.code == 0, qPrintable(played.words));
        QCOMPARE(QString::fromUtf8(played.made()),
                 QString::fromUtf8(contents(replay(script + ".golden.weft"))));
    }

    void aScriptThatFailsSaysWhereAndHow() {
        const Program played({"--quit", "--play", "script.txt", "design.weft"},
                             "layer.mute on for conv1\n\nlayer.set units 3 for conv1\n"
                             "file.save played.weft\n");
        QCOMPARE(played.code, 1);
        QVERIFY2(played.words.contains(QStringLiteral(
                     "script.txt: line 3 (layer.set units 3 for conv1): conv1 has no attribute "
                     "units")),
                 qPrintable(played.words));
        QCOMPARE(played.made(), QByteArray());
        const Program missing({"--quit", "--play", "nothing.txt"});
        QCOMPARE(missing.code, 1);
        QVERIFY2(missing.words.contains(QStringLiteral("nothing.txt")), qPrintable(missing.words));
    }

    void aScriptWithoutADesignBeginsOne() {
        const Program played({"--quit", "--play", "script.txt"},
                             "layer.add input named x\nlayer.add dense\n"
                             "wire.connect x.y -> +2.x\nlayer.set units 3\nlayer.lay-out-all\n"
                             "file.save played.weft\n");
        QVERIFY2(played.code == 0, qPrintable(played.words));
        QVERIFY2(played.made().contains("\"x.y -> dense"), played.made().constData());
    }
};

std::unique_ptr<QObject> makeTestReplays() { return std::make_unique<TestReplays>(); }

#include "tst_replays.moc"
