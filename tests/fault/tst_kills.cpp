// SPDX-License-Identifier: Apache-2.0
#include "kills.h"
#include "support/test_main.h"

#include <QTest>
#include <memory>
#include <random>

using namespace weft::test;

class TestKills : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void losesNothingToFiftyKills() {
        const QString lost = killManyTimes(50, std::random_device()());
        QVERIFY2(lost.isEmpty(), qPrintable(lost));
    }
};

std::unique_ptr<QObject> makeTestKills() { return std::make_unique<TestKills>(); }
#include "tst_kills.moc"
