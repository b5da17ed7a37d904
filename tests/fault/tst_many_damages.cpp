// SPDX-License-Identifier: Apache-2.0
// Damaged run directories, by the hundred thousand.
#include "run_readings.h"
#include "support/test_main.h"

#include <QTest>
#include <memory>
#include <random>

using namespace weft::test;

class TestManyDamages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readersEndOnMany() {
        const std::string fault = readDamagedRuns(100'000, std::random_device()());
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void verbsEndOnMany() {
        const std::string fault = runVerbsOnDamagedRuns(1'000, std::random_device()());
        QVERIFY2(fault.empty(), fault.c_str());
    }
};

std::unique_ptr<QObject> makeTestManyDamages() { return std::make_unique<TestManyDamages>(); }
#include "tst_many_damages.moc"
