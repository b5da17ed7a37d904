// SPDX-License-Identifier: Apache-2.0
// Parts that do not come out even, by name: some device has less than the others or nothing at all,
// and every number is that of one device.
#include "support/trained_design.h"
#include <weft/design_file.h>

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

constexpr double allowed = 2e-4; // some steps of f32 sums in other orders

QString designText(const QString& assign, int batch, int outputs) {
    return QString(R"({"weft": 1, "name": "uneven", "assign": "%1",
 "devices": [{"name": "cpu:0"}, {"name": "cpu:1"}, {"name": "cpu:2"}, {"name": "cpu:3"}],
 "data": {"source": {"kind": "digits"}, "feeds": {"picture": "images", "digit": "labels"},
  "batch": %2},
 "training": {"optimizer": {"kind": "sgd", "with": {"momentum": 0.9, "weight_decay": 0.01}},
  "learning_rate": 0.05, "clip_norm": 1},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [2, 6, 6]}},
  {"id": 2, "name": "conv", "kind": "conv2d", "with": {"filters": 5, "kernel": 3}},
  {"id": 3, "name": "norm", "kind": "batch_norm"},
  {"id": 4, "name": "flat", "kind": "flatten"},
  {"id": 5, "name": "wide", "kind": "dense", "with": {"units": %3}},
  {"id": 6, "name": "relu", "kind": "relu"},
  {"id": 7, "name": "out", "kind": "dense", "with": {"units": 7}},
  {"id": 8, "name": "digit", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 9, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["picture.y -> conv.x", "conv.y -> norm.x", "norm.y -> flat.x", "flat.y -> wide.x",
  "wide.y -> relu.x", "relu.y -> out.x", "out.y -> loss.logits", "digit.y -> loss.target"]})")
        .arg(assign)
        .arg(batch)
        .arg(outputs);
}

} // namespace

class TestUneven : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsAreExact_data() {
        QTest::addColumn<QString>("assign");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("shortBatch");
        QTest::addColumn<int>("outputs");
        QTest::addColumn<int>("devices");
        QTest::addColumn<bool>("onThreads");
        for (const bool onThreads : {false, true}) {
            const char* communicator = onThreads ? "threads" : "simulated";
            QTest::addRow("batch 1 over 2, %s", communicator)
                << "data" << 1 << 0 << 20 << 2 << onThreads;
            QTest::addRow("batch 10 over 4, %s", communicator)
                << "data" << 10 << 3 << 20 << 4 << onThreads;
            QTest::addRow("1000 outputs over 3, %s", communicator)
                << "model.stack" << 6 << 5 << 1000 << 3 << onThreads;
        }
    }
    void partsAreExact() {
        QFETCH(const QString, assign);
        QFETCH(const int, batch);
        QFETCH(const int, shortBatch);
        QFETCH(const int, outputs);
        QFETCH(const int, devices);
        QFETCH(const bool, onThreads);
        const auto registry = makeRegistry();
        const Design design =
            parseDesign(designText(assign, batch, outputs).toStdString(), registry->kinds).design;
        const Design alone = withoutAssignments(design);
        DesignTraining asked{.design = &alone, .registry = registry.get()};
        asked.shortBatch = shortBatch;
        asked.below = [](const std::string&) { return std::int64_t{7}; };
        const Trained one = trainDesign(asked);
        asked.design = &design;
        asked.devices = static_cast<std::size_t>(devices);
        asked.communicator = onThreads ? CommunicatorKind::threads : CommunicatorKind::simulated;
        const Trained many = trainDesign(asked);
        QVERIFY2(one.refusals.empty() && many.refusals.empty(),
                 many.refusals.empty() ? "" : many.refusals.front().c_str());
        QVERIFY(one.slotsAfter.size() > 6 && one.numbers.size() > 4);
        QVERIFY(!onThreads || many.allocations == 0);
        std::string where;
        const double difference = largestDifference(one, many, where);
        QVERIFY2(difference < allowed, (where + " " + std::to_string(difference)).c_str());
    }
};

std::unique_ptr<QObject> makeTestUneven() { return std::make_unique<TestUneven>(); }
#include "tst_uneven.moc"
