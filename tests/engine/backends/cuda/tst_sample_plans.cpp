// SPDX-License-Identifier: Apache-2.0
// The plans of all convolutions of the samples and the benches, in three precisions, on an H200:
// within the workspace that the kept table grants, by a fast engine, and where channels are few by
// tensor cores.

#include "plan_cases.h"
#include "sample_convolutions.h"

#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::cuda;
using namespace weft::test;

class TestSamplePlans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const std::string why = whyNoPlans();
        if (!why.empty()) {
            QSKIP(why.c_str());
        }
    }

    void areFastOnAnH200_data() {
        QTest::addColumn<Precision>("precision");
        for (const auto precision : {Precision::exact, Precision::tf32, Precision::bf16}) {
            QTest::addRow("%s", nameOf(precision).data()) << precision;
        }
    }
    void areFastOnAnH200() {
        QFETCH(const Precision, precision);
        const std::vector<SampleConvolution> all = sampleConvolutions(precision);
        const bool hasFirstLayers = std::ranges::any_of(all, [](const SampleConvolution& one) {
            return hasFewChannels(one.planned.of) &&
                   one.of == "alexnet-one-weird-trick/bench: conv1";
        });
        QVERIFY(hasFirstLayers);
        QVERIFY(all.size() > 200);
        const std::string fault = faultOfTable(plannedOf(all), h200());
        QVERIFY2(fault.empty(), fault.c_str());
    }
};

std::unique_ptr<QObject> makeTestSamplePlans() { return std::make_unique<TestSamplePlans>(); }

#include "tst_sample_plans.moc"
