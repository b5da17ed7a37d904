// SPDX-License-Identifier: Apache-2.0
// Errors in a file are reported by every verb that reads a design, with the file's name and a fix,
// and never as an internal error.
#include "cli/weft_process.h"
#include "support/places.h"
#include "support/test_main.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <thread>

using namespace weft;
using namespace weft::test;

namespace {

constexpr const char* attending = R"({"weft": 1, "name": "attending",
 "data": {"source": {"kind": "random", "with": {"count": 12, "shape": [5, 6]}}, "batch": 4,
  "feeds": {"x": "images", "digit": "labels"}},
 "training": {"optimizer": "adam", "steps": 2, "checkpoint_every": 1},
 "layers": [
  {"name": "x", "kind": "input", "with": {"shape": [5, 6]}},
  {"name": "look", "kind": "attention", "with": {"heads": 2}},
  {"name": "flat", "kind": "flatten"},
  {"name": "fc", "kind": "dense", "with": {"units": 10}},
  {"name": "digit", "kind": "input", "with": {"dtype": "i64"}},
  {"name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["x -> look.x", "look -> flat", "flat -> fc", "fc -> loss.logits", "digit -> loss.target"]}
)";

} // namespace

class TestRefusals : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] QString here() const { return folder_.path(); }
    [[nodiscard]] Ended say(const QStringList& words) const { return test::weft(words, here()); }
    [[nodiscard]] QString changed(const QByteArray& from, const QByteArray& to) const {
        QByteArray text = bytesOf(here() + "/small.weft");
        const QByteArray before = text;
        text.replace(from, to);
        QString name = "changed.weft";
        writeBytes(here() + "/" + name, text == before ? QByteArray("not changed") : text);
        return name;
    }
    [[nodiscard]] QString newestCheckpoint(const QString& run) const {
        const QDir folder(run + "/checkpoints");
        return folder.filePath(folder.entryList({"*.safetensors"}, QDir::Files, QDir::Name).last());
    }
    static void isNoFaultOfOurs(const Ended& ended) {
        for (const char* words : {"invariant", "fault of Weft", "std::", "terminate"}) {
            QVERIFY2(!(ended.out + ended.error).contains(words),
                     qPrintable(ended.out + ended.error));
        }
    }

