// SPDX-License-Identifier: Apache-2.0
// A net with all that is done to maps, grouped, dilated and of one tap, joined, added and drawn
// for, trains on the stand-in in each precision as on the processor, however maps and filters lie
// there; what it has learnt is the same where they lie otherwise.

#include "cli/weft_process.h"
#include "support/places.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace weft::test;

namespace {

/// @P is the precision.
constexpr auto net = R"({"weft": 1, "name": "maps",
 "data": {"source": {"kind": "digits", "with": {"count": 128}}, "batch": 16, "validation": 0.25,
  "feeds": {"digit": "labels", "picture": "images"}},
 "training": {"optimizer": {"kind": "sgd", "with": {"momentum": 0.9}}, "learning_rate": 0.02,
  "steps": 6, "precision": "@P"},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [1, 28, 28]}},
  {"id": 2, "name": "first", "kind": "conv2d", "with": {"filters": 8, "kernel": 5, "stride": 2}},
  {"id": 3, "name": "relu1", "kind": "relu"},
  {"id": 4, "name": "drop", "kind": "dropout", "with": {"rate": 0.2}},
  {"id": 5, "name": "grouped", "kind": "conv2d",
   "with": {"filters": 8, "kernel": 3, "padding": 1, "groups": 2, "bias": false}},
  {"id": 6, "name": "norm", "kind": "batch_norm"},
  {"id": 7, "name": "sum", "kind": "add"},
  {"id": 8, "name": "relu2", "kind": "relu"},
  {"id": 9, "name": "narrow", "kind": "conv2d", "with": {"filters": 6, "kernel": 1}},
  {"id": 10, "name": "dilated", "kind": "conv2d",
   "with": {"filters": 6, "kernel": 3, "padding": 2, "dilation": 2}},
  {"id": 11, "name": "most", "kind": "max_pool2d", "with": {"kernel": 3, "padding": 1, "stride": 1}},
  {"id": 12, "name": "join", "kind": "concat", "with": {"dim": 1}},
  {"id": 13, "name": "mean", "kind": "average_pool2d", "with": {"kernel": 2, "stride": 2}},
  {"id": 14, "name": "last", "kind": "conv2d", "with": {"filters": 12, "kernel": 3}},
  {"id": 15, "name": "flat", "kind": "flatten"},
  {"id": 16, "name": "dense", "kind": "dense", "with": {"units": 10}},
  {"id": 17, "name": "digit", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 18, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["picture.y -> first.x", "first.y -> relu1.x", "relu1.y -> drop.x", "drop.y -> grouped.x",
  "grouped.y -> norm.x", "norm.y -> sum.x0", "drop.y -> sum.x1", "sum.y -> relu2.x",
  "relu2.y -> narrow.x", "relu2.y -> dilated.x", "relu2.y -> most.x", "narrow.y -> join.x0",
  "dilated.y -> join.x1", "most.y -> join.x2", "join.y -> mean.x", "mean.y -> last.x",
  "last.y -> flat.x", "flat.y -> dense.x", "dense.y -> loss.logits", "digit.y -> loss.target"]})";

} // namespace

class TestSimMaps : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] Ended sim(const QStringList& words) const {
        const auto program = buildFolder() / "tests/gpu/weft-sim";
        return startedBy("env", {"WEFT_SIM_KERNELS=cuda", QString::fromStdString(program.string())},
                         words, folder_.path());
    }
    /// Its file.
    [[nodiscard]] QString designIn(const QString& precision) const {
        writeBytes(folder_.filePath(precision + ".weft"),
                   QByteArray(net).replace("@P", precision.toUtf8()));
        return precision + ".weft";
    }
    /// The run's folder.
    [[nodiscard]] QString trained(const QString& precision, const QString& device) const {
        const Ended ended = sim({"run", designIn(precision), "--devices", device});
        [&] { QVERIFY2(ended.code == 0, qPrintable(ended.error)); }();
        return runsIn(folder_.path()).last();
    }
    [[nodiscard]] double evaluated(const QString& precision, const QString& weights,
                                   const QString& device) const {
        const Ended ended =
            sim({"eval", designIn(precision), "--weights", weights, "--devices", device, "--json"});
        [&] { QVERIFY2(ended.code == 0, qPrintable(ended.error)); }();
        return QJsonDocument::fromJson(ended.out.toUtf8())["loss"].toDouble();
    }

private Q_SLOTS:
    void trainsHoweverMapsLie_data() {
        QTest::addColumn<QString>("precision");
        QTest::addColumn<double>("most");
        QTest::newRow("plain, exactly") << "exact" << 1e-5;
        QTest::newRow("channels-last, in TF32") << "tf32" << 2e-3;
        QTest::newRow("channels-last, in bf16") << "bf16" << 2e-2;
    }
    void trainsHoweverMapsLie() {
        QFETCH(const QString, precision);
        QFETCH(const double, most);
        const auto losses = lossesOf(trained("exact", "cpu:0"));
        const QString run = trained(precision, "sim:0");
        QCOMPARE(losses.size(), 6U);
        const double difference = largestDifference(losses, lossesOf(run));
        QVERIFY2(difference < most, qPrintable(QString::number(difference)));
        QCOMPARE(difference > 1e-5, precision != "exact");
        const Ended explained =
            sim({"explain", designIn(precision), "--devices", "sim:0", "--stage", "programs"});
        QVERIFY2(explained.out.contains("dilated: conv2d"), qPrintable(explained.error));
        QVERIFY2(!explained.out.contains("reorder"), qPrintable(explained.out));
        QCOMPARE(bytesOf(run + "/selection.json").contains("acdb"), precision != "exact");
        const QDir kept(run + "/checkpoints");
        const QString weights = kept.filePath(kept.entryList({"*.safetensors"}).last());
        const double here = evaluated(precision, weights, "sim:0");
        QVERIFY(here > 1);
        QVERIFY(std::abs(evaluated("exact", weights, "cpu:0") - here) < most);
    }
};

std::unique_ptr<QObject> makeTestSimMaps() { return std::make_unique<TestSimMaps>(); }
#include "tst_sim_maps.moc"
