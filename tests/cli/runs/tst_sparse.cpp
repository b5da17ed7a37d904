// SPDX-License-Identifier: Apache-2.0
// Networks that are as many as the batch has elements, through the program: what they learn, what
// they remember, and what is refused of them.
#include "cli/sparse_design.h"
#include "cli/weft_process.h"
#include "data/arrays/npy.h"
#include "data/arrays/safetensors.h"
#include "support/places.h"
#include "support/test_main.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

using namespace weft;
using namespace weft::test;

class TestSparse : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] Ended ask(const QString& verb, const SparseDesign& design,
                            const QStringList& options = {}) const {
        writeSparse(here() + "/sparse.weft", design);
        return test::weft(QStringList{verb, "sparse.weft"} + options, here());
    }

    /// As its last run told of atoms that nothing used.
    [[nodiscard]] QMap<int, double> deadBySteps() const {
        QMap<int, double> dead;
        const QByteArray lines = bytesOf(runsIn(here()).back() + "/metrics.jsonl");
        for (const QByteArray& line : lines.split('\n')) {
            const QJsonObject step = QJsonDocument::fromJson(line).object();
            if (step.contains("code.dead")) {
                dead[step["step"].toInt()] = step["code.dead"].toDouble();
            }
        }
        return dead;
    }

    /// Writes the value at which each neuron of the small design rests.
    static void writeNeurons(const QString& path, float value) {
        const std::vector<float> numbers(std::size_t{8} * 8 * 6, value);
        SafetensorsWriter writer(path.toStdString(), {{"code.rest", DType::f32, {8, 8, 6}}});
        writer.write(std::as_bytes(std::span(numbers)));
        writer.finish();
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void learnsWithoutALoss() {
        const Ended ended = ask("run", {.steps = 12});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const std::vector<double> energies = lossesOf(runsIn(here()).front());
        QCOMPARE(energies.size(), std::size_t{12});
        QVERIFY(energies.back() < 0.8 * energies.front());
        const QByteArray lines = bytesOf(runsIn(here()).front() + "/metrics.jsonl");
        QVERIFY(lines.contains("code.activity") && lines.contains("code.signal_to_noise"));
        // Atoms that no code has used since the last evaluation.
        QVERIFY(lines.contains("code.dead"));
        QVERIFY(!lines.contains("code.psnr"));
        // One layer's energy is that of the run, and is printed once.
        QVERIFY(lines.contains("code.energy"));
        QVERIFY2(ended.out.contains("energy ") && !ended.out.contains("  code.energy"),
                 qPrintable(ended.out));
    }

    void saysWhatItsAtomsAreLike() {
        QCOMPARE(ask("run", {}).code, 0);
        const QString run = runsIn(here()).front();
        const Ended shown = test::weft({"show", run}, here());
        QVERIFY2(shown.code == 0 && shown.out.contains("code.weight: 6 atoms of 3 x 8 x 8: ") &&
                     shown.out.contains(" oriented, ") && shown.out.contains("white noise "),
                 qPrintable(shown.out + shown.error));
        const Ended json = test::weft({"show", run, "--json"}, here());
        const QJsonArray all =
            QJsonDocument::fromJson(json.out.toUtf8()).object()["dictionaries"].toArray();
        QCOMPARE(all.size(), 1);
        const QJsonObject one = all.first().toObject();
        QCOMPARE(one["name"].toString(), QString("code.weight"));
        QCOMPARE(one["atoms"].toArray().size(), 6);
        for (const QJsonValue atom : one["atoms"].toArray()) {
            QVERIFY(std::abs(atom["energy"].toDouble() - 1) < 1e-4); // each is of length 1
            QVERIFY(atom["selectivity"].toDouble() > 0 && atom["selectivity"].toDouble() < 1);
        }
        QVERIFY(one["white_noise"]["atoms"].toInt() > 100);
    }

    void showsTheRestWhereACheckpointIsBroken() {
        QCOMPARE(ask("run", {}).code, 0);
        const QString run = runsIn(here()).front();
        writeBytes(checkpointsIn(run).back(), "no checkpoint");
        const Ended shown = test::weft({"show", run}, here());
        QVERIFY2(shown.code == 0 && shown.out.contains("best energy") &&
                     shown.error.contains("dictionaries are not shown"),
                 qPrintable(shown.out + shown.error));
    }

    void looksAtOneFrameOfAtomsThatSpanSeveral() {
        writeSparse(here() + "/sparse.weft", {});
        QByteArray design = bytesOf(here() + "/sparse.weft");
        design.replace(R"({"kind": "solids", "with": {"count": 40, "test_count": 10}})",
                       R"({"kind": "textures", "with": {"count": 44, "films": 2, "frames": 3,
                           "size": [64, 64]}})");
        design.replace("\"colours\"", "\"images\"");
        writeBytes(here() + "/film.weft", design);
        const Ended ended = test::weft({"run", "film.weft"}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const Ended json = test::weft({"show", runsIn(here()).front(), "--json"}, here());
        const QJsonObject one = QJsonDocument::fromJson(json.out.toUtf8())
                                    .object()["dictionaries"]
                                    .toArray()
                                    .first()
                                    .toObject();
        QCOMPARE(one["frames"].toInt(), 3);
        for (const QJsonValue atom : one["atoms"].toArray()) {
            QVERIFY(atom["frame"].toInt() >= 0 && atom["frame"].toInt() < 3);
        }
        // Pictures are cut to the frames that it was drawn.
        QDir(here()).mkdir("own");
        for (int k = 0; k < 4; ++k) {
            writeBytes(here() + QString("/own/%1.pgm").arg(k),
                       "P5 70 66 255\n" + QByteArray(70 * 66 - 9, char(k)) + "different");
        }
        const Ended applied = test::weft(
            {"infer", runsIn(here()).front(), "--input", "own", "--output", "out.npy"}, here());
        QVERIFY2(applied.code == 0, qPrintable(applied.error));
        const Array code = readNpy((here() + "/out.code.code.npy").toStdString(), DType::f32);
        QCOMPARE(toString(code.shape), toString(Shape{2, 6, 8, 8}));
    }

    void writesADictionaryAsAnArray() {
        QCOMPARE(ask("run", {}).code, 0);
        const QString run = runsIn(here()).front();
        QCOMPARE(
            test::weft({"show", run, "--weights", "code.weight", "--out", "d.npy"}, here()).code,
            0);
        const Array array = readNpy((here() + "/d.npy").toStdString(), DType::f32);
        QCOMPARE(toString(array.shape), toString(Shape{6, 3, 8, 8}));
        QVERIFY(tensorOf(checkpointsIn(run).back(), "code.weight") ==
                QByteArray(reinterpret_cast<const char*>(array.bytes.data()),
                           static_cast<qsizetype>(array.bytes.size())));
        const Ended curve =
            test::weft({"show", run, "--curve", "energy", "--out", "e.npy"}, here());
        QCOMPARE(curve.code, 2);
        QVERIFY2(curve.error.contains("--json"), qPrintable(curve.error));
    }

    void keepsEnergiesOfRoundsWithoutAWindow() {
        QCOMPARE(ask("run", {}, {"--devices", "cpu:0"}).code, 0);
        QCOMPARE(ask("run", {}, {"--devices", "cpu:0", "--set", "training.series_every=2"}).code,
                 0);
        const QStringList runs = runsIn(here());
        QVERIFY(!QDir(runs[0] + "/series").exists());
        QCOMPARE(
            QDir(runs[1] + "/series").entryList(QDir::Files, QDir::Name),
            QStringList({"step-000000002.code.energies.npy", "step-000000004.code.energies.npy",
                         "step-000000006.code.energies.npy"}));
        QVERIFY(QDir(runs[1] + "/tensors").isEmpty());
        // The run is the same run.
        QVERIFY(lossesOf(runs[0]) == lossesOf(runs[1]));
        QVERIFY(bytesOf(checkpointsIn(runs[0]).back()) == bytesOf(checkpointsIn(runs[1]).back()));

        const Ended all =
            test::weft({"show", runs[1], "--series", "code.energies", "--out", "all.npy"}, here());
        QVERIFY2(all.code == 0 && all.out.contains("3 steps, 2 to 6"), qPrintable(all.error));
        const Array array = readNpy((here() + "/all.npy").toStdString(), DType::f32);
        QCOMPARE(toString(array.shape), toString(Shape{3, 5, 10}));
        std::vector<float> energies(150);
        std::memcpy(energies.data(), array.bytes.data(), array.bytes.size());
        // After the last round it is the energy that the step tells.
        const std::vector<double> told = lossesOf(runs[1]);
        for (std::size_t record = 0; record < 3; ++record) {
            const auto last = energies.begin() + static_cast<std::ptrdiff_t>(record * 50 + 40);
            const double mean = std::accumulate(last, last + 10, 0.0) / 10;
            QVERIFY(std::abs(mean / told.at(2 * record + 1) - 1) < 1e-5);
        }
        const Ended curve = test::weft({"show", runs[1], "--series", "code.energies"}, here());
        QVERIFY2(curve.out.contains("code.energies, step 6, mean of 10"), qPrintable(curve.out));
        const Ended json = test::weft({"show", runs[1], "--json"}, here());
        QCOMPARE(
            QJsonDocument::fromJson(json.out.toUtf8()).object()["rounds"].toArray(),
            (QJsonArray{QJsonObject{{"name", "code.energies"}, {"steps", QJsonArray{2, 4, 6}}}}));
        const Ended none = test::weft({"show", runs[0], "--series", "code.energies"}, here());
        QCOMPARE(none.code, 2);
        QVERIFY2(none.error.contains("training.series_every"), qPrintable(none.error));
    }

    void keepsThemBesideALayerThatIsObserved() {
        QCOMPARE(ask("run", {}, {"--set", "training.series_every=1", "--observe", "code"}).code, 0);
        const QString run = runsIn(here()).front();
        QCOMPARE(QDir(run + "/series").count(), 6U + 2);
        QVERIFY(QFile::exists(run + "/tensors/step-000000001.code.code.npy"));
        QVERIFY(!QFile::exists(run + "/tensors/step-000000002.code.energies.npy"));
        const QByteArray observed = bytesOf(run + "/tensors/step-000000001.code.energies.npy");
        QVERIFY(!observed.isEmpty());
        QCOMPARE(bytesOf(run + "/series/step-000000001.code.energies.npy"), observed);
    }

    void keepsThemAgainWhereARunGoesOn() {
        QCOMPARE(ask("run", {}, {"--devices", "cpu:0", "--set", "training.series_every=5"}).code,
                 0);
        const QString run = runsIn(here()).front();
        const QString kept = run + "/series/step-000000005.code.energies.npy";
        const QByteArray before = bytesOf(kept);
        QVERIFY(!before.isEmpty() && QFile::remove(kept));
        QVERIFY(QFile::remove(checkpointsIn(run).back()));
        QCOMPARE(test::weft({"resume", run, "--devices", "cpu:0"}, here()).code, 0);
        QCOMPARE(bytesOf(kept), before);
    }

    void keepsThemFromAllDevices() {
        const SparseDesign frozen{.steps = 4, .assign = "batch", .isFrozen = true};
        for (const QString& on : {QString("cpu:0"), QString("cpu:0,cpu:1,cpu:2")}) {
            const Ended ended =
                ask("run", frozen, {"--devices", on, "--set", "training.series_every=4"});
            QVERIFY2(ended.code == 0, qPrintable(ended.error));
        }
        const QStringList runs = runsIn(here());
        const QByteArray one = bytesOf(runs[0] + "/series/step-000000004.code.energies.npy");
        QVERIFY(!one.isEmpty());
        QCOMPARE(bytesOf(runs[1] + "/series/step-000000004.code.energies.npy"), one);
    }

    void warnsWhereNothingHasRounds() {
        writeDesign(here() + "/small.weft", {});
        QByteArray design = bytesOf(here() + "/small.weft");
        QVERIFY(design.contains(R"("training": {)"));
        writeBytes(here() + "/small.weft",
                   design.replace(R"("training": {)", R"("training": {"series_every": 3, )"));
        const Ended checked = test::weft({"check", "small.weft"}, here());
        QVERIFY2(checked.code == 0 && (checked.out + checked.error).contains("series_every"),
                 qPrintable(checked.out + checked.error));
    }

    void takesNoisePeaksAsTold() {
        const Ended ended = ask("run", {}, {"--set", "code.peak=2"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY(bytesOf(runsIn(here()).front() + "/metrics.jsonl").contains("code.psnr"));
    }

    void leavesOutDecibelsThatThereAreNone() {
        // Black pictures have no signal, and no code leaves noise.
        writeNpy((here() + "/black.npy").toStdString(), DType::f32, {40, 3, 64, 64},
                 std::vector<std::byte>(std::size_t{40} * 3 * 64 * 64 * 4));
        writeSparse(here() + "/sparse.weft", {});
        QByteArray design = bytesOf(here() + "/sparse.weft");
        design.replace(R"({"kind": "solids", "with": {"count": 40, "test_count": 10}})",
                       R"({"kind": "npy", "with": {"inputs": "black.npy"}})");
        design.replace("\"colours\"", "\"black\"");
        writeBytes(here() + "/black.weft", design);
        const Ended ended = test::weft({"run", "black.weft"}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QByteArray lines = bytesOf(runsIn(here()).front() + "/metrics.jsonl");
        QVERIFY(lines.contains("code.activity") && !lines.contains("code.signal_to_noise"));
        QVERIFY(!lines.contains("nan") && !lines.contains("null"));
    }

    void beginsAtTheRestOfAFile() {
        writeNeurons(here() + "/rest.safetensors", 0.15F);
        const QStringList begins{"--set", "code.start=rest"};
        const QStringList fromFile = begins + QStringList{"--set", "code.rest_from=weights",
                                                          "--weights", "rest.safetensors"};
        const Ended given = ask("run", {.steps = 3}, fromFile);
        QVERIFY2(given.code == 0, qPrintable(given.error));
        const QStringList with = begins + QStringList{"--set", "code.rest=0.15"};
        QCOMPARE(ask("run", {.steps = 3}, with).code, 0);
        QCOMPARE(ask("run", {.steps = 3}, begins).code, 0);
        QCOMPARE(ask("run", {.steps = 3, .assign = "batch"},
                     fromFile + QStringList{"--devices", "cpu:0,cpu:1"})
                     .code,
                 0);
        const QStringList runs = runsIn(here());
        QCOMPARE(lossesOf(runs[0]), lossesOf(runs[1]));
        QVERIFY(lossesOf(runs[0]) != lossesOf(runs[2]));
        // The mean over elements is added up in another order.
        const double first = lossesOf(runs[0]).front();
        QVERIFY(std::abs(lossesOf(runs[3]).front() - first) < 1e-6 * first);
        QVERIFY(!tensorOf(checkpointsIn(runs[0]).back(), "code.rest").isEmpty());
        writeNeurons(here() + "/rest.safetensors", std::numeric_limits<float>::quiet_NaN());
        const Ended refused = ask("run", {.steps = 3}, fromFile);
        QVERIFY2(refused.code == 4 && refused.error.contains("rest.safetensors: code.rest holds a "
                                                             "number that is not finite"),
                 qPrintable(refused.error));
    }

    void saysWhatKeepsRoundsFromGrowing() {
        // Steps far beyond the membrane's time, and atoms that overlap at 16 positions.
        const Ended ended =
            ask("run", {.isFrozen = true},
                {"--set", "code.stride=2", "--set", "code.tau=0.1", "--set", "code.iterations=60"});
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.error.contains("code, repeat: its 60 iterations diverge"),
                 qPrintable(ended.error));
        QVERIFY2(ended.error.contains("a larger tau"), qPrintable(ended.error));
        // A benchmark that has no figures says so, and prints none.
        const Ended benched =
            test::weft({"bench", "sparse.weft", "--steps", "3", "--warmup", "0", "--set",
                        "code.stride=2", "--set", "code.tau=0.1", "--set", "code.iterations=60"},
                       here());
        QCOMPARE(benched.code, 1);
        QVERIFY2(benched.error.contains("code, repeat: its 60 iterations diverge") &&
                     !benched.error.contains("checkpoint") && benched.out.isEmpty(),
                 qPrintable(benched.out + benched.error));
    }

    void saysThatNoGradientGoesThroughWhereThereIsNoLoss() {
        const char* says = "W072 code.gradient: backpropagation through the iterations needs a loss"
                           ", but the design has no loss: set gradient to stop";
        const Ended none = ask("check", {.sets = R"("gradient": "through")"});
        QVERIFY2(none.code == 0 && none.out.count(says) == 1, qPrintable(none.out));
        QByteArray design = bytesOf(here() + "/sparse.weft");
        writeBytes(here() + "/sparse.weft",
                   design
                       .replace(R"("wires": [)", R"("wires": ["code.reconstruction -> loss.x",
                       "picture.y -> loss.target", )")
                       .replace(R"(}}],)", R"(}}, {"id": 3, "name": "loss", "kind": "mse"}],)"));
        const Ended some = test::weft({"check", "sparse.weft"}, here());
        QVERIFY2(some.code == 0 && !some.out.contains("W072 code.gradient"), qPrintable(some.out));
        QVERIFY2(!ask("check", {}).out.contains("W072 code.gradient"), "it stops");
    }

    void countsAtomsThatNothingUses() {
        // A threshold that nothing reaches.
        const Ended ended = ask("run", {.isFrozen = true}, {"--set", "code.threshold=1000"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY2(QRegularExpression("code\\.dead +6\\b").match(ended.out).hasMatch(),
                 qPrintable(ended.out));
        const Ended used = ask("run", {.isFrozen = true}, {"--set", "code.threshold=0"});
        QVERIFY2(QRegularExpression("code\\.dead +0\\b").match(used.out).hasMatch(),
                 qPrintable(used.out));
        // An evaluation alone has seen no training that would have used any.
        const Ended alone =
            ask("eval", {}, {"--weights", checkpointsIn(runsIn(here()).back()).back()});
        QVERIFY2(alone.code == 0 && alone.out.contains("code.activity") &&
                     !alone.out.contains("code.dead"),
                 qPrintable(alone.out + alone.error));
    }

    void tellsOfDeadAtomsWhereNothingIsEvaluated() {
        const QStringList none{"--set", "data.source.with.test_count=0", "--set",
                               "training.checkpoint_every=3"};
        const auto toldBy = [&](const QStringList& options) {
            const Ended ended =
                ask("run", {.steps = 7, .assign = "batch", .isFrozen = true}, none + options);
            return ended.code == 0 ? deadBySteps() : QMap<int, double>();
        };
        // A checkpoint, an epoch, a checkpoint, the end; summed up over devices.
        const QMap<int, double> all{{3, 6}, {4, 6}, {6, 6}, {7, 6}};
        QCOMPARE(toldBy({"--set", "code.threshold=1000"}), all);
        const QMap<int, double> used{{3, 0}, {4, 0}, {6, 0}, {7, 0}};
        QCOMPARE(toldBy({"--set", "code.threshold=0", "--devices", "cpu:0,cpu:1"}), used);
        // Both shares have begun anew.
        const QString last = checkpointsIn(runsIn(here()).back()).back();
        QVERIFY(tensorOf(last, "code.use#1") == QByteArray(6 * 4, 0) &&
                tensorOf(last, "code.use#2") == QByteArray(6 * 4, 0));
    }

    void tellsOfDeadAtomsHoweverARunEnds_data() {
        QTest::addColumn<bool>("isTold");
        QTest::newRow("its time is up") << false;
        QTest::newRow("it is told to stop") << true;
    }
    void tellsOfDeadAtomsHoweverARunEnds() {
        QFETCH(const bool, isTold);
        writeSparse(here() + "/sparse.weft", {.steps = endless, .isFrozen = true});
        QProcess process;
        process.setWorkingDirectory(here());
        QStringList words{"run", "sparse.weft"};
        for (const char* setting :
             {"data.source.with.test_count=0", "training.checkpoint_every=1000000",
              "training.evaluate_every=1000000", "code.threshold=1000"}) {
            words += {"--set", setting};
        }
        process.start(QString::fromStdString(weftProgram().string()),
                      isTold ? words : words + QStringList{"--set", "training.seconds=0.2"});
        if (isTold) {
            const auto hasBegun = [&] {
                const QStringList runs = runsIn(here());
                return !runs.isEmpty() && !lossesOf(runs[0]).empty();
            };
            QTRY_VERIFY_WITH_TIMEOUT(hasBegun(), patience);
            QCOMPARE(test::weft({"tell", runsIn(here())[0], "stop"}, here()).code, 0);
        }
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitCode(), 0);
        const int last = static_cast<int>(lossesByStep(runsIn(here())[0]).rbegin()->first);
        QCOMPARE(deadBySteps(), (QMap<int, double>{{last, 6}}));
    }

    void stopsAtATargetOfWhatLayersTell_data() {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("steps");
        QTest::newRow("dead atoms from above") << "code.dead" << 0.0 << 4;
        QTest::newRow("too many of them") << "code.dead" << -1.0 << 5;
        QTest::newRow("energy from above") << "code.energy" << 1e9 << 4;
        QTest::newRow("too much of it") << "energy" << 0.0 << 5;
        QTest::newRow("decibels from below") << "code.signal_to_noise" << -50.0 << 4;
        QTest::newRow("too few of them") << "code.signal_to_noise" << 1e3 << 5;
        QTest::newRow("sparsity from below") << "code.sparsity" << 0.0 << 4;
    }
    void stopsAtATargetOfWhatLayersTell() {
        QFETCH(const QString, metric);
        QFETCH(const double, value);
        QFETCH(const int, steps);
        const Ended ended =
            ask("run", {.steps = 5},
                {"--set", "code.threshold=0", "--set", "training.target.metric=" + metric, "--set",
                 QString("training.target.value=%1").arg(value)});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QCOMPARE(lossesOf(runsIn(here()).front()).size(), static_cast<std::size_t>(steps));
    }

    void refusesWhatNothingReads_data() {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("said");
        QTest::newRow("transfer") << "code.shift=0.1"
                                  << "shift has no effect with transfer soft";
        QTest::newRow("step") << "code.knee_slope=0.5"
                              << "knee_slope has no effect with step_rule fixed";
        QTest::newRow("momentum") << "code.momentum_constant=0.5"
                                  << "momentum_constant has no effect with momentum_method none";
    }
    void refusesWhatNothingReads() {
        QFETCH(QString, setting);
        QFETCH(QString, said);
        const Ended refused = ask("run", {}, {"--set", setting});
        QCOMPARE(refused.code, 3);
        QVERIFY2((refused.out + refused.error).contains(said),
                 qPrintable(refused.out + refused.error));
    }

    void refusesAMeanOfWhatElementsRemember() {
        const Ended refused = ask("check", {.assign = "data"});
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.out.contains("E075") || refused.error.contains("E075"),
                 qPrintable(refused.out + refused.error));
        QCOMPARE(ask("run", {.assign = "data"}, {"--devices", "cpu:0,cpu:1"}).code, 3);
        QCOMPARE(ask("check", {.assign = "batch"}).code, 0);
    }

    void saysThatAWordDividesNothing() {
        const Ended ended = ask("plan", {.assign = "space.rows"}, {"--devices", "cpu:0,cpu:1"});
        QVERIFY2(ended.code == 0 && ended.out.contains("W074") &&
                     ended.out.contains("space.rows splits no layer of the design"),
                 qPrintable(ended.out + ended.error));
    }

    void saysWhatAFrozenDictionaryDoesNothingWith() {
        const Ended ended =
            ask("check", {.isFrozen = true, .sets = R"("momentum_method": "simple")"});
        QVERIFY2(ended.code == 0 &&
                     ended.out.contains("W072 code.momentum_method: momentum_method has no effect "
                                        "with frozen true"),
                 qPrintable(ended.out + ended.error));
    }

    void refusesAShortLastBatch() {
        const Ended refused = ask("run", {.count = 44});
        QCOMPARE(refused.code, 3);
        QVERIFY2((refused.out + refused.error).contains("E069"),
                 qPrintable(refused.out + refused.error));
        // One problem among others, with what mends it.
        QByteArray design = bytesOf(here() + "/sparse.weft");
        writeBytes(here() + "/sparse.weft", design.replace(R"("steps": 6)", R"("steps": 6,
            "clip_norm": 2)"));
        const Ended checked = test::weft({"check", "sparse.weft", "--json"}, here());
        QCOMPARE(checked.code, 3);
        QMap<QString, QJsonObject> problems;
        for (const QJsonValue problem :
             QJsonDocument::fromJson(checked.out.toUtf8()).object()["problems"].toArray()) {
            problems[problem["code"].toString()] = problem.toObject();
        }
        QVERIFY2(problems.contains("W072"), qPrintable(checked.out + checked.error));
        QCOMPARE(problems["E069"].value("layer").toString(), QString("code"));
        const QJsonArray edits = problems["E069"].value("fix").toObject().value("edits").toArray();
        QCOMPARE(edits, (QJsonArray{QJsonObject{{"verb", "data"},
                                                {"arguments", QJsonArray{"last_batch", "wrap"}}}}));
        for (const char* last : {"wrap", "drop"}) {
            const Ended ended = ask("run", {.count = 44, .lastBatch = last});
            QVERIFY2(ended.code == 0, qPrintable(ended.error));
        }
    }

    void goesOnWithItsPotentials() {
        const Ended ended = ask("run", {}, {"--devices", "cpu:0"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = runsIn(here()).front();
        const QString last = checkpointsIn(run).back();
        const QByteArray before = bytesOf(last);
        QVERIFY(tensorOf(last, "code.potential").size() == 10 * 6 * 8 * 8 * 4);
        QVERIFY(QFile::remove(last));
        const Ended resumed = test::weft({"resume", run, "--devices", "cpu:0"}, here());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(bytesOf(last), before);
    }

    void goesOnWithOtherNumbersOfElements_data() {
        QTest::addColumn<QByteArray>("batch");
        QTest::addColumn<QString>("said");
        QTest::newRow("fewer") << QByteArray("\"batch\": 4")
                               << "contains 10 batch elements, but the design has 4: the last";
        QTest::newRow("more") << QByteArray("\"batch\": 20")
                              << "contains 10 batch elements, but the design has 20: the stored";
    }
    void goesOnWithOtherNumbersOfElements() {
        QFETCH(QByteArray, batch);
        QFETCH(QString, said);
        QCOMPARE(ask("run", {}, {"--devices", "cpu:0"}).code, 0);
        const QString run = runsIn(here()).front();
        QVERIFY(QFile::remove(checkpointsIn(run).back()));
        QByteArray design = bytesOf(run + "/design.weft");
        QVERIFY(design.contains("\"batch\": 10"));
        writeBytes(run + "/design.weft", design.replace("\"batch\": 10", batch));
        const Ended resumed = test::weft({"resume", run, "--devices", "cpu:0"}, here());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QVERIFY2((resumed.out + resumed.error).contains(said),
                 qPrintable(resumed.out + resumed.error));
    }

    /// The same picture again and again: what was left of the last time goes on.
    void infersAlongAFilm_data() {
        QTest::addColumn<QString>("start");
        QTest::newRow("warm") << "warm";
        QTest::newRow("from rest") << "rest";
    }
    void infersAlongAFilm() {
        QFETCH(QString, start);
        QCOMPARE(ask("run", {}, {"--set", "code.start=" + start}).code, 0);
        constexpr std::int64_t frames = 4;
        constexpr std::size_t numbers = std::size_t{3} * 64 * 64;
        std::vector<float> film;
        for (std::size_t k = 0; k < frames * numbers; ++k) {
            film.push_back(std::sin(static_cast<float>(k % numbers)));
        }
        writeNpy((here() + "/film.npy").toStdString(), DType::f32, {frames, 3, 64, 64},
                 std::as_bytes(std::span(film)));
        const Ended ended = test::weft(
            {"infer", runsIn(here()).front(), "--input", "film.npy", "--output", "out.npy"},
            here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const Array energies = readNpy((here() + "/out.code.energy.npy").toStdString(), DType::f32);
        QCOMPARE(toString(energies.shape), toString(Shape{frames}));
        std::vector<float> energy(frames);
        std::memcpy(energy.data(), energies.bytes.data(), frames * sizeof(float));
        for (std::size_t k = 1; k < energy.size(); ++k) {
            QVERIFY(start == "warm" ? energy[k] < energy[k - 1] : energy[k] == energy[0]);
        }
    }

    void hasTheSameElementsOnAnyDevices_data() {
        QTest::addColumn<QString>("devices");
        QTest::newRow("two") << "cpu:0,cpu:1";
        QTest::newRow("three, unevenly") << "cpu:0,cpu:1,cpu:2";
        QTest::newRow("four, unevenly") << "cpu:0,cpu:1,cpu:2,cpu:3";
    }
    void hasTheSameElementsOnAnyDevices() {
        QFETCH(QString, devices);
        const SparseDesign frozen{.steps = 4, .assign = "batch", .isFrozen = true};
        for (const QString& on : {QString("cpu:0"), devices}) {
            const Ended ended = ask("run", frozen, {"--devices", on});
            QVERIFY2(ended.code == 0, qPrintable(ended.error));
        }
        const QStringList runs = runsIn(here());
        const QByteArray one = tensorOf(checkpointsIn(runs[0]).back(), "code.potential");
        QVERIFY(!one.isEmpty());
        QVERIFY(one == tensorOf(checkpointsIn(runs[1]).back(), "code.potential"));
    }
};

std::unique_ptr<QObject> makeTestSparse() { return std::make_unique<TestSparse>(); }
#include "tst_sparse.moc"
