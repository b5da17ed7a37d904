// SPDX-License-Identifier: Apache-2.0
// The stored table of plans holds for the convolutions of whole networks.

#include "plan_cases.h"
#include "sample_convolutions.h"

#include <QTest>

using namespace weft;
using namespace weft::cuda;
using namespace weft::test;

class TestAllPlans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const std::string why = whyNoPlans();
        if (!why.empty()) {
            QSKIP(why.c_str());
        }
    }
    void fitTheKeptTable_data() {
        QTest::addColumn<int>("sheet");
        QTest::addColumn<Precision>("precision");
        int sheet = 0;
        for (const ChipSheet& chip : chipSheets()) {
            for (const auto precision : {Precision::exact, Precision::tf32, Precision::bf16}) {
                QTest::addRow("%s, %s", chip.name.c_str(), nameOf(precision).data())
                    << sheet << precision;
            }
            ++sheet;
        }
    }
    void fitTheKeptTable() {
        QFETCH(const int, sheet);
        QFETCH(const Precision, precision);
        const std::string fault = faultOfTable(planCases({1, 8, 32, 64, 256}, precision),
                                               chipSheets().at(static_cast<std::size_t>(sheet)));
        QVERIFY2(fault.empty(), fault.c_str());
    }

    /// The samples and the benches, with batches four times as large as the designs say.
    void ofSamplesFitForLargerBatches_data() { fitTheKeptTable_data(); }
    void ofSamplesFitForLargerBatches() {
        QFETCH(const int, sheet);
        QFETCH(const Precision, precision);
        const std::string fault = faultOfTable(plannedOf(sampleConvolutions(precision, 4)),
                                               chipSheets().at(static_cast<std::size_t>(sheet)));
        QVERIFY2(fault.empty(), fault.c_str());
    }
};

std::unique_ptr<QObject> makeTestAllPlans() { return std::make_unique<TestAllPlans>(); }

#include "tst_all_plans.moc"
