// SPDX-License-Identifier: Apache-2.0
#include "cli/weft_process.h"
#include "support/own_sshd.h"
#include "support/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
using namespace weft::test;

/// weft host: machines are added, changed, listed, let go of and removed.
class TestHost : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] Ended host(const QStringList& words) const {
        return test::weft(QStringList{"host"} + words, folder_->path());
    }
    [[nodiscard]] QJsonArray listed() const {
        return QJsonDocument::fromJson(host({"list", "--json"}).out.toUtf8()).array();
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CONFIG_HOME", folder_->filePath("config").toUtf8());
        qputenv("XDG_RUNTIME_DIR", folder_->path().toUtf8());
    }

    void isAddedChangedAndRemoved() {
        QVERIFY(listed().isEmpty());
        const Ended added = host({"add", "cluster", "--via", "ssh cluster", "--start", "slurm",
                                  "--partition", "gpu", "--limit", "1000000"});
        QVERIFY2(added.code == 0, qPrintable(added.error));
        QCOMPARE(added.out, QString("cluster: ssh cluster; runs in weft-runs, weft as weft, jobs "
                                    "by slurm in gpu, 60 min, at most 1.00 MB per second\n"));
        QCOMPARE(host({"add", "box", "--via", "docker exec -i box sh -c"}).code, 0);
        QCOMPARE(host({"add", "cluster", "--program", "~/weft/bin/weft", "--minutes", "90"}).code,
                 0);
        const QJsonArray both = listed();
        QCOMPARE(both.size(), 2);
        const QJsonObject cluster = both[1].toObject();
        QCOMPARE(cluster["via"].toString(), QString("ssh cluster"));
        QCOMPARE(cluster["partition"].toString(), QString("gpu"));
        QCOMPARE(cluster["program"].toString(), QString("~/weft/bin/weft"));
        QCOMPARE(cluster["minutes"].toInt(), 90);
        QVERIFY(host({"list"}).out.contains("box: docker exec -i box sh -c"));
        QCOMPARE(host({"remove", "cluster"}).code, 0);
        QCOMPARE(listed().size(), 1);
    }

    void saysWhatItTakes_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        QTest::addRow("nothing") << QStringList{} << "WORD";
        QTest::addRow("no word") << QStringList{"dance"} << "add";
        QTest::addRow("no name") << QStringList{"add"} << "takes the name of a host";
        QTest::addRow("a name too many") << QStringList{"list", "box"} << "list takes no name";
        QTest::addRow("no command") << QStringList{"add", "new"} << "no program";
        QTest::addRow("no name that can be")
            << QStringList{"add", "a/b", "--via", "sh -c"} << "letters, digits";
        QTest::addRow("a shell's line")
            << QStringList{"add", "a", "--via", "ssh $HOST"} << "no shell interprets it";
        QTest::addRow("no start") << QStringList{"add", "box", "--start", "cron"}
                                  << "here, mpirun, slurm";
        QTest::addRow("one there is not") << QStringList{"remove", "bok"} << "name one of box";
        QTest::addRow("nothing to close") << QStringList{"close", "bok"} << "name one of box";
        QTest::addRow("what list does not take")
            << QStringList{"list", "--via", "sh -c"} << "takes no settings of a host";
    }
    void saysWhatItTakes() {
        QFETCH(const QStringList, words);
        QFETCH(const QString, says);
        QCOMPARE(host({"add", "box", "--via", "sh -c"}).code, 0);
        const Ended refused = host(words);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.error.contains(says), qPrintable(refused.error));
        QCOMPARE(listed().size(), 1);
    }

    void closesAConnectionThatIsShared() {
        OwnSshd sshd;
        if (!sshd.fault().isEmpty()) {
            QSKIP(qPrintable(sshd.fault()));
        }
        QCOMPARE(host({"add", "here", "--via", sshd.via()}).code, 0);
        QCOMPARE(host({"close", "here"}).out, QString("there was no connection\n"));
        // As any of one's programs shares it.
        QStringList words = sshd.via().split(' ');
        words << "-oControlMaster=auto"
              << "-oControlPath=" + folder_->filePath("weft/%C") << "-oControlPersist=600"
              << "true";
        QCOMPARE(QProcess::execute(words.takeFirst(), words), 0);
        QCOMPARE(host({"close", "here"}).out, QString("the connection is closed\n"));
        QCOMPARE(host({"close", "here"}).out, QString("there was no connection\n"));
    }
};

std::unique_ptr<QObject> makeTestHost() { return std::make_unique<TestHost>(); }
#include "tst_host.moc"
