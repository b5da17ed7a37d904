// SPDX-License-Identifier: Apache-2.0
#include "observed.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/prove.h>

#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::test;

namespace {

ProofRequest requestFor(const QString& assign, int devices) {
    ProofRequest request{.design =
                             parseDesign(digitsDesign(assign.toStdString()), catalogue()).design};
    for (int k = 0; k < devices; ++k) {
        request.devices.push_back("reference:" + std::to_string(k));
    }
    return request;
}

} // namespace

class TestProve : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdsForEveryAssignment_data() {
        QTest::addColumn<QString>("assign");
        QTest::addColumn<int>("devices");
        for (const char* word : {"data", "model.stack", "model.add"}) {
            QTest::addRow("%s on two", word) << QString(word) << 2;
            QTest::addRow("%s on four", word) << QString(word) << 4;
        }
    }
    void holdsForEveryAssignment() {
        QFETCH(const QString, assign);
        QFETCH(const int, devices);
        const Proof proof = prove(requestFor(assign, devices));
        QVERIFY2(proof.holds(), print(proof).c_str());
        QVERIFY(proof.values > 10);
        QVERIFY(std::ranges::any_of(proof.layers, [](const LayerProof& layer) {
            return layer.layer == "fc1" && layer.gradient > 0;
        }));
    }

    void holdsThroughThePeriodsOfASyncBlock_data() {
        QTest::addColumn<QString>("assign");
        QTest::addColumn<bool>("late");
        QTest::newRow("batch") << "batch" << false;
        QTest::newRow("batch, late") << "batch" << true;
        QTest::newRow("data, late") << "data" << true;
    }
    void holdsThroughThePeriodsOfASyncBlock() {
        QFETCH(const QString, assign);
        QFETCH(const bool, late);
        ProofRequest request = requestFor(assign, 3);
        request.design.training.syncEvery = 2;
        request.design.training.updatePeriod = 2;
        request.design.training.sync = late ? "one period late" : "at once";
        request.steps = 9;
        const Proof proof = prove(request);
        QVERIFY2(proof.holds(), print(proof).c_str());
        QVERIFY(proof.isSpread);
        QVERIFY(std::ranges::any_of(proof.layers, [](const LayerProof& layer) {
            return layer.layer == "fc1" && layer.gradient > 0 && layer.weights > 0;
        }));
    }

    void namesTheFirstLayerThatIsOver() {
        ProofRequest request = requestFor("model.add", 3);
        request.tolerance = 0; // sums of parts round otherwise than one sum
        const Proof proof = prove(request);
        QVERIFY(!proof.holds());
        QVERIFY(!proof.firstFailing().empty());
        const std::string text = print(proof);
        QVERIFY2(text.find("over: ") != std::string::npos, text.c_str());
        QVERIFY(toJson(proof).find("\"holds\": false") != std::string::npos);
    }

    void comparesNothingWithItselfExactly() {
        const Proof proof = prove(requestFor("data", 1));
        QVERIFY(proof.holds());
        for (const LayerProof& layer : proof.layers) {
            QCOMPARE(layer.largest(), 0.0);
        }
    }

    void forgetsAllAssignmentsOnOneDevice() {
        Design design = parseDesign(digitsDesign("model.add"), catalogue()).design;
        design.network.layers[2].assignment = design.assignment;
        design.devices.push_back({.name = "cpu:3"});
        const Design alone = onOneDevice(design);
        QVERIFY(alone.assignment == Assignment{} && alone.devices.empty());
        QVERIFY(std::ranges::none_of(
            alone.network.layers, [](const Layer& layer) { return layer.assignment.has_value(); }));
        QCOMPARE(alone.network.layers.size(), design.network.layers.size());
    }
};

std::unique_ptr<QObject> makeTestProve() { return std::make_unique<TestProve>(); }
#include "tst_prove.moc"
