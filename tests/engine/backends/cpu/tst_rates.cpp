// SPDX-License-Identifier: Apache-2.0
#include "backends/backends.h"
#include "ops/ops.h"
#include "run/calibrate.h"

#include <QTest>
#include <cmath>

using namespace weft;

class TestRates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void measuresEveryRateOfTheDevice() {
        BackendList backends;
        backends::fill(backends);
        OpList ops;
        ops::fill(ops);
        const auto device = backends.find("cpu")->open("cpu:0", 1);
        const DeviceSheet sheet = measureRates(*device, ops);
        QCOMPARE(sheet.name, device->sheet().name);
        QCOMPARE(sheet.model, device->sheet().model);
        QVERIFY(std::isfinite(sheet.flopsPerSecond) && sheet.flopsPerSecond > 0);
        QVERIFY(std::isfinite(sheet.bytesPerSecond) && sheet.bytesPerSecond > 0);
        QVERIFY(sheet.overhead.count > 0);
        for (const char* op : {"linear", "linear_dx", "max_pool2d", "attention", "gelu"}) {
            QVERIFY2(sheet.efficiency.contains(op), op);
        }
        for (const auto& [op, share] : sheet.efficiency) {
            QVERIFY2(std::isfinite(share) && share > 0, op.c_str());
        }
    }
};

std::unique_ptr<QObject> makeTestRates() { return std::make_unique<TestRates>(); }

#include "tst_rates.moc"
