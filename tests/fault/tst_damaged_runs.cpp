// SPDX-License-Identifier: Apache-2.0
// Run directories whose files are cut, flipped, gone or no files: whoever reads them ends with a
// message or with the run.
#include "run_readings.h"
#include "support/test_main.h"

#include <QTest>
#include <memory>
#include <random>

using namespace weft::test;

class TestDamagedRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readersEnd() {
        const std::string fault = readDamagedRuns(500, std::random_device()());
        QVERIFY2(fault.empty(), fault.c_str());
    }

    void verbsEnd() {
        const std::string fault = runVerbsOnDamagedRuns(32, std::random_device()());
        QVERIFY2(fault.empty(), fault.c_str());
    }
};

std::unique_ptr<QObject> makeTestDamagedRuns() { return std::make_unique<TestDamagedRuns>(); }
#include "tst_damaged_runs.moc"
