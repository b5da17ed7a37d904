// SPDX-License-Identifier: Apache-2.0
// Layers with a set of weights for each element of the batch, through the program: they train alike
// on any devices to the bit, what they cannot have is refused, and their sets are found again by
// other batches and by examples.
#include "cli/sparse_design.h"
#include "cli/weft_process.h"
#include "data/arrays/npy.h"
#include "support/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <memory>

using namespace weft;
using namespace weft::test;

namespace {

/// Convolutions and a dense layer on drawn digits, with momentum.
void writeSets(const QString& path, const QString& assign) {
    const QString text = QStringLiteral(R"({"weft": 1, "name": "sets", "assign": "%1",
 "data": {"source": {"kind": "digits", "with": {"count": 60, "test_count": 20}},
          "feeds": {"picture": "images", "digit": "labels"}, "batch": 10, "last_batch": "wrap"},
 "training": {"optimizer": {"kind": "sgd", "with": {"momentum": 0.9}}, "learning_rate": 0.05,
  "steps": 9, "checkpoint_every": 3},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [1, 28, 28]}},
  {"id": 2, "name": "conv", "kind": "conv2d", "with": {"filters": 4, "kernel": 4, "stride": 4,
   "per_element": true}},
  {"id": 3, "name": "relu", "kind": "relu"},
  {"id": 4, "name": "local", "kind": "conv2d", "with": {"filters": 3, "kernel": 3, "pad": "same",
   "per_element": true, "per_position": true}},
  {"id": 5, "name": "flat", "kind": "flatten"},
  {"id": 6, "name": "fc", "kind": "dense", "with": {"units": 10, "per_element": true,
   "first_sets": "same"}},
  {"id": 7, "name": "digit", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 8, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["picture.y -> conv.x", "conv.y -> relu.x", "relu.y -> local.x", "local.y -> flat.x",
  "flat.y -> fc.x", "fc.y -> loss.logits", "digit.y -> loss.target"]}
)")
                             .arg(assign);
    writeBytes(path, text.toUtf8());
}

/// So many of the elements of a tensor of `all`, from one on.
QByteArray elementsOfTensor(const QByteArray& tensor, qsizetype all, qsizetype first,
                            qsizetype count) {
    const qsizetype each = tensor.size() / all;
    return tensor.mid(first * each, count * each);
}

} // namespace

