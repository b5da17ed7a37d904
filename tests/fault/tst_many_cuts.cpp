// SPDX-License-Identifier: Apache-2.0
// Lines that break every 1 to 400 kB, by the hundred.
#include "cut_lines.h"
#include "support/test_main.h"

#include <QTest>
#include <memory>

using namespace weft::test;

class TestManyCuts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bringAllOfARun_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("steps");
        for (const int bytes : {1000, 8000, 40'000, 400'000}) {
            // Two minutes are enough for what a thousand bytes a line bring.
            for (const int steps : {1, bytes == 1000 ? 20 : 60, bytes == 1000 ? 30 : 1000}) {
                QTest::addRow("%d bytes a line, %d steps", bytes, steps) << bytes << steps;
            }
        }
    }
    void bringAllOfARun() {
        QFETCH(const int, bytes);
        QFETCH(const int, steps);
        const QString wrong = followOverCuts(bytes, steps);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
};

std::unique_ptr<QObject> makeTestManyCuts() { return std::make_unique<TestManyCuts>(); }
#include "tst_many_cuts.moc"
