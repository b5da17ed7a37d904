// SPDX-License-Identifier: Apache-2.0
// A deep net whose ReLU signs flip where two numbers nearly tie: it is proved all the same, on
// threads and on ranks, and the report says how many flipped.
#include "cli/weft_process.h"
#include "support/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace weft::test;

namespace {

/// So many convolutions, each with a norm and a ReLU, and a max pool behind the first.
QByteArray deepDesign(int depth) {
    QString layers =
        R"({"id": 1, "name": "image", "kind": "input", "with": {"shape": [3, 32, 32]}})";
    QString wires;
    QString last = "image";
    int id = 1;
    const auto add = [&](const QString& name, const QString& kind, const QString& with,
                         const QString& port = "x") {
        layers += QString(R"(, {"id": %1, "name": "%2", "kind": "%3", "with": {%4}})")
                      .arg(++id)
                      .arg(name, kind, with);
        wires += QString(R"(%1"%2.y -> %3.%4")").arg(wires.isEmpty() ? "" : ", ", last, name, port);
        last = name;
    };
    for (int k = 0; k < depth; ++k) {
        const QString number = QString::number(k);
        add("conv" + number, "conv2d",
            R"("filters": 24, "kernel": 3, "padding": 1, "bias": false)");
        add("norm" + number, "batch_norm", "");
        add("relu" + number, "relu", "");
        if (k == 0) {
            add("pool", "max_pool2d", R"("kernel": 2, "stride": 2)");
        }
    }
    add("mean", "global_average_pool", "");
    add("fc", "dense", R"("units": 5)");
    add("loss", "softmax_cross_entropy", "", "logits");
    layers += QString(R"(, {"id": %1, "name": "label", "kind": "input",
        "with": {"dtype": "i64", "shape": []}})")
                  .arg(++id);
    return QString(R"({"weft": 1, "name": "deep", "assign": "data",
 "data": {"source": {"kind": "random", "with": {"classes": 5, "count": 64, "shape": [3, 32, 32]}},
  "feeds": {"image": "images", "label": "labels"}, "batch": 16},
 "training": {"learning_rate": 0.01, "steps": 4, "seed": 3},
 "layers": [%1], "wires": [%2, "label.y -> loss.target"]})")
        .arg(layers, wires)
        .toUtf8();
}

} // namespace

class TestProve : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesNoNearTieForAnotherMathematics_data() {
        QTest::addColumn<QStringList>("spread");
        QTest::newRow("threads") << QStringList{"--devices", "cpu:0,cpu:1"};
        QTest::newRow("ranks") << QStringList{"--ranks", "2"};
    }
    void takesNoNearTieForAnotherMathematics() {
        QFETCH(const QStringList, spread);
        QTemporaryDir folder;
        writeBytes(folder.path() + "/deep.weft", deepDesign(12));
        const Ended ended = weft::test::weft(
            QStringList{"prove", "deep.weft", "--steps", "2", "--json"} + spread, folder.path());
        QVERIFY2(ended.code == 0, qPrintable(ended.out + ended.error));
        const QJsonObject said = QJsonDocument::fromJson(ended.out.toUtf8()).object();
        QVERIFY(said["holds"].toBool());
        QCOMPARE(said["mistaken"].toInt(), 0);
        // Two steps with 12 ReLUs and a pool, all but one ReLU on a quarter of the map.
        QCOMPARE(said["choices"].toInt(), 2 * 16 * 24 * (32 * 32 + 12 * 16 * 16));
        int flipped = 0;
        for (const QJsonValue& layer : said["layers"].toArray()) {
            flipped += layer.toObject()["flipped"].toInt();
        }
        QCOMPARE(said["flipped"].toInt(), flipped);
    }
};

std::unique_ptr<QObject> makeTestProve() { return std::make_unique<TestProve>(); }
#include "tst_prove.moc"
