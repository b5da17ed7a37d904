// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"
#include "support/test_main.h"
#include "weft_process.h"

#include <QDir>
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

QJsonObject objectIn(const QString& text) {
    return QJsonDocument::fromJson(text.toUtf8()).object();
}

/// A .npy file of so many pictures, all of one grey.
void writePictures(const QString& path, int count) {
    QByteArray header =
        QString("{'descr': '<f4', 'fortran_order': False, 'shape': (%1, 1, 28, 28), }")
            .arg(count)
            .toUtf8();
    while ((header.size() + 11) % 64 != 0) {
        header.append(' ');
    }
    header.append('\n');
    QByteArray file = QByteArray("\x93NUMPY\x01\x00", 8);
    file.append(static_cast<char>(header.size() & 0xff));
    file.append(static_cast<char>(header.size() >> 8));
    file.append(header);
    file.append(QByteArray(count * 28 * 28 * 4, '\0'));
    writeBytes(path, file);
}

} // namespace

/// Output and exit codes of the verbs: 0 success, 1 the run failed, 2 usage, 3 the design has
/// errors, 4 environment.
class TestVerbs : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    QString run_; ///< a run that ended

    [[nodiscard]] QString here() const { return folder_.path(); }
    [[nodiscard]] Ended say(const QStringList& words) const { return test::weft(words, here()); }

