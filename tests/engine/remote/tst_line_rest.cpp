// SPDX-License-Identifier: Apache-2.0
#include "remote/line/line_rest.h"

#include <QTest>
#include <memory>

using namespace weft;

class TestLineRest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLineThatBringsNothingIsLeftAloneForLongerAndLonger() {
        LineRest rests;
        auto last = rests.next(false);
        QCOMPARE(last, LineRest::shortest);
        for (int lost = 1; lost < 12; ++lost) {
            const auto next = rests.next(false);
            QCOMPARE(next, std::min(2 * last, LineRest::longest));
            last = next;
        }
        QCOMPARE(last, LineRest::longest);
        QCOMPARE(rests.next(true), LineRest::shortest);
        QCOMPARE(rests.next(false), 2 * LineRest::shortest);
    }
};

std::unique_ptr<QObject> makeTestLineRest() { return std::make_unique<TestLineRest>(); }
#include "tst_line_rest.moc"
