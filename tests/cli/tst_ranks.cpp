// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"
#include "support/test_main.h"
#include "weft_process.h"

#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
using namespace weft::test;

namespace {

Ended underMpirun(int ranks, const QStringList& arguments, const QString& folder) {
    return startedBy("mpirun",
                     {"--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n",
                      QString::number(ranks), QString::fromStdString(weftProgram().string())},
                     arguments, folder);
}

} // namespace

class TestRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (QStandardPaths::findExecutable("mpirun").isEmpty()) {
            QSKIP("mpirun is not installed");
        }
    }

    void trainTheSameAsOneDevice_data() {
        QTest::addColumn<QString>("assign");
        QTest::addColumn<int>("ranks");
        for (const char* word : {"data", "model.stack", "model.add"}) {
            QTest::addRow("%s on two ranks", word) << QString(word) << 2;
            QTest::addRow("%s on three ranks", word) << QString(word) << 3;
        }
    }
    void trainTheSameAsOneDevice() {
        QFETCH(const QString, assign);
        QFETCH(const int, ranks);
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft", {.assign = assign});
        const Ended one = test::weft({"run", "small.weft", "--devices", "cpu:0"}, folder.path());
        QVERIFY2(one.code == 0, qPrintable(one.error));
        const Ended many = underMpirun(ranks, {"run", "small.weft"}, folder.path());
        QVERIFY2(many.code == 0, qPrintable(many.error));
        const QStringList runs = runsIn(folder.path());
        QCOMPARE(runs.size(), 2);
        const double difference = largestDifference(lossesOf(runs[0]), lossesOf(runs[1]));
        QVERIFY2(difference < 1e-3, qPrintable(QString::number(difference)));
    }

    void resumeWhatOneDeviceBegan() {
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft",
                    {.steps = 6, .checkpointEvery = 6, .assign = "model.stack"});
        const Ended one = test::weft({"run", "small.weft", "--devices", "cpu:0"}, folder.path());
        QVERIFY2(one.code == 0, qPrintable(one.error));
        const QString run = runsIn(folder.path())[0];
        // The same design, planned for longer.
        writeDesign(run + "/design.weft",
                    {.steps = 9, .checkpointEvery = 3, .assign = "model.stack"});
        const Ended resumed = underMpirun(2, {"resume", run}, folder.path());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(lossesOf(run).size(), std::size_t{9});
    }
};

std::unique_ptr<QObject> makeTestRanks() { return std::make_unique<TestRanks>(); }
#include "tst_ranks.moc"