private Q_SLOTS:
    void initTestCase() {
        writeDesign(here() + "/small.weft", {.steps = 6, .checkpointEvery = 3});
        writeDesign(here() + "/spread.weft", {.steps = 6, .checkpointEvery = 3, .assign = "data"});
        QByteArray broken = bytesOf(here() + "/small.weft");
        broken.replace("flat.y -> fc1.x", "relu.y -> fc1.x");
        writeBytes(here() + "/broken.weft", broken);
        writeBytes(here() + "/nothing.weft", "not a design");
        QByteArray vast = bytesOf(here() + "/small.weft");
        vast.replace("\"batch\": 30", "\"batch\": 99999999999");
        writeBytes(here() + "/vast.weft", vast);
        const Ended ended = say({"run", "small.weft", "--devices", "cpu:0", "--observe", "conv"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        run_ = runsIn(here()).front();
        writePictures(here() + "/pictures.npy", 5);
    }

    void exitsAsDocumented_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        const auto row = [](const char* name, const QStringList& words, int code) {
            QTest::newRow(name) << words << code;
        };
        row("no verb", {}, 2);
        row("no such verb", {"fly"}, 2);
        row("help", {"--help"}, 0);
        row("version", {"--version"}, 0);
        row("new without a file", {"new"}, 2);
        row("new of no such template", {"new", "nonsense", "a.weft"}, 2);
        row("new over a file", {"new", "small.weft"}, 4);
        row("layers", {"layers"}, 0);
        row("layers of no such kind", {"layers", "nonsense"}, 2);
        row("check of errors", {"check", "broken.weft"}, 3);
        row("check of no file", {"check", "nowhere.weft"}, 4);
        row("check of no design", {"check", "nothing.weft"}, 4);
        row("explain of errors", {"explain", "broken.weft"}, 3);
        row("explain of no such stage", {"explain", "small.weft", "--stage", "x"}, 2);
        row("plan", {"plan", "small.weft"}, 0);
        row("plan of errors", {"plan", "broken.weft"}, 3);
        row("run of errors", {"run", "broken.weft"}, 3);
        row("run of no file", {"run", "nowhere.weft"}, 4);
        row("run on no such device", {"run", "small.weft", "--devices", "quantum:0"}, 4);
        row("run on a device twice", {"run", "small.weft", "--devices", "cpu:0,cpu:0"}, 2);
        row("check of a batch beyond all machines", {"check", "vast.weft"}, 3);
        row("run of a batch beyond all memory",
            {"run", "small.weft", "--runs", "huge", "--set", "data.batch=99999999999"}, 3);
        row("run of weights beyond all machines",
            {"run", "small.weft", "--set", "fc1.units=2000000000"}, 3);
        row("run with a setting that is none", {"run", "small.weft", "--set", "training.x=1"}, 2);
        row("run with an attribute that is none", {"run", "small.weft", "--set", "fc1.x=1"}, 2);
        row("run with half a setting", {"run", "small.weft", "--set", "training.steps"}, 2);
        row("resume of no run", {"resume", "nowhere"}, 4);
        row("eval without weights", {"eval", "small.weft"}, 2);
        row("eval of weights that are not there", {"eval", "small.weft", "--weights", "no"}, 4);
        row("infer without input", {"infer", "small.weft"}, 2);
        row("infer without weights", {"infer", "small.weft", "--input", "pictures.npy"}, 2);
        row("prove on no such device", {"prove", "small.weft", "--devices", "quantum:0"}, 4);
        row("prove of errors", {"prove", "broken.weft"}, 3);
        row("prove beyond any tolerance",
            {"prove", "spread.weft", "--devices", "cpu:0,cpu:1", "--tolerance", "0"}, 1);
        row("runs of a folder that is not there", {"runs", "nowhere"}, 0);
        row("attach to no run", {"attach", "nowhere"}, 4);
        row("attach to a folder that is none", {"attach", "."}, 4);
        row("show of no run", {"show", "nowhere"}, 4);
        row("tell to a run that ended", {"tell", "nowhere", "pause"}, 4);
        row("tell what no run does", {"tell", "nowhere", "fly"}, 2);
        row("bench of errors", {"bench", "broken.weft"}, 3);
        row("calibrate of no such backend", {"calibrate", "--backend", "quantum"}, 4);
        row("calibrate of no such design", {"calibrate", "--plans", "nowhere.weft"}, 4);
        row("calibrate what no library plans", {"calibrate", "--plans", "small.weft"}, 4);
        row("calibrate on devices of no design", {"calibrate", "--devices", "cpu:0"}, 2);
        row("calibrate one thing and another", {"calibrate", "--plans", "small.weft", "--no-ranks"},
            2);
    }
    void exitsAsDocumented() {
        QFETCH(const QStringList, words);
        QFETCH(const int, code);
        const Ended ended = say(words);
        QVERIFY2(ended.code == code, qPrintable(QString::number(ended.code) + ended.error));
        QVERIFY2(code == 0 || !(ended.error + ended.out).trimmed().isEmpty(), "it says nothing");
    }

    void saysWhatTheWordsOfTimeMean() {
        const Ended ended = say({"words"});
        QCOMPARE(ended.code, 0);
        QVERIFY(ended.error.isEmpty());
        qsizetype at = -1;
        for (const char* word : {"Iteration: ", "\nStep: ", "\nUpdate: ", "\nSync: "}) {
            QVERIFY2(ended.out.indexOf(word) > at, qPrintable(ended.out)); // from the shortest on
            at = ended.out.indexOf(word);
        }
        for (const char* name : {"update_period", "first_update", "sync_every"}) {
            const QString setting = say({"settings", QString("training.") + name}).out;
            QVERIFY2(setting.contains("weft words"), qPrintable(setting));
        }
        QVERIFY(say({"settings", "training.schedule"})
                    .out.contains("warmup_steps = 0: Linear warm-up from 0 over this many "
                                  "optimizer updates."));
    }

    void teachesWithAnExample_data() {
        QTest::addColumn<QString>("verb");
        for (const char* verb :
             {"new", "layers", "check", "data", "run", "resume", "eval", "infer", "prove", "runs",
              "attach", "show", "tell", "host", "devices", "export", "import"}) {
            QTest::newRow(verb) << QString(verb);
        }
    }
    void teachesWithAnExample() {
        QFETCH(const QString, verb);
        const Ended ended = say({verb, "--help"});
        QCOMPARE(ended.code, 0);
        QVERIFY2(ended.out.contains("weft " + verb), qPrintable(ended.out));
    }

    void beginsDesignsThatCheck() {
        const Ended list = say({"new", "--list"});
        QVERIFY2(list.out.contains("quickstart-digits"), qPrintable(list.out));
        QCOMPARE(say({"new", "quickstart-digits", "mine.weft"}).code, 0);
        QVERIFY(bytesOf(here() + "/mine.weft").contains("\"name\": \"mine\""));
        QCOMPARE(say({"check", "mine.weft"}).code, 0);
        QCOMPARE(say({"new", "empty.weft"}).code, 0);
        const QByteArray before = bytesOf(here() + "/mine.weft");
        QCOMPARE(say({"new", "empty.weft"}).code, 4);
        QCOMPARE(bytesOf(here() + "/mine.weft"), before);
    }

    void givesFixesToPrograms() {
        const Ended ended = say({"check", "broken.weft", "--json"});
        QCOMPARE(ended.code, 3);
        const QJsonObject said = objectIn(ended.out);
        QVERIFY2(said["errors"].toBool(), qPrintable(ended.out));
        const QJsonObject problem = said["problems"].toArray().first().toObject();
        QCOMPARE(problem["layer"].toString(), QString("fc1"));
        const QJsonObject edit = problem["fix"].toObject()["edits"].toArray().first().toObject();
        QCOMPARE(edit["verb"].toString(), QString("insert"));
    }

    /// The squared gradient norms of twenty parameters on two devices are sent as one number per
    /// device.
    void plansOneExchangeForTheNormOfAllGradients() {
        const auto design = sourceFolder() / "projects/two-tower-fusion/design.weft";
        const Ended plan = say({"plan", QString::fromStdString(design.string())});
        QCOMPARE(plan.code, 0);
        QStringList sent;
        for (const QString& line : plan.out.split('\n')) {
            if (line.startsWith("exchange")) {
                sent << line.simplified();
            }
        }
        QCOMPARE(sent.size(), 4); // the towers' meeting, there and back, the norm, the results
        QCOMPARE(sent[2], QString("exchange gradient norm, squared 4 B per device over threads"));
    }

    /// A device whose backend is not in this build is missing, and no package can add it.
    void offersNoDeviceThatItCannotOpen() {
        const Ended need = say({"devices", "--need", "cpu:0,hip:0"});
        QCOMPARE(need.code, 4);
        QVERIFY2(need.error.contains("hip:0: this build of Weft has no backend"),
                 qPrintable(need.error));
        QVERIFY(!need.error.contains("cpu:0"));
        QCOMPARE(say({"devices", "--need", "cpu:0"}).code, 0);
        QCOMPARE(say({"devices", "--ranks", "2"}).code, 2);
        const Ended plan = say({"plan", "small.weft", "--devices", "cpu:0,hip:0"});
        QCOMPARE(plan.code, 0);
        QVERIFY2(plan.out.endsWith("present on this machine: hip:0\n"), qPrintable(plan.out));
        const QJsonObject machine = objectIn(say({"devices", "--json"}).out);
        for (const QJsonValue each : machine["features"].toArray()) {
            const QString name = each["name"].toString();
            // Without a chip there is none, whatever this build has; nor what is between chips.
            if (name == "CUDA" || name == "NCCL") {
                const bool isHere = say({"devices", "--need", "cuda:0"}).code == 0;
                QCOMPARE(each["found"].toBool(), isHere);
            }
        }
    }

    void speaksJsonWhereAProgramReads() {
        QVERIFY(QJsonDocument::fromJson(say({"layers", "--json"}).out.toUtf8()).array().size() >
                15);
        QCOMPARE(objectIn(say({"layers", "dense", "--json"}).out)["kind"].toString(),
                 QString("dense"));
        const QJsonArray runs =
            QJsonDocument::fromJson(say({"runs", "--json"}).out.toUtf8()).array();
        QVERIFY(!runs.isEmpty());
        QCOMPARE(runs.last().toObject()["state"].toString(), QString("done"));
        const QJsonObject shown = objectIn(say({"show", run_, "--json"}).out);
        QVERIFY(shown["series"].toArray().size() >= 4);
        const QJsonObject proof =
            objectIn(say({"prove", "small.weft", "--devices", "cpu:0,cpu:1", "--json"}).out);
        QVERIFY(proof["holds"].toBool());
        QCOMPARE(proof["first_over"].toString(), QString());
    }

    void changesSettingsForOneRun() {
        const Ended ended =
            say({"run", "small.weft", "--devices", "cpu:0", "--set", "training.steps=2", "--set",
                 "fc1.units=8", "--runs", "set", "--json"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QJsonObject said = objectIn(ended.out);
        QCOMPARE(said["state"].toString(), QString("finished"));
        QCOMPARE(said["steps"].toInt(), 2);
        const QByteArray kept = bytesOf(said["run"].toString() + "/design.weft");
        QVERIFY(kept.contains("\"units\": 8"));
        // Places are the window's to give.
        QVERIFY2(!kept.contains("\"at\""), kept.constData());
        const Ended wrong = say({"run", "small.weft", "--set", "fc1.size=8"});
        QVERIFY2(wrong.error.contains("units"), qPrintable(wrong.error));
    }

    void followsARunFromItsFirstStep() {
        const Ended ended = say({"attach", run_, "--json"});
        QCOMPARE(ended.code, 0);
        int step = 0;
        bool hasEnded = false;
        for (const QString& line : ended.out.split('\n', Qt::SkipEmptyParts)) {
            const QJsonObject event = objectIn(line);
            QVERIFY2(!event.isEmpty(), qPrintable(line));
            if (event["event"].toString() == "step" && event["split"].toString() == "train") {
                QCOMPARE(event["step"].toInt(), ++step);
            }
            hasEnded = hasEnded || event["event"].toString() == "end";
        }
        QCOMPARE(step, 6);
        QVERIFY(hasEnded);
    }

    void appliesARunToFiles() {
        const Ended ended = say({"infer", run_, "--input", "pictures.npy", "--json", "--output",
                                 "scores.npy", "--devices", "cpu:0"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QJsonObject said = objectIn(ended.out);
        QCOMPARE(said["examples"].toInt(), 5);
        const QJsonObject output = said["outputs"].toArray().first().toObject();
        QCOMPARE(output["name"].toString(), QString("fc2.y"));
        QCOMPARE(output["numbers"].toArray().size(), 50);
        QCOMPARE(output["classes"].toArray().size(), 5);
        QVERIFY(bytesOf(here() + "/scores.npy").startsWith("\x93NUMPY"));
    }

    void drawsWhatARunHolds() {
        const Ended curve = say({"show", run_});
        QVERIFY2(curve.code == 0 && curve.out.contains("loss") && curve.out.contains('*'),
                 qPrintable(curve.out + curve.error));
        QCOMPARE(say({"show", run_, "--curve", "loss", "--out", "loss.png"}).code, 0);
        QCOMPARE(say({"show", run_, "--weights", "conv.weight", "--out", "filters.png"}).code, 0);
        QCOMPARE(say({"show", run_, "--tensor", "conv.y", "--out", "maps.png"}).code, 0);
        for (const char* name : {"/loss.png", "/filters.png", "/maps.png"}) {
            QVERIFY2(bytesOf(here() + name).startsWith("\x89PNG"), name);
        }
        const Ended none = say({"show", run_, "--weights", "conv.height"});
        QCOMPARE(none.code, 2);
        QVERIFY2(none.error.contains("conv.weight"), qPrintable(none.error));
    }

    void saysWhereALogIsDamaged() {
        const QString copy = here() + "/copy";
        std::filesystem::copy(run_.toStdString(), copy.toStdString(),
                              std::filesystem::copy_options::recursive);
        const QString log = copy + "/events.0.weftlog";
        QByteArray bytes = bytesOf(log);
        QVERIFY(!say({"show", copy}).error.contains("damaged"));
        bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 16);
        writeBytes(log, bytes);
        const Ended shown = say({"show", copy});
        QVERIFY2(shown.error.contains("bytes of its log are damaged"), qPrintable(shown.error));
    }

    void setsPredictedBesideMeasured() {
        const Ended told = say({"compare", run_});
        QVERIFY2(told.code == 0 && told.out.contains("conv") && told.out.contains("fc2"),
                 qPrintable(told.out + told.error));
        const QJsonArray layers =
            objectIn(say({"compare", run_, "--json"}).out)["layers"].toArray();
        QVERIFY(layers.size() >= 5);
        for (const auto& layer : layers) {
            QVERIFY(layer.toObject()["measured_ns"].toDouble() >= 0);
        }
        QVERIFY(std::ranges::any_of(layers, [](const QJsonValue& layer) {
            return layer.toObject()["measured_ns"].toDouble() > 0 &&
                   layer.toObject()["predicted_ns"].toDouble() > 0;
        }));
        QCOMPARE(say({"compare", "nowhere"}).code, 4);
    }

    void isPlainWhereNobodyWantsColour() {
        const auto shown = [&](const QString& command) {
            return weftOnATerminal({"run", "small.weft", "--devices", "cpu:0", "--runs", "seen"},
                                   here(), {"TERM=xterm", command});
        };
        const QRegularExpression colour("\x1b\\[[0-9;]*m");
        QVERIFY(shown("NO_COLOR=").contains(colour));
        const QString plain = shown("NO_COLOR=1");
        QVERIFY2(plain.contains("step 6") && !plain.contains(colour), qPrintable(plain));
    }

    void showsARunThatEndsBetweenTwoLooks() {
        const QStringList words{
            "run",   "small.weft", "--devices",        "cpu:0", "--runs",
            "short", "--set",      "training.steps=1", "--set", "data.validation=0"};
        for (int k = 0; k < 10; ++k) {
            const QString shown = weftOnATerminal(words, here(), {"TERM=xterm"});
            QVERIFY2(shown.contains("done at step 1"), qPrintable(shown));
        }
    }

    void writesOtherFormatsAfterTheRunToo() {
        QCOMPARE(say({"show", run_, "--trace", "trace.json"}).code, 0);
        QVERIFY(bytesOf(here() + "/trace.json").contains("conv"));
        QCOMPARE(say({"show", run_, "--tensorboard", "board"}).code, 0);
        QVERIFY(
            !QDir(here() + "/board").entryList(QDir::AllEntries | QDir::NoDotAndDotDot).isEmpty());
    }

    void completesVerbsAndOptionsInBash() {
        const QString program = QString::fromStdString(weftProgram().string());
        const QString script =
            QString("source %1/packaging/completions/weft.bash\n"
                    "COMP_WORDS=(%2 ''); COMP_CWORD=1; _weft; echo verbs ${COMPREPLY[@]}\n"
                    "COMP_WORDS=(%2 prove --); COMP_CWORD=2; _weft; echo options ${COMPREPLY[@]}\n")
                .arg(QString::fromStdString(sourceFolder().string()), program);
        const Ended ended = startedBy("bash", {"-c", script}, {}, here());
        for (const char* word : {"new", "layers", "check", "explain", "plan", "run", "resume",
                                 "eval", "infer", "prove", "runs", "attach", "show", "tell", "host",
                                 "bench", "--tolerance", "--steps"}) {
            QVERIFY2(ended.out.contains(word), qPrintable(QString(word) + ended.out + ended.error));
        }
    }
};

std::unique_ptr<QObject> makeTestVerbs() { return std::make_unique<TestVerbs>(); }
#include "tst_verbs.moc"
