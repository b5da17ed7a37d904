// SPDX-License-Identifier: Apache-2.0
// Lines to another host that break again and again bring all of a run: each goes on where the one
// before it ended.
#include "cut_lines.h"
#include "support/test_main.h"

#include <QTest>
#include <memory>

using namespace weft::test;

class TestCutLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bringAllOfARun_data() {
        QTest::addColumn<int>("bytes");
        for (const int bytes : {8000, 40'000, 400'000}) {
            QTest::addRow("%d bytes a line", bytes) << bytes;
        }
    }
    void bringAllOfARun() {
        QFETCH(const int, bytes);
        const QString wrong = followOverCuts(bytes, 60);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
};

std::unique_ptr<QObject> makeTestCutLines() { return std::make_unique<TestCutLines>(); }
#include "tst_cut_lines.moc"
