// SPDX-License-Identifier: Apache-2.0
// A user's own files through the program: they are checked, a design learns from them, and what it
// learned applies to other files.
#include "cli/weft_process.h"
#include "data/arrays/png.h"
#include "support/test_main.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <memory>
#include <numeric>

using namespace weft;
using namespace weft::test;

namespace {

/// Three classes, each around a point of its own, in turns.
QByteArray tableOfPoints(int rows, bool hasClasses) {
    QByteArray table = hasClasses ? "x,y,kind\n" : "x,y\n";
    for (int row = 0; row < rows; ++row) {
        const int kind = row % 3;
        const double x = (kind == 1 ? 2 : 0) + (row * 37 % 100) / 200.0;
        const double y = (kind == 2 ? 2 : 0) + (row * 61 % 100) / 200.0;
        table += QByteArray::number(x) + "," + QByteArray::number(y);
        table += hasClasses ? QByteArray(",") + "bcd"[kind] + "at\n" : QByteArray("\n");
    }
    return table;
}

void writeClassifier(const QString& path, const QString& source, const QString& field,
                     const QString& shape, int steps) {
    writeBytes(path, QString(R"({"weft": 1, "name": "own",
 "data": {"source": %1, "feeds": {"example": "%2", "class": "labels"}, "batch": 16,
  "validation": 0.2},
 "training": {"optimizer": {"kind": "adam"}, "learning_rate": 0.02, "steps": %4},
 "layers": [
  {"id": 1, "name": "example", "kind": "input", "with": {"shape": %3}},
  {"id": 2, "name": "flat", "kind": "flatten"},
  {"id": 3, "name": "scores", "kind": "dense", "with": {"units": 3}},
  {"id": 4, "name": "class", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 5, "name": "loss", "kind": "softmax_cross_entropy"},
  {"id": 6, "name": "accuracy", "kind": "accuracy"}],
 "wires": ["example.y -> flat.x", "flat.y -> scores.x", "scores.y -> loss.logits",
  "class.y -> loss.target", "scores.y -> accuracy.logits", "class.y -> accuracy.target"]}
)")
                         .arg(source, field, shape)
                         .arg(steps)
                         .toUtf8());
}

double meanOf(const std::vector<double>& numbers, std::size_t from, std::size_t count) {
    return std::accumulate(numbers.begin() + static_cast<std::ptrdiff_t>(from),
                           numbers.begin() + static_cast<std::ptrdiff_t>(from + count), 0.0) /
           static_cast<double>(count);
}

/// The likeliest class of each example of an inference in JSON.
QStringList guessesIn(const QString& out) {
    QStringList names;
    const QJsonObject output =
        QJsonDocument::fromJson(out.toUtf8()).object()["outputs"].toArray().first().toObject();
    for (const QJsonValue& guesses : output["classes"].toArray()) {
        names << guesses.toArray().first().toObject()["name"].toString();
    }
    return names;
}

} // namespace

