// SPDX-License-Identifier: Apache-2.0
#include "catalogue/fitting_kinds.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestFittingKinds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPictureFitsAConvolutionAndNoDenseLayer() {
        const auto refusals =
            refusalsOf(catalogue(), {.port = "y", .shape = {32, 3, 28, 28}, .placement = ""});
        QVERIFY(!refusals.contains("conv2d"));
        QVERIFY(!refusals.contains("relu"));
        QVERIFY(!refusals.contains("flatten"));
        QVERIFY(refusals.contains("dense"));
        QVERIFY(!refusals.at("dense").empty());
    }

    void featuresFitADenseLayerAndNoConvolution() {
        const auto refusals =
            refusalsOf(catalogue(), {.port = "y", .shape = {32, 100}, .placement = ""});
        QVERIFY(!refusals.contains("dense"));
        QVERIFY(refusals.contains("conv2d"));
    }

    void aLayerThatNeedsMoreIsNotRefusedForThat() {
        const auto refusals =
            refusalsOf(catalogue(), {.port = "y", .shape = {32, 10}, .placement = ""});
        QVERIFY(!refusals.contains("add"));
        QVERIFY(!refusals.contains("softmax_cross_entropy"));
    }
};

std::unique_ptr<QObject> makeTestFittingKinds() { return std::make_unique<TestFittingKinds>(); }

#include "tst_fitting_kinds.moc"
