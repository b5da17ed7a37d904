// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"
#include "support/ranks.h"
#include "support/test_main.h"
#include "weft_process.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
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
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
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

    void nameTheLayerThatIsNotFinite_data() {
        QTest::addColumn<QString>("assign");
        QTest::newRow("each has all weights") << "data";
        QTest::newRow("each has half of the weights") << "model.stack";
    }
    void nameTheLayerThatIsNotFinite() {
        QFETCH(const QString, assign);
        const QStringList tooFast{"run", "small.weft", "--set", "training.learning_rate=1e19"};
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft", {.checkpointEvery = 1, .assign = assign});
        const Ended one = test::weft(tooFast + QStringList{"--devices", "cpu:0"}, folder.path());
        const Ended many = underMpirun(2, tooFast, folder.path());
        const static QRegularExpression culprit("(\\w+).*makes the first number that is not finite"
                                                ".*, in step (\\d+)");
        const auto known = culprit.match(one.error);
        const auto found = culprit.match(many.error);
        QVERIFY2(known.hasMatch(), qPrintable(one.error));
        QVERIFY2(found.hasMatch(), qPrintable(many.error));
        QCOMPARE(many.code, 1);
        QCOMPARE(found.captured(2), known.captured(2));
        const QStringList layers{"conv", "relu", "fc1", "fc2", "loss"};
        const auto layerIn = [&](const QString& text) {
            const auto named = std::ranges::find_if(layers, [&](const QString& layer) {
                return text.contains(QRegularExpression("\\b" + layer + "\\b"));
            });
            return named == layers.end() ? QString() : *named;
        };
        QVERIFY2(!layerIn(found.captured()).isEmpty(), qPrintable(many.error));
        // The last good checkpoint is there and no later one.
        const QStringList kept =
            QDir(runsIn(folder.path()).at(1) + "/checkpoints").entryList(QDir::Files, QDir::Name);
        const int wrong = found.captured(2).toInt();
        QCOMPARE(kept.size(), static_cast<qsizetype>(wrong - 1));
        QVERIFY2(kept.last().contains(QString("%1.").arg(wrong - 1)), qPrintable(kept.last()));
    }

    void speakPlainlyToWhatIsNoTerminal() {
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft", {});
        const Ended launched =
            test::weft({"run", "small.weft", "--ranks", "2", "--runs", "a"}, folder.path());
        const Ended plain = underMpirun(2, {"run", "small.weft", "--runs", "b"}, folder.path());
        for (const Ended& ended : {launched, plain}) {
            QVERIFY2(ended.code == 0 && ended.out.contains("done at step 12"),
                     qPrintable(ended.out + ended.error));
            QVERIFY2(!ended.out.contains(QChar(0x1b)), qPrintable(ended.out));
        }
    }

    void hearEveryOptionThatWasTyped() {
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft", {});
        const Ended ended = test::weft({"run", "small.weft", "--ranks", "2", "--json", "--set",
                                        "training.steps=3", "--set", "training.seed=7"},
                                       folder.path());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QJsonObject said = QJsonDocument::fromJson(ended.out.toUtf8()).object();
        QVERIFY2(said["steps"].toInt() == 3, qPrintable(ended.out));
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
