// SPDX-License-Identifier: Apache-2.0
#include "remote/line/reconnect_delay.h"

#include <QTest>
#include <memory>

using namespace weft;

class TestReconnectDelay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLineThatBringsNothingIsLeftAloneForLongerAndLonger() {
        ReconnectDelay rests;
        auto last = rests.next(false);
        QCOMPARE(last, ReconnectDelay::shortest);
        for (int lost = 1; lost < 12; ++lost) {
            const auto next = rests.next(false);
            QCOMPARE(next, std::min(2 * last, ReconnectDelay::longest));
            last = next;
        }
        QCOMPARE(last, ReconnectDelay::longest);
        QCOMPARE(rests.next(true), ReconnectDelay::shortest);
        QCOMPARE(rests.next(false), 2 * ReconnectDelay::shortest);
    }
};

std::unique_ptr<QObject> makeTestReconnectDelay() { return std::make_unique<TestReconnectDelay>(); }
#include "tst_reconnect_delay.moc"
