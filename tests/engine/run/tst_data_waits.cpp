// SPDX-License-Identifier: Apache-2.0
#include "run/train/data_waits.h"

#include <QTest>
#include <memory>

namespace weft {

class TestDataWaits : public QObject {
    Q_OBJECT

    /// Adds so many equal steps; returns how many messages there were, and the last.
    static std::pair<int, std::string> told(int steps, double seconds, double waited) {
        DataWaits waits;
        std::pair<int, std::string> messages;
        for (int step = 0; step < steps; ++step) {
            if (const auto text = waits.add(seconds, waited)) {
                ++messages.first;
                messages.second = *text;
            }
        }
        return messages;
    }

private Q_SLOTS:
    void saysOnceThatTheDataIsSlower() {
        const auto [count, text] = told(1000, 1, 0.75);
        QCOMPARE(count, 1);
        QVERIFY2(text.find("750 ms") != std::string::npos, text.c_str());
    }

    void saysNothingOfShortRunsOrFastData() {
        QCOMPARE(told(32, 10, 9).first, 0);
        QCOMPARE(told(1000, 0.01, 0.009).first, 0);
        QCOMPARE(told(1000, 1, 0.4).first, 0);
    }

    void leavesOutTheFirstBatch() {
        DataWaits waits;
        QVERIFY(!waits.add(1e6, 1e6));
        for (int step = 0; step < 100; ++step) {
            QVERIFY(!waits.add(1, 0.1));
        }
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestDataWaits() { return std::make_unique<weft::TestDataWaits>(); }
#include "tst_data_waits.moc"
