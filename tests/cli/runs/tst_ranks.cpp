// SPDX-License-Identifier: Apache-2.0
#include "cli/sparse_design.h"
#include "cli/weft_process.h"
#include "support/places.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
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

bool write(const QString& path, const QByteArray& text) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
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

    void trainFiltersThatDoNotGoEvenly() {
        QTemporaryDir folder;
        const QString path = folder.path() + "/small.weft";
        writeDesign(path, {.steps = 4, .assign = "model.stack"});
        QByteArray text = bytesOf(path);
        QVERIFY(text.contains(R"("filters": 6)"));
        // With thirty-three filters, the first rank has one more, and its kernels want another
        // format.
        QVERIFY(write(path, text.replace(R"("filters": 6)", R"("filters": 33)")));
        const Ended one = test::weft({"run", "small.weft", "--devices", "cpu:0"}, folder.path());
        QVERIFY2(one.code == 0, qPrintable(one.error));
        const Ended two = underMpirun(2, {"run", "small.weft"}, folder.path());
        QVERIFY2(two.code == 0, qPrintable(two.error));
        const QStringList runs = runsIn(folder.path());
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
        const static QRegularExpression culprit("(\\w+).*computes the first NaN or infinity"
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

    void areAskedForTheDevicesOfEach() {
        const QString anywhere = QDir::tempPath();
        const Ended missing =
            test::weft({"devices", "--need", "cpu:0,hip:0,hip:1,hip:2", "--ranks", "2"}, anywhere);
        QCOMPARE(missing.code, 4);
        const static QRegularExpression first("rank 0 \\([^)]+\\), hip:0: .*no backend");
        const static QRegularExpression second("rank 1 \\([^)]+\\), hip:1, hip:2: .*no backend");
        QVERIFY2(missing.error.contains(first), qPrintable(missing.error));
        QVERIFY2(missing.error.contains(second), qPrintable(missing.error));
        QVERIFY2(missing.error.trimmed().section('\n', -1).contains(second),
                 qPrintable(missing.error));
        const Ended there =
            test::weft({"devices", "--need", "cpu:0,cpu:1", "--ranks", "2"}, anywhere);
        QVERIFY2(there.code == 0 && there.out.isEmpty(), qPrintable(there.out + there.error));
    }

    void areNotStartedForWhatCanBeSeenBefore_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        QTest::addRow("an error of the design")
            << QStringList{"bad.weft", "--ranks", "2"} << 3 << "no wire ends at input x";
        QTest::addRow("more ranks than devices")
            << QStringList{"small.weft", "--ranks", "3", "--devices", "cpu:0,cpu:1"} << 2
            << "3 ranks are more than the 2 devices of --devices";
        QTest::addRow("more ranks than the design's one device")
            << QStringList{"one.weft", "--ranks", "65536"} << 2 << "65536 ranks";
        QTest::addRow("more ranks than cores can carry")
            << QStringList{"small.weft", "--ranks", "65536"} << 2 << "65536 ranks";
        for (const char* hosts : {"pipe", "/dev/zero", ".", "nowhere", "huge"}) {
            QTest::addRow("hosts in %s", hosts)
                << QStringList{"small.weft", "--ranks", "2", "--hosts", hosts} << 4 << hosts;
        }
    }
    void areNotStartedForWhatCanBeSeenBefore() {
        QFETCH(const QStringList, options);
        QFETCH(const int, code);
        QFETCH(const QString, says);
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft", {});
        const QByteArray text = bytesOf(folder.path() + "/small.weft");
        QVERIFY(write(folder.path() + "/bad.weft",
                      QByteArray(text).replace("\"picture.y -> conv.x\", ", "")));
        QVERIFY(write(folder.path() + "/one.weft",
                      QByteArray(text).replace(
                          "\"layers\"", "\"devices\": [{\"name\": \"cpu:0\"}], \"layers\"")));
        QCOMPARE(::mkfifo(QFile::encodeName(folder.path() + "/pipe"), 0600), 0);
        QVERIFY(QFile(folder.path() + "/huge").open(QIODevice::WriteOnly) &&
                QFile::resize(folder.path() + "/huge", qint64{1} << 40));
        const Ended refused = test::weft(QStringList{"run"} + options, folder.path());
        QVERIFY2(refused.code == code, qPrintable(refused.error));
        QVERIFY2(refused.error.contains(says), qPrintable(refused.error));
        // Not even the line that would have started them.
        QVERIFY2(!refused.error.contains("mpirun") && refused.error.count('\n') == 1,
                 qPrintable(refused.error));
        QVERIFY(runsIn(folder.path()).isEmpty());
    }

    void aloneSayWhatTheyRefuse() {
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft", {});
        const QByteArray text = bytesOf(folder.path() + "/small.weft");
        QVERIFY(write(folder.path() + "/lost.weft",
                      QByteArray(text).replace(
                          "\"kind\": \"digits\", \"with\": {\"count\": 300, \"test_count\": 20}",
                          "\"kind\": \"idx\", \"with\": {\"folder\": \"nowhere\"}")));
        const Ended refused = test::weft({"run", "lost.weft", "--ranks", "2"}, folder.path());
        QVERIFY2(refused.code == 4, qPrintable(refused.error));
        // The line that started them and the refusal, and of MPI nothing.
        QVERIFY2(refused.error.contains("the data was not found") &&
                     refused.error.count('\n') == 2 && refused.error.count("weft: ") == 2,
                 qPrintable(refused.error));
    }

    void passOnWhatMpirunSaysWhereNobodyElseKnows() {
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft", {});
        QVERIFY(write(folder.path() + "/hosts", "no-such-host.invalid slots=2\n"));
        const Ended refused =
            test::weft({"run", "small.weft", "--ranks", "2", "--hosts", "hosts"}, folder.path());
        QVERIFY2(refused.code == 4, qPrintable(refused.error));
        QVERIFY2(refused.error.contains("mpirun: ended with code") &&
                     refused.error.contains("unable to reliably start"),
                 qPrintable(refused.error));
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

    void proveThatTheyAreOneDevice_data() {
        QTest::addColumn<QString>("assign");
        QTest::addColumn<QString>("tolerance");
        QTest::addColumn<int>("code");
        QTest::addRow("by data") << "data"
                                 << "0.001" << 0;
        QTest::addRow("by features") << "model.stack"
                                     << "0.001" << 0;
        // Sums of floats in another order.
        QTest::addRow("to the last bit") << "data"
                                         << "0" << 1;
    }
    void proveThatTheyAreOneDevice() {
        QFETCH(const QString, assign);
        QFETCH(const QString, tolerance);
        QFETCH(const int, code);
        QTemporaryDir folder;
        writeDesign(folder.path() + "/small.weft", {.assign = assign});
        const Ended ended =
            test::weft({"prove", "small.weft", "--ranks", "2", "--json", "--tolerance", tolerance},
                       folder.path());
        QVERIFY2(ended.code == code, qPrintable(ended.error));
        const QJsonObject said = QJsonDocument::fromJson(ended.out.toUtf8()).object();
        QCOMPARE(said["holds"].toBool(), code == 0);
        QCOMPARE(said["ranks"].toInt(), 2);
        QCOMPARE(said["devices"].toArray().size(), 2);
        // As many values as are compared on threads.
        const Ended threads = test::weft(
            {"prove", "small.weft", "--devices", "cpu:0,cpu:1", "--json"}, folder.path());
        const QJsonObject known = QJsonDocument::fromJson(threads.out.toUtf8()).object();
        QCOMPARE(said["values"].toInt(), known["values"].toInt());
        QCOMPARE(said["layers"].toArray().size(), known["layers"].toArray().size());
        QVERIFY(said["values"].toInt() > 20);
    }

    void haveTheElementsOfOneDevice_data() {
        QTest::addColumn<bool>("isFrozen");
        QTest::addColumn<QString>("sets");
        QTest::newRow("frozen") << true << QString();
        QTest::newRow("a dictionary each") << false << R"("per_element": true)";
        QTest::newRow("one per position each")
            << false << R"("per_element": true, "per_position": true)";
    }
    void haveTheElementsOfOneDevice() {
        QFETCH(const bool, isFrozen);
        QFETCH(const QString, sets);
        QTemporaryDir folder;
        writeSparse(folder.path() + "/sparse.weft",
                    {.steps = 3, .assign = "batch", .isFrozen = isFrozen, .sets = sets});
        const QStringList run{"run", "sparse.weft", "--set", "training.series_every=3"};
        QCOMPARE(test::weft(run + QStringList{"--devices", "cpu:0"}, folder.path()).code, 0);
        const Ended three = underMpirun(3, run, folder.path());
        QVERIFY2(three.code == 0, qPrintable(three.error));
        const QStringList runs = runsIn(folder.path());
        // The first rank writes the energies of all ranks' elements.
        const auto energies = [&](const QString& of) {
            QFile file(of + "/series/step-000000003.code.energies.npy");
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(!energies(runs[0]).isEmpty());
        QCOMPARE(energies(runs[1]), energies(runs[0]));
        for (const char* name : {"code.potential", "code.weight"}) {
            const QByteArray one = tensorOf(checkpointsIn(runs[0]).back(), name);
            QVERIFY(!one.isEmpty());
            QVERIFY2(one == tensorOf(checkpointsIn(runs[1]).back(), name), name);
        }
    }

    void sumUpAsOneDeviceDoes_data() {
        QTest::addColumn<QStringList>("settings");
        QTest::newRow("at once") << QStringList{"training.sync_every=2"};
        QTest::newRow("late") << QStringList{"training.sync_every=2",
                                             "training.sync=one period late"};
        QTest::newRow("late, with idle steps")
            << QStringList{"training.update_period=2", "training.sync=one period late"};
    }
    void sumUpAsOneDeviceDoes() {
        QFETCH(const QStringList, settings);
        QTemporaryDir folder;
        writeSparse(folder.path() + "/sparse.weft", {.steps = 7, .assign = "batch"});
        QStringList run = {"run", "sparse.weft"};
        for (const QString& setting : settings) {
            run << "--set" << setting;
        }
        const Ended one = test::weft(run + QStringList{"--devices", "cpu:0"}, folder.path());
        QVERIFY2(one.code == 0, qPrintable(one.error));
        const Ended two = underMpirun(2, run, folder.path());
        QVERIFY2(two.code == 0, qPrintable(two.error));
        const QStringList runs = runsIn(folder.path());
        QCOMPARE(lossesOf(runs[0]).size(), std::size_t{7});
        QVERIFY(largestDifference(lossesOf(runs[0]), lossesOf(runs[1])) < 1e-4);
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
