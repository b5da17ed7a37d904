// SPDX-License-Identifier: Apache-2.0
// The program on the stand-in for a GPU whose products are planned by a library, exactly or rounded
// as a design says: trained, explained, planned, proved, and refused where nothing rounds so.

#include "cli/sparse_design.h"
#include "cli/weft_process.h"
#include "data/arrays/npy.h"
#include "gpu/sim_program.h"
#include "support/places.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using namespace weft;
using namespace weft::test;

class TestSimRounding : public SimProgramTest {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }

    /// Uses plans of the library's stand-in, which are chosen by name, and rounded only in that
    /// case.
    void trainsByPlans_data() {
        QTest::addColumn<QString>("precision");
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::newRow("exactly") << "exact"
                                 << " cudnn\n"
                                 << 0.0 << 1e-4;
        QTest::newRow("in TF32") << "tf32"
                                 << " cudnn in TF32\n"
                                 << 1e-7 << 1e-2;
        QTest::newRow("in bf16") << "bf16"
                                 << " cudnn in bf16\n"
                                 << 1e-5 << 5e-2;
    }
    void trainsByPlans() {
        QFETCH(QString, precision);
        QFETCH(QString, kernel);
        QFETCH(double, least);
        QFETCH(double, most);
        writeDesign(here() + "/small.weft", {.steps = 4});
        const std::vector<double> one = trained("cpu:0");
        writeDesign(here() + "/small.weft", {.steps = 4, .precision = precision});
        const auto byPlans = [&](const QStringList& words) {
            return startedBy("env", {"WEFT_SIM_KERNELS=cuda", simProgram()}, words, here());
        };
        const Ended explained =
            byPlans({"explain", "small.weft", "--devices", "sim:0", "--stage", "kernels"});
        QVERIFY2(explained.out.contains(kernel), qPrintable(explained.out + explained.error));
        const Ended ended = byPlans({"run", "small.weft", "--devices", "sim:0"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const double difference = largestDifference(one, lossesOf(runsIn(here()).last()));
        QVERIFY2(difference >= least && difference < most, qPrintable(QString::number(difference)));
    }

    /// Whose products are rounded by kernels of our own.
    void trainsAttention_data() {
        QTest::addColumn<QString>("precision");
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<double>("most");
        QTest::newRow("exactly") << "exact"
                                 << " cuda\n"
                                 << 1e-4;
        QTest::newRow("in TF32") << "tf32"
                                 << " cuda in TF32\n"
                                 << 1e-2;
        QTest::newRow("in bf16") << "bf16"
                                 << " cuda in bf16\n"
                                 << 5e-2;
    }
    void trainsAttention() {
        QFETCH(QString, precision);
        QFETCH(QString, kernel);
        QFETCH(double, most);
        const auto written = [&](const QString& in) {
            QFile file(here() + "/attends.weft");
            [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
            file.write(QString(R"({"weft": 1, "data": {"source": {"kind": "random",
                "with": {"classes": 11, "count": 16, "shape": [21], "values": "ids"}},
                "feeds": {"next": "targets", "text": "ids"}, "batch": 2},
                "training": {"steps": 3, "learning_rate": 0.05, "precision": "%1"},
                "layers": [
                {"name": "text", "kind": "input", "with": {"dtype": "i64", "shape": [21]}},
                {"name": "next", "kind": "input", "with": {"dtype": "i64", "shape": [21]}},
                {"name": "embed", "kind": "embedding", "with": {"rows": 11, "features": 24}},
                {"name": "mix", "kind": "attention", "with": {"causal": true, "heads": 2}},
                {"name": "head", "kind": "dense", "with": {"units": 11}},
                {"name": "loss", "kind": "softmax_cross_entropy"}],
                "wires": ["text -> embed", "embed -> mix", "mix -> head", "head -> loss.logits",
                "next -> loss.target"]})")
                           .arg(in)
                           .toUtf8());
        };
        const auto run = [&](const QString& device) {
            return startedBy("env", {"WEFT_SIM_KERNELS=cuda", simProgram()},
                             {"run", "attends.weft", "--devices", device}, here());
        };
        written("exact");
        const Ended one = run("cpu:0");
        QVERIFY2(one.code == 0, qPrintable(one.error));
        const std::vector<double> losses = lossesOf(runsIn(here()).last());
        written(precision);
        const Ended explained = startedBy(
            "env", {"WEFT_SIM_KERNELS=cuda", simProgram()},
            {"explain", "attends.weft", "--devices", "sim:0", "--stage", "kernels"}, here());
        for (const char* op : {"attention", "attention_dq", "attention_dk", "attention_dv"}) {
            const QRegularExpression line("mix: " + QString(op) + " +" + kernel.trimmed() + "\n");
            QVERIFY2(explained.out.contains(line), qPrintable(explained.out + explained.error));
        }
        const Ended ended = run("sim:0");
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const double difference = largestDifference(losses, lossesOf(runsIn(here()).last()));
        QVERIFY2(difference < most && (difference > 1e-7) == (precision != "exact"),
                 qPrintable(QString::number(difference)));
    }

    /// Where the library is missing, own kernels are planned, shown and run; what is planned for
    /// elsewhere is not.
    void plansByWhatIsThere_data() {
        QTest::addColumn<QString>("precision");
        QTest::newRow("exactly") << "exact";
        QTest::newRow("in TF32") << "tf32";
    }
    void plansByWhatIsThere() {
        QFETCH(QString, precision);
        writeDesign(here() + "/small.weft", {.steps = 4, .precision = precision});
        const auto without = [&](const QStringList& words) {
            return startedBy(
                "env", {"WEFT_SIM_KERNELS=cuda", "WEFT_SIM_LACKS=libcudnn.so.9", simProgram()},
                words, here());
        };
        const QStringList kernels{"explain", "small.weft", "--devices",
                                  "sim:0",   "--stage",    "kernels"};
        const Ended explained = without(kernels);
        QVERIFY2(!explained.out.contains(" cudnn\n") && !explained.out.contains(" cudnn in TF32\n"),
                 qPrintable(explained.out + explained.error));
        QVERIFY2(explained.out.contains("refused: libcudnn.so.9 was not found"),
                 qPrintable(explained.out));
        QCOMPARE(explained.out.contains("no kernel of this device rounds"), precision == "tf32");
        const Ended planned = without({"plan", "small.weft", "--devices", "sim:0"});
        QCOMPARE(
            (planned.out + planned.error).contains("supports TF32, so that all compute in f32"),
            precision == "tf32");
        const Ended ended = without({"run", "small.weft", "--devices", "sim:0"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = runsIn(here()).last();
        QVERIFY(!bytesOf(run + "/selection.json").contains("cudnn"));
        writeDesign(here() + "/small.weft", {.steps = 4});
        QVERIFY(largestDifference(trained("cpu:0"), lossesOf(run)) < 1e-4);
    }

    /// A precision that no kernel supports is refused by the verbs that plan and those that run.
    void refusesBf16WhereNothingComputesInIt_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("why");
        QTest::newRow("a processor")
            << "cpu:0"
            << "cpu:0 computes nothing in bf16: the device has no kernels for that precision";
        QTest::newRow("no library")
            << "sim:0"
            << "sim:0 computes nothing in bf16: libcudnn.so.9 was not found";
    }
    void refusesBf16WhereNothingComputesInIt() {
        QFETCH(QString, device);
        QFETCH(QString, why);
        writeDesign(here() + "/small.weft", {.steps = 4, .precision = "bf16"});
        for (const char* verb : {"plan", "explain", "run", "prove"}) {
            QStringList words{verb, "small.weft", "--devices", device};
            words +=
                QByteArray(verb) == "explain" ? QStringList{"--stage", "kernels"} : QStringList();
            const Ended ended = startedBy(
                "env", {"WEFT_SIM_KERNELS=cuda", "WEFT_SIM_LACKS=libcudnn.so.9", simProgram()},
                words, here());
            QVERIFY2(ended.code != 0, verb);
            QVERIFY2((ended.out + ended.error).contains(why),
                     qPrintable(verb + ("\n" + ended.out) + ended.error));
        }
        QVERIFY(runsIn(here()).isEmpty());
    }

    /// Weights trained in bf16 are used exactly by a device without bf16.
    void answersExactlyWhereNothingRounds() {
        writeDesign(here() + "/small.weft", {.steps = 4, .precision = "bf16"});
        QCOMPARE(sim({"run", "small.weft", "--devices", "sim:0"}).code, 0);
        const std::vector<float> picture(784, 0.5F);
        writeNpy((here() + "/grey.npy").toStdString(), DType::f32, {1, 1, 28, 28},
                 std::as_bytes(std::span(picture)));
        const Ended ended =
            sim({"infer", runsIn(here()).last(), "--input", "grey.npy", "--devices", "cpu:0"});
        QVERIFY2(ended.code == 0, qPrintable(ended.out + ended.error));
    }

    /// By the rate for that, of what rounds.
    void isPlannedByWhatRounds() {
        const auto project = sourceFolder() / "projects/alexnet-one-weird-trick/design.weft";
        QJsonObject design =
            QJsonDocument::fromJson(bytesOf(QString::fromStdString(project.string()))).object();
        QJsonObject training = design["training"].toObject();
        const auto stepOn = [&](const char* precision, const char* device) {
            training["precision"] = precision;
            design["training"] = training;
            QFile file(here() + "/wide.weft");
            [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
            file.write(QJsonDocument(design).toJson());
            file.close();
            const Ended ended =
                startedBy("env", {"WEFT_SIM_KERNELS=cuda", simProgram()},
                          {"plan", "wide.weft", "--json", "--devices", device}, here());
            return QJsonDocument::fromJson(ended.out.toUtf8())["step_nanoseconds"].toDouble();
        };
        const double exact = stepOn("exact", "sim:0");
        QVERIFY(exact > 0);
        QVERIFY(stepOn("tf32", "sim:0") < exact / 2);
        QVERIFY(stepOn("bf16", "sim:0") < exact / 2);
        QCOMPARE(stepOn("tf32", "cpu:0"), stepOn("exact", "cpu:0"));
    }

    /// Spread as on one device, within what rounding makes of sums in another order.
    void isProvedRounded_data() {
        QTest::addColumn<QString>("precision");
        QTest::addColumn<QString>("tolerance");
        QTest::newRow("to TF32") << "tf32"
                                 << "0.01";
        QTest::newRow("to bf16") << "bf16"
                                 << "0.05";
    }
    void isProvedRounded() {
        QFETCH(QString, precision);
        QFETCH(QString, tolerance);
        writeDesign(here() + "/small.weft", {.assign = "data", .precision = precision});
        const Ended ended = sim({"prove", "small.weft", "--devices", "sim:0,sim:1"});
        QVERIFY2(ended.code == 0, qPrintable(ended.out + ended.error));
        QVERIFY2(ended.out.contains(tolerance), qPrintable(ended.out));
    }

    /// A mistake of the spread shows exactly, too; what rounding alone does, does not.
    void whatRoundingMayHaveDoneIsProvedExactly() {
        writeDesign(here() + "/small.weft", {.assign = "data", .precision = "bf16"});
        QStringList words{"prove", "small.weft", "--devices", "sim:0,sim:1", "--tolerance", "0"};
        const QString hint = "--set training.precision=exact";
        const Ended rounded = sim(words);
        QCOMPARE(rounded.code, 1);
        QVERIFY2(rounded.out.contains(hint), qPrintable(rounded.out));
        const Ended exact = sim(words << "--set"
                                      << "training.precision=exact");
        QCOMPARE(exact.code, 1);
        QVERIFY2(!exact.out.contains(hint), qPrintable(exact.out));
    }

    /// Where no kernel rounds, nothing changes, and that is said.
    void computesExactlyWhereNothingRounds() {
        writeDesign(here() + "/small.weft", {.steps = 4});
        const std::vector<double> exact = trained("cpu:0");
        writeDesign(here() + "/small.weft", {.steps = 4, .precision = "tf32"});
        QCOMPARE(trained("cpu:0"), exact);
        const auto said = [&](const char* verb, const char* device) {
            QStringList words{verb, "small.weft", "--devices", device};
            words +=
                QByteArray(verb) == "explain" ? QStringList{"--stage", "kernels"} : QStringList();
            const Ended ended = sim(words);
            return ended.out + ended.error;
        };
        const QString exactly = "computed in exact f32 here";
        QVERIFY(said("explain", "cpu:0").contains(exactly));
        QVERIFY(!said("explain", "sim:0").contains(exactly));
        const QString warning = "no device of the design supports TF32";
        QVERIFY(said("plan", "cpu:0").contains(warning));
        QVERIFY(!said("plan", "sim:0").contains(warning));
    }
};

std::unique_ptr<QObject> makeTestSimRounding() { return std::make_unique<TestSimRounding>(); }

#include "tst_sim_rounding.moc"
