// SPDX-License-Identifier: Apache-2.0
// Whatever design is trained, however it is spread: the preview's word on what is legal holds, and
// every number is that of one device.
#include "contract/random/random_property.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft::test;

class TestRandomTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsOneDeviceOverSimulatedDevices() {
        QVERIFY(holdsForRandomDesigns(CommunicatorKind::simulated, 500, 20));
    }
    void equalsOneDeviceOverThreads() {
        QVERIFY(holdsForRandomDesigns(CommunicatorKind::threads, 60, 21));
    }
};

std::unique_ptr<QObject> makeTestRandomTraining() { return std::make_unique<TestRandomTraining>(); }
#include "tst_random_training.moc"
