// SPDX-License-Identifier: Apache-2.0
// The property of tst_random_training on other designs every time, by the thousand.
#include "contract/random/random_property.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft::test;

class TestRandomThousands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalOneDeviceOverSimulatedDevices() {
        QVERIFY(holdsForRandomDesigns(CommunicatorKind::simulated, 5000, anySeed));
    }
    void equalOneDeviceOverThreads() {
        QVERIFY(holdsForRandomDesigns(CommunicatorKind::threads, 1000, anySeed));
    }
};

std::unique_ptr<QObject> makeTestRandomThousands() {
    return std::make_unique<TestRandomThousands>();
}
#include "tst_random_thousands.moc"