class TestSets : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] Ended ask(const QStringList& arguments) const {
        return test::weft(arguments, here());
    }
    [[nodiscard]] QString lastOf(qsizetype run) const {
        return checkpointsIn(runsIn(here()).at(run)).back();
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        writeSets(here() + "/sets.weft", "batch");
        writeSparse(here() + "/sparse.weft", {.assign = "batch", .sets = R"("per_element": true)"});
    }

    void trainAlikeOnAnyDevices_data() {
        QTest::addColumn<QString>("design");
        QTest::addColumn<QStringList>("tensors");
        QTest::addColumn<QStringList>("settings");
        const QStringList sparse = {"code.weight", "code.potential", "code.use"};
        const QStringList network = {
            "conv.weight",         "conv.bias", "local.weight",       "local.bias",
            "fc.weight",           "fc.bias",   "fc.weight/momentum", "local.weight/momentum",
            "conv.weight/momentum"};
        QTest::newRow("sparse coding") << "sparse.weft" << sparse << QStringList{};
        QTest::newRow("sparse coding, a dictionary per pixel too")
            << "sparse.weft" << sparse << QStringList{"--set", "code.per_position=true"};
        QTest::newRow("sparse coding, every third step late")
            << "sparse.weft" << sparse + QStringList{"code.weight/pending", "code.weight/sum"}
            << QStringList{"--set", "training.sync_every=3", "--set",
                           "training.sync=one period late"};
        QTest::newRow("convolutions and a dense layer") << "sets.weft" << network << QStringList{};
        QTest::newRow("with the mean of three steps")
            << "sets.weft" << network + QStringList{"conv.weight/sum"}
            << QStringList{"--set", "training.sync_every=3"};
    }
    void trainAlikeOnAnyDevices() {
        QFETCH(QString, design);
        QFETCH(QStringList, tensors);
        QFETCH(QStringList, settings);
        for (const char* devices : {"cpu:0", "cpu:0,cpu:1", "cpu:0,cpu:1,cpu:2"}) {
            const Ended ended = ask(QStringList{"run", design, "--devices", devices} + settings);
            QVERIFY2(ended.code == 0, qPrintable(ended.error));
        }
        for (const QString& name : tensors) {
            const QByteArray one = tensorOf(lastOf(0), qPrintable(name));
            QVERIFY2(!one.isEmpty(), qPrintable(name));
            for (const qsizetype other : {1, 2}) {
                QVERIFY2(tensorOf(lastOf(other), qPrintable(name)) == one, qPrintable(name));
            }
        }
    }

    /// Nothing of a set travels: what is sent is the run's numbers.
    void sendNoSets() {
        const Ended plan = ask({"plan", "sets.weft", "--devices", "cpu:0,cpu:1"});
        QCOMPARE(plan.code, 0);
        QVERIFY2(!plan.out.contains("gradient"), qPrintable(plan.out));
        QVERIFY2(plan.out.contains("local.weight [10, 7, 7, 3, 4, 3, 3] S(0)"),
                 qPrintable(plan.out));
    }

    void refuseAMeanOfElements() {
        for (const char* word : {"data", "batch"}) {
            writeSets(here() + "/other.weft", word);
            const Ended checked = ask({"check", "other.weft"});
            QCOMPARE(checked.code, QByteArray(word) == "data" ? 3 : 0);
            QCOMPARE((checked.out + checked.error).contains("E075"), QByteArray(word) == "data");
        }
    }

    void refuseAShortLastBatch() {
        const Ended refused =
            ask({"run", "sets.weft", "--set", "data.batch=7", "--set", "data.last_batch=keep"});
        QCOMPARE(refused.code, 3);
        QVERIFY2((refused.out + refused.error).contains("E069") &&
                     (refused.out + refused.error).contains("has weights for every example"),
                 qPrintable(refused.out + refused.error));
    }

    void goOnWithOtherNumbersOfElements_data() {
        QTest::addColumn<QString>("batch");
        QTest::addColumn<QString>("said");
        QTest::newRow("fewer") << "4"
                               << "10 batch elements, but the design has 4: the last";
        QTest::newRow("more")
            << "15"
            << "10 batch elements, but the design has 15: the stored ones are repeated";
    }
    void goOnWithOtherNumbersOfElements() {
        QFETCH(QString, batch);
        QFETCH(QString, said);
        QCOMPARE(ask({"run", "sets.weft", "--devices", "cpu:0"}).code, 0);
        const QByteArray stored = tensorOf(lastOf(0), "fc.weight");
        // As weights, which a step of no length leaves as they are.
        const Ended other =
            ask({"run", "sets.weft", "--weights", lastOf(0), "--set", "data.batch=" + batch,
                 "--set", "training.learning_rate=1e-30", "--set", "training.steps=1"});
        QVERIFY2(other.code == 0, qPrintable(other.error));
        QVERIFY2((other.out + other.error).contains(said), qPrintable(other.out + other.error));
        const QByteArray taken = tensorOf(lastOf(1), "fc.weight");
        const qsizetype here = batch.toInt();
        QCOMPARE(taken.size(), stored.size() / 10 * here);
        for (qsizetype b = 0; b < here; ++b) {
            QVERIFY(elementsOfTensor(taken, here, b, 1) == elementsOfTensor(stored, 10, b % 10, 1));
        }
        // And as a run that goes on, its optimizer's state too.
        const QString run = runsIn(this->here()).front();
        QVERIFY(QFile::remove(lastOf(0)));
        QByteArray design = bytesOf(run + "/design.weft");
        QVERIFY(design.contains("\"batch\": 10"));
        writeBytes(run + "/design.weft",
                   design.replace("\"batch\": 10", "\"batch\": " + batch.toUtf8()));
        const Ended resumed = ask({"resume", run});
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QVERIFY2((resumed.out + resumed.error).contains(said),
                 qPrintable(resumed.out + resumed.error));
    }

    /// A dictionary that all shared becomes each element's, and each pixel's.
    void beginWithTheOneSetThatAllShared() {
        writeSparse(here() + "/shared.weft", {});
        QCOMPARE(ask({"run", "shared.weft"}).code, 0);
        const QByteArray one = tensorOf(lastOf(0), "code.weight");
        const Ended ended =
            ask({"run", "sparse.weft", "--weights", lastOf(0), "--set", "code.per_position=true",
                 "--set", "code.frozen=true", "--set", "training.steps=1"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY2((ended.out + ended.error)
                     .contains("one set of code.weight, which initialises each of several sets"),
                 qPrintable(ended.out + ended.error));
        const QByteArray several = tensorOf(lastOf(1), "code.weight");
        QCOMPARE(several.size(), one.size() * 10 * 8 * 8);
        for (qsizetype at = 0; at < several.size(); at += one.size()) {
            QVERIFY(several.mid(at, one.size()) == one);
        }
    }

    /// The same picture thirteen times.
    void answerElementByElement() {
        QCOMPARE(ask({"run", "sets.weft", "--devices", "cpu:0"}).code, 0);
        const QString run = runsIn(here()).front();
        constexpr std::int64_t examples = 13;
        std::vector<float> pictures(examples * 28 * 28);
        for (std::size_t k = 0; k < pictures.size(); ++k) {
            pictures[k] = float(k % (28 * 28) % 9) / 9;
        }
        writeNpy((here() + "/same.npy").toStdString(), DType::f32, {examples, 1, 28, 28},
                 std::as_bytes(std::span(pictures)));
        const auto answers = [&](const QStringList& options) {
            const Ended ended = ask(
                QStringList{"infer", run, "--input", "same.npy", "--output", "out.npy"} + options);
            [&] { QVERIFY2(ended.code == 0, qPrintable(ended.error)); }();
            return readNpy((here() + "/out.npy").toStdString(), DType::f32);
        };
        const Array all = answers({});
        QCOMPARE(toString(all.shape), toString(Shape{examples, 10}));
        const auto row = [](const Array& of, std::int64_t example) {
            return QByteArray(reinterpret_cast<const char*>(of.bytes.data()) + example * 40, 40);
        };
        QVERIFY(row(all, 0) != row(all, 1));
        for (std::int64_t k = 10; k < examples; ++k) {
            QVERIFY(row(all, k) == row(all, k - 10));
        }
        const Array third = answers({"--element", "2"});
        for (std::int64_t k = 0; k < examples; ++k) {
            QVERIFY(row(third, k) == row(all, 2));
        }
        const Ended none = ask({"infer", run, "--input", "same.npy", "--element", "10"});
        QCOMPARE(none.code, 2);
        QVERIFY2(none.error.contains("use an element from 0 to 9"), qPrintable(none.error));
    }
};

std::unique_ptr<QObject> makeTestSets() { return std::make_unique<TestSets>(); }
#include "tst_sets.moc"