class TestOwnData : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] Ended say(const QStringList& words) const { return test::weft(words, here()); }
    /// A metric of every training step of the last run.
    [[nodiscard]] std::vector<double> trainingMetric(const QString& name) const {
        std::vector<double> numbers;
        const QByteArray lines = bytesOf(runsIn(here()).back() + "/metrics.jsonl");
        for (const QByteArray& line : lines.split('\n')) {
            const QJsonObject step = QJsonDocument::fromJson(line).object();
            if (step.contains(name) && step["split"].toString() == "train") {
                numbers.push_back(step[name].toDouble());
            }
        }
        return numbers;
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void learnsFromATable() {
        writeBytes(here() + "/points.csv", tableOfPoints(120, true));
        writeBytes(here() + "/others.csv", tableOfPoints(6, false));
        writeClassifier(here() + "/own.weft",
                        R"({"kind": "csv", "with": {"file": "points.csv", "targets": "kind"}})",
                        "inputs", "[2]", 90);
        const Ended checked = say({"check", "own.weft"});
        QVERIFY2(checked.code == 0, qPrintable(checked.out + checked.error));
        const Ended ran = say({"run", "own.weft"});
        QVERIFY2(ran.code == 0, qPrintable(ran.error));
        const std::vector<double> losses = lossesOf(runsIn(here()).back());
        QCOMPARE(losses.size(), std::size_t{90});
        QVERIFY(meanOf(losses, 80, 10) < 0.5 * meanOf(losses, 0, 5));
        const Ended inferred =
            say({"infer", runsIn(here()).back(), "--input", "others.csv", "--json"});
        QVERIFY2(inferred.code == 0, qPrintable(inferred.error));
        QCOMPARE(guessesIn(inferred.out), (QStringList{"bat", "cat", "dat", "bat", "cat", "dat"}));
    }

    void showsClassesAndNormalisesByAnEdit() {
        writeBytes(here() + "/points.csv", tableOfPoints(120, true));
        const QString design = here() + "/own.weft";
        writeClassifier(design,
                        R"({"kind": "csv", "with": {"file": "points.csv", "targets": "kind"}})",
                        "inputs", "[2]", 3);
        const QByteArray before = bytesOf(design);
        const Ended shown = say({"data", "own.weft"});
        QVERIFY2(shown.code == 0 && shown.out.contains("96 training, 24 validation") &&
                     shown.out.contains("class 0 bat: 32\n"),
                 qPrintable(shown.out + shown.error));
        QCOMPARE(bytesOf(design), before);
        QCOMPARE(say({"data", "own.weft", "--normalise"}).code, 0);
        const QByteArray normalised = bytesOf(design);
        QVERIFY2(normalised.contains("\"mean\"") && normalised.contains("\"std\""), normalised);
        // What is measured is what the file holds, so that it comes out the same again.
        QCOMPARE(say({"data", "own.weft", "--normalise"}).code, 0);
        QCOMPARE(bytesOf(design), normalised);
        const Ended ran = say({"run", "own.weft"});
        QVERIFY2(ran.code == 0, qPrintable(ran.error));
        QCOMPARE(bytesOf(design), normalised);
    }

    void learnsFromAFolderOfPicturesPerClass() {
        // Three classes, of a bright top, left or middle, in pictures of different sizes.
        for (int k = 0; k < 60; ++k) {
            const int size = 8 + k % 3 * 2;
            const int kind = k % 3;
            Array picture{.dtype = DType::u8, .shape = {1, size, size}, .bytes = {}};
            for (int pixel = 0; pixel < size * size; ++pixel) {
                const int row = pixel / size;
                const int column = pixel % size;
                const bool isBright = kind == 0   ? row < size / 3
                                      : kind == 1 ? column < size / 3
                                                  : std::abs(2 * row - size) < size / 3;
                picture.bytes.push_back(
                    static_cast<std::byte>((isBright ? 180 : 20) + (pixel * 7 + k * 13) % 40));
            }
            const QString folder = here() + "/shapes/" + QStringList{"top", "left", "middle"}[kind];
            QDir().mkpath(folder);
            writePng((folder + QString("/%1.png").arg(k)).toStdString(), picture);
        }
        QDir().mkpath(here() + "/other");
        QVERIFY(QFile::copy(here() + "/shapes/middle/2.png", here() + "/other/1.png"));
        QVERIFY(QFile::copy(here() + "/shapes/left/1.png", here() + "/other/2.png"));
        QVERIFY(QFile::copy(here() + "/shapes/top/3.png", here() + "/other/3.png"));
        writeClassifier(here() + "/own.weft",
                        R"({"kind": "pictures", "with": {"folder": "shapes", "size": [8, 8],
                            "fit": "stretch", "channels": "grey", "jitter": 1}})",
                        "images", "[1, 8, 8]", 60);
        const Ended ran = say({"run", "own.weft"});
        QVERIFY2(ran.code == 0, qPrintable(ran.error));
        const std::vector<double> accuracies = trainingMetric("accuracy");
        QCOMPARE(accuracies.size(), std::size_t{60});
        QVERIFY(meanOf(accuracies, 50, 10) > 0.9);
        QVERIFY(meanOf(accuracies, 50, 10) > meanOf(accuracies, 0, 2));
        const Ended inferred = say({"infer", runsIn(here()).back(), "--input", "other", "--json"});
        QVERIFY2(inferred.code == 0, qPrintable(inferred.error));
        QCOMPARE(guessesIn(inferred.out), (QStringList{"middle", "left", "top"}));
    }

    void takesAnyNameOfAFolderForAClass() {
        const std::filesystem::path shapes = (here() + "/shapes").toStdString();
        for (const char* name : {"two\nlines", "\xff\xfe", "\x1b[31mred"}) {
            std::filesystem::create_directories(shapes / name);
            for (int k = 0; k < 10; ++k) {
                writePng(shapes / name / (std::to_string(k) + ".png"),
                         {.dtype = DType::u8,
                          .shape = {1, 2, 2},
                          .bytes = std::vector<std::byte>(4, std::byte{9})});
            }
        }
        QVERIFY(QFile::copy(here() + "/shapes/two\nlines/0.png", here() + "/one.png"));
        writeClassifier(here() + "/own.weft",
                        R"({"kind": "pictures", "with": {"folder": "shapes", "channels": "grey"}})",
                        "images", "[1, 2, 2]", 2);
        const Ended shown = say({"data", "own.weft"});
        QVERIFY2(shown.code == 0 && shown.out.contains("two\\nlines: ") &&
                     !shown.out.contains(QChar(27)),
                 qPrintable(shown.out + shown.error));
        const Ended described = say({"data", "own.weft", "--json"});
        QCOMPARE(QJsonDocument::fromJson(described.out.toUtf8())["classes"].toArray().size(), 3);
        const Ended ran = say({"run", "own.weft"});
        QVERIFY2(ran.code == 0, qPrintable(ran.error));
        const QStringList infer{"infer", runsIn(here()).back(), "--input", "one.png"};
        const Ended inferred = say(infer + QStringList{"--json"});
        QVERIFY2(inferred.code == 0, qPrintable(inferred.error));
        QCOMPARE(guessesIn(inferred.out).size(), 1);
        const Ended printed = say(infer);
        QVERIFY2(printed.code == 0 && !printed.out.contains(QChar(27)) &&
                     printed.out.contains("two\\nlines"),
                 qPrintable(printed.out + printed.error));
    }

    void namesClassesByDataThatTheRunFoundElsewhere() {
        QDir().mkpath(here() + "/tables");
        writeBytes(here() + "/tables/points.csv", tableOfPoints(30, true));
        writeBytes(here() + "/others.csv", tableOfPoints(2, false));
        writeClassifier(here() + "/own.weft",
                        R"({"kind": "csv", "with": {"file": "points.csv", "targets": "kind"}})",
                        "inputs", "[2]", 2);
        const Ended ran = say({"run", "own.weft", "--data", "tables"});
        QVERIFY2(ran.code == 0, qPrintable(ran.error));
        const Ended inferred =
            say({"infer", runsIn(here()).back(), "--input", "others.csv", "--json"});
        QVERIFY2(inferred.code == 0, qPrintable(inferred.error));
        for (const QString& name : guessesIn(inferred.out)) {
            QVERIFY2(name.endsWith("at"), qPrintable(name));
        }
    }

    void namesTheLineOfATableThatCannotBeRead() {
        writeBytes(here() + "/points.csv", tableOfPoints(20, true) + "1,,bat\n");
        writeClassifier(here() + "/own.weft",
                        R"({"kind": "csv", "with": {"file": "points.csv", "targets": "kind"}})",
                        "inputs", "[2]", 5);
        const Ended ran = say({"run", "own.weft"});
        QVERIFY(ran.code != 0);
        QVERIFY2(ran.error.contains("points.csv") && ran.error.contains("22") &&
                     ran.error.contains("column 1 (y) is empty"),
                 qPrintable(ran.error));
    }
};

std::unique_ptr<QObject> makeTestOwnData() { return std::make_unique<TestOwnData>(); }
#include "tst_own_data.moc"