private Q_SLOTS:
    void initTestCase() { writeDesign(here() + "/small.weft", {.steps = 2, .checkpointEvery = 1}); }

    void refusesWhatCheckRefuses_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* from, const char* to, const char* says) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString(says);
        };
        const char* momentum = R"("momentum": 0.9)";
        row("momentum in words", momentum, R"("momentum": "high")", "E003 training.momentum");
        row("momentum true", momentum, R"("momentum": true)", "E003 training.momentum");
        row("momentum mistyped", momentum, R"("momentumm": 0.9)", "write momentum");
        row("momentum beyond 1", momentum, R"("momentum": 1.5)", "E004 training.momentum");
        row("rate below 0", R"("learning_rate": 0.05)", R"("learning_rate": -1)",
            "E064 training.learning_rate");
        row("optimizer", R"("kind": "sgd")", R"("kind": "sdg")", "write sgd");
        row("warm-up in words", R"("steps": 2)",
            R"("steps": 2, "schedule": {"kind": "cosine", "with": {"warmup_steps": "five"}})",
            "E003 training.warmup_steps");
        row("target that none gives", R"("steps": 2)",
            R"("steps": 2, "target": {"metric": "accuracyy", "value": 1})",
            "E067 training.target.metric");
        row("epochs beyond counting", R"("steps": 2)", R"("epochs": 1e300)",
            "E066 training.epochs");
        row("batch below 1", R"("batch": 30)", R"("batch": -1)", "E504 data.batch");
        row("rate beyond single precision", R"("learning_rate": 0.05)", R"("learning_rate": 1e39)",
            "E064 training.learning_rate");
        row("device without a number", R"("weft": 1)", R"("weft": 1, "devices": ["cpu:-1"])",
            "E038");
        row("device of more cores than any", R"("weft": 1)",
            R"("weft": 1, "devices": [{"name": "cpu:0", "cores": 65536}])", "E038");
        row("GPU of so many cores", R"("weft": 1)",
            R"("weft": 1, "devices": [{"name": "cuda:0", "cores": 4}])",
            "E038 devices: cuda:0 cannot have cores");
        row("precision by another name", R"("precision": "exact")", R"("precision": "f32")",
            "E063 training.precision: precision is \"f32\"; the choices of training are exact, "
            "tf32, bf16: "
            "write exact");
        row("mesh below 1", R"("assign": "follow")", R"("assign": {"axes": "data", "mesh": [-2]})",
            "E101 mesh: assign: mesh is [-2]; expected a list of whole numbers of at least 1");
        row("words beyond the axes", R"("assign": "follow")",
            R"("assign": ["data", "model.stack"])", "E033");
        row("feed that is no word", R"("picture": "images")", R"("picture": 5)",
            "E101 feeds: data: feeds.picture is a whole number; expected the name of a field of "
            "the data: write \"picture\": \"images\"");
        row("feeds in one word", R"({"picture": "images", "digit": "labels"})", R"("images")",
            "E101 feeds: data: feeds is a text; expected an object that assigns a field of the "
            "data to each input layer: "
            "write \"feeds\": {\"LAYER\": \"images\"}");
        row("source", R"("kind": "digits")", R"("kind": "digit")", "write digits");
        row("scheme", R"("relu.y -> flat.x")",
            R"({"from": "relu.y", "to": "flat.x", "scheme": "hole"})", "write whole");
        row("wire to itself", R"("relu.y -> flat.x")", R"("flat.y -> flat.x")", "flat");
        row("cycle", R"("picture.y -> conv.x")", R"("relu.y -> conv.x")", "E011");
        row("layer twice", R"("id": 4, "name": "flat")", R"("id": 4, "name": "relu")", "E007");
        row("target of f32", R"("dtype": "i64", )", "",
            "E013 loss.target: input is f32; softmax_cross_entropy needs whole numbers: set "
            "dtype to i64 in digit");
        row("pictures of i64", R"("shape": [1, 28, 28])", R"("shape": [1, 28, 28], "dtype": "i64")",
            "set dtype to f32 in picture");
    }
    void refusesWhatCheckRefuses() {
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const QString, says);
        const QString file = changed(from, to);
        const Ended checked = say({"check", file});
        QVERIFY2(checked.code == 3 && checked.out.contains(says), qPrintable(checked.out));
        for (const char* verb : {"plan", "run"}) {
            const Ended ended = say({verb, file});
            QVERIFY2(ended.code == 3 && ended.error.contains(file),
                     qPrintable(QString("%1 %2: %3").arg(verb).arg(ended.code).arg(ended.error)));
            isNoFaultOfOurs(ended);
        }
        QVERIFY2(!QDir(here() + "/runs").exists(), "a run began");
    }

    void everyVerbThatTakesADesignRefusesIt_data() {
        QTest::addColumn<QStringList>("words");
        for (const char* verb : {"plan", "explain", "export", "prove", "bench", "run"}) {
            QTest::newRow(verb) << QStringList{verb, "FILE"};
        }
        QTest::newRow("plan --estimate") << QStringList{"plan", "FILE", "--estimate"};
        QTest::newRow("run on ranks") << QStringList{"run", "FILE", "--ranks", "2"};
        QTest::newRow("eval") << QStringList{"eval", "FILE", "--weights", "small.weft"};
        QTest::newRow("infer") << QStringList{"infer",      "FILE",    "--weights",
                                              "small.weft", "--input", "small.weft"};
    }
    void everyVerbThatTakesADesignRefusesIt() {
        QFETCH(QStringList, words);
        words.replaceInStrings("FILE", changed(R"("batch": 30)", R"("batch": -1)"));
        const Ended ended = say(words);
        QVERIFY2(ended.code == 3 && ended.error.contains("changed.weft") &&
                     ended.error.contains("batch is -1"),
                 qPrintable(QString::number(ended.code) + ended.error));
        QCOMPARE(ended.out, QString());
    }

    void aBatchWithoutAFullStepIsRefusedBeforeAnythingIsTaken() {
        for (const QStringList& words :
             {QStringList{"run"}, {"bench"}, {"eval", "--weights", "small.weft"}}) {
            const Ended ended =
                say(words + QStringList{"small.weft", "--set", "data.batch=100000000"});
            QVERIFY2(ended.code == 3 &&
                         ended.error.contains("small.weft: E045 data.batch is 100000000, "
                                              "but the run trains on only "),
                     qPrintable(QString::number(ended.code) + ended.error));
        }
    }

    void memoryThatIsNotThereIsRefusedBeforeAnythingIsTaken() {
        const Ended ended = say({"run", "small.weft", "--set", "data.batch=100000000", "--set",
                                 "data.last_batch=wrap"});
        QVERIFY2(ended.code == 4 &&
                     ended.error.contains("small.weft: cpu:0 with data.batch 100000000 needs ") &&
                     ended.error.contains("set data.batch to "),
                 qPrintable(QString::number(ended.code) + ended.error));
        const Ended checked = say(
            {"check", changed(R"("batch": 30)", R"("batch": 100000000, "last_batch": "wrap")")});
        QVERIFY2(checked.code == 0 && checked.out.contains("W070") &&
                     checked.out.contains("lower the batch to "),
                 qPrintable(checked.out));
    }

    void devicesBeyondTheCoresAreNoFaster() {
        const auto cores = static_cast<int>(std::thread::hardware_concurrency());
        const QString file = changed(R"("assign": "follow")", R"("assign": "data")");
        double before = 0;
        for (const int devices : {cores, 2 * cores, 4 * cores}) {
            QStringList names;
            for (int k = 0; k < devices; ++k) {
                names << QString("cpu:%1").arg(k);
            }
            const Ended planned =
                say({"plan", file, "--estimate", "--json", "--devices", names.join(',')});
            QVERIFY2(planned.code == 0, qPrintable(planned.error));
            const QJsonObject plan = QJsonDocument::fromJson(planned.out.toUtf8()).object();
            const double step = plan["estimate"]["step_ns"].toDouble();
            QVERIFY2(step >= before && step > 0, qPrintable(planned.out));
            before = step;
            const QString says =
                QString("take %1 cores, but it has only %2").arg(devices).arg(cores);
            const QString warned = plan["warnings"].toVariant().toStringList().join('\n');
            QVERIFY2(warned.contains("W071") == (devices > cores) &&
                         warned.contains(says) == (devices > cores),
                     qPrintable(warned));
            if (devices == 2 * cores) {
                const Ended ran = say({"run", file, "--devices", names.join(',')});
                QVERIFY2(ran.code == 0 && (ran.out + ran.error).contains(says),
                         qPrintable(ran.out + ran.error));
            }
        }
    }

    void aDraftsVersionIsNone() {
        const Ended ended = say({"check", changed(R"("weft": 1)", R"("weft": 0)")});
        QVERIFY2(ended.code == 4 && ended.error.contains("versions count from 1"),
                 qPrintable(ended.error));
    }

    void nothingInAFileSteersTheTerminal() {
        const QString file = changed("flat", R"(flat\u001b[31m\u0000\nred)");
        const QString name = "odd\x1b[2J\n.weft";
        QVERIFY(QFile::rename(here() + "/" + file, here() + "/" + name));
        for (const char* verb : {"check", "plan", "run"}) {
            const Ended ended = say({verb, name});
            const QString all = ended.out + ended.error;
            QCOMPARE(ended.code, 3);
            QVERIFY2(!all.contains('\x1b') && !all.contains(QChar(0)), qPrintable(all));
            QVERIFY2(all.contains("odd\\x1b[2J\\n.weft") &&
                         all.contains("flat\\x1b[31m\\x00\\nred"),
                     qPrintable(all));
        }
    }

    void aSettingSaysWhatItTakes() {
        const Ended ended = say({"run", "small.weft", "--set", "training.steps=five"});
        QVERIFY2(ended.code == 2 && ended.error.contains("expected a whole number: write"),
                 qPrintable(ended.error));
    }

    void optionsLeaveTheFileAlone() {
        QCOMPARE(say({"plan", "--devices", "cpu:0", "small.weft"}).code, 0);
        QCOMPARE(say({"prove", "--set", "training.seed=2", "small.weft"}).code, 0);
        const Ended ended = say({"infer", "--input", "small.weft", "small.weft"});
        QVERIFY2(ended.error.contains("contains no weights"), qPrintable(ended.error));
    }

    void refusesNumbersThatMeanNothing_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("nodes") << QStringList{"export", "small.weft", "--nodes", "-1"};
        QTest::newRow("ranks") << QStringList{"export", "small.weft", "--ranks-per-node", "0"};
        QTest::newRow("minutes") << QStringList{"export", "small.weft", "--minutes", "-5"};
        QTest::newRow("steps") << QStringList{"bench", "small.weft", "--steps", "-1"};
        QTest::newRow("threads") << QStringList{"bench", "small.weft", "--threads", "-1"};
        QTest::newRow("batches") << QStringList{"bench", "small.weft", "--batches", "0"};
        QTest::newRow("too many steps")
            << QStringList{"bench", "small.weft", "--steps", "99999999"};
        QTest::newRow("tolerance") << QStringList{"prove", "small.weft", "--tolerance", "nan"};
        QTest::newRow("no ranks") << QStringList{"plan", "small.weft", "--ranks", "0"};
        QTest::newRow("ranks beyond the devices")
            << QStringList{"plan", "small.weft", "--devices", "cpu:0,cpu:1", "--ranks", "5"};
        QTest::newRow("hosts beyond the ranks")
            << QStringList{"plan", "small.weft", "--hosts", "2"};
        QTest::newRow("no device") << QStringList{"plan", "small.weft", "--devices", ""};
        QTest::newRow("no device at all")
            << QStringList{"export", "small.weft", "--devices", "x y"};
    }
    void refusesNumbersThatMeanNothing() {
        QFETCH(const QStringList, words);
        const Ended ended = say(words);
        QVERIFY2(ended.code == 2 && ended.error.size() < 400,
                 qPrintable(QString::number(ended.code) + ended.error));
    }

    void saysThatAFullDeviceTookNothing() {
        const QString program = QString::fromStdString(weftProgram().string());
        for (const char* words : {"layers", "--help", "check small.weft"}) {
            const Ended ended = startedBy(
                "sh", {"-c", QString("%1 %2 > /dev/full").arg(program, words)}, {}, here());
            QVERIFY2(ended.code == 4 && ended.error.contains("standard output"),
                     qPrintable(QString::number(ended.code) + ended.error));
        }
    }

    void saysThatNothingWasProvedWhereNothingIsSplit() {
        const Ended alone = say({"prove", "small.weft", "--steps", "1"});
        QVERIFY2(alone.code == 0 && alone.out.contains("nothing was proved"),
                 qPrintable(alone.out + alone.error));
        const Ended spread = say({"prove", changed(R"("assign": "follow")", R"("assign": "data")"),
                                  "--steps", "1", "--devices", "cpu:0,cpu:1"});
        QVERIFY2(spread.out.contains("match those of one device"),
                 qPrintable(spread.out + spread.error));
    }

    /// A word that splits nothing but a layer's bias splits nothing; one input channel is summed.
    void offersAWordWhereItSplitsTheLayersWork() {
        const QString spatial =
            changed(R"("stride": 2}})", R"("stride": 2}, "assign": "space.rows"})");
        for (const QStringList& words :
             {QStringList{"plan", spatial},
              {"infer", spatial, "--weights", "no.safetensors", "--input", "no.npy"}}) {
            const Ended refused = say(words + QStringList{"--devices", "cpu:0,cpu:1"});
            QVERIFY2(refused.code == 3 && refused.error.contains(spatial + ": E") &&
                         refused.error.contains("halo exchange"),
                     qPrintable(refused.out + refused.error));
        }
        const QString summed =
            changed(R"("stride": 2}})", R"("stride": 2}, "assign": "model.add"})");
        const Ended proved = say({"prove", summed, "--steps", "1", "--devices", "cpu:0,cpu:1"});
        QVERIFY2(proved.out.contains("match those of one device"),
                 qPrintable(proved.out + proved.error));
    }

    void namesTheWeightsThatAreNotThere() {
        QCOMPARE(say({"run", "small.weft", "--run", "first"}).code, 0);
        const QString weights = newestCheckpoint(here() + "/first");
        const Ended all = say({"eval", "small.weft", "--weights", weights});
        QVERIFY2(all.code == 0 && all.error.isEmpty(), qPrintable(all.error));
        const QString other = changed("fc2", "head");
        for (const QStringList& words :
             {QStringList{"eval", other}, QStringList{"run", other, "--run", "second"},
              QStringList{"bench", other, "--steps", "1", "--warmup", "0"}}) {
            const Ended some = say(words + QStringList{"--weights", weights});
            const QString said = some.out + some.error;
            QVERIFY2(some.code == 0 && said.contains("contains no head.weight, head.bias") &&
                         said.contains("no fc2.weight, fc2.bias, which are"),
                     qPrintable(said));
        }
    }

    void refusesWeightsOfWhichNothingFits() {
        writeBytes(here() + "/attending.weft", attending);
        for (const char* verb : {"run", "eval"}) {
            const Ended ended =
                say({verb, "attending.weft", "--weights", newestCheckpoint(here() + "/first")});
            QVERIFY2(ended.code == 4 && ended.error.contains("fc1.weight") &&
                         ended.error.contains("look.out_proj.weight"),
                     qPrintable(QString::number(ended.code) + ended.error));
        }
    }

    void savesTheNamesThatLoad() {
        const Ended ran = say({"run", "attending.weft", "--run", "attending"});
        QVERIFY2(ran.code == 0, qPrintable(ran.error));
        const QString weights = newestCheckpoint(here() + "/attending");
        const QByteArray header = bytesOf(weights).left(8192);
        for (const char* name :
             {"look.in_proj_weight", "look.in_proj_bias", "look.out_proj.weight"}) {
            QVERIFY2(header.contains('"' + QByteArray(name) + '"'), name);
        }
        QVERIFY(header.contains("look.in_proj_weight/") && !header.contains("q_proj"));
        const Ended loaded = say({"eval", "attending.weft", "--weights", weights, "--set",
                                  "data.source.with.test_count=4"});
        QVERIFY2(loaded.code == 0 && loaded.error.isEmpty(), qPrintable(loaded.error));
        const Ended went = say({"resume", "attending", "--set", "training.steps=4"});
        QVERIFY2(went.code == 0, qPrintable(went.error));
    }
};

std::unique_ptr<QObject> makeTestRefusals() { return std::make_unique<TestRefusals>(); }
#include "tst_refusals.moc"
