// SPDX-License-Identifier: Apache-2.0
// What the kept table says of plans holds for the convolutions of whole networks.

#include "plan_cases.h"

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
        QTest::addColumn<int>("generation");
        QTest::addColumn<Precision>("precision");
        for (const int generation : sheetGenerations()) {
            QTest::addRow("%d", generation) << generation << Precision::exact;
            QTest::addRow("%d, TF32", generation) << generation << Precision::tf32;
            QTest::addRow("%d, bf16", generation) << generation << Precision::bf16;
        }
    }
    void fitTheKeptTable() {
        QFETCH(int, generation);
        QFETCH(Precision, precision);
        const std::string fault =
            faultOfTable(planCases({1, 8, 32, 64, 256}, precision), generation);
        QVERIFY2(fault.empty(), fault.c_str());
    }
};

std::unique_ptr<QObject> makeTestAllPlans() { return std::make_unique<TestAllPlans>(); }

#include "tst_all_plans.moc"
