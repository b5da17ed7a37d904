// SPDX-License-Identifier: Apache-2.0
#include "ops/windows/windows.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;

class TestWindows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsPositions_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("dilation");
        QTest::addColumn<int>("padding");
        QTest::addColumn<bool>("ceil");
        QTest::addColumn<int>("count");
        QTest::newRow("plain") << 5 << 3 << 1 << 1 << 0 << false << 3;
        QTest::newRow("same") << 5 << 3 << 1 << 1 << 1 << false << 5;
        QTest::newRow("stride leaves a rest") << 6 << 3 << 2 << 1 << 0 << false << 2;
        QTest::newRow("ceil takes the rest") << 6 << 3 << 2 << 1 << 0 << true << 3;
        QTest::newRow("dilated") << 7 << 3 << 1 << 3 << 0 << false << 1;
        QTest::newRow("too large") << 3 << 4 << 1 << 1 << 0 << false << 0;
        QTest::newRow("ceil of one that is too large") << 3 << 4 << 2 << 1 << 0 << true << 1;
        QTest::newRow("ceil begins no window in the padding") << 3 << 2 << 2 << 1 << 1 << true << 2;
    }
    void countsPositions() {
        QFETCH(int, size);
        QFETCH(int, kernel);
        QFETCH(int, stride);
        QFETCH(int, dilation);
        QFETCH(int, padding);
        QFETCH(bool, ceil);
        QFETCH(int, count);
        ops::Windows windows;
        windows.kernel = {kernel, kernel};
        windows.stride = {stride, stride};
        windows.dilation = {dilation, dilation};
        windows.before = windows.after = {padding, padding};
        windows.ceil = ceil;
        QCOMPARE(windows.outputs(0, size), std::int64_t{count});
        QCOMPARE(windows.outputs(1, size), std::int64_t{count});
    }

    void readsOneNumberForAllSides() {
        const auto windows = ops::windowsOf({{"kernel", std::int64_t{3}},
                                             {"stride", std::int64_t{2}},
                                             {"padding", std::int64_t{1}}});
        QVERIFY((windows.kernel == std::array<std::int64_t, 2>{3, 3}));
        QVERIFY((windows.stride == std::array<std::int64_t, 2>{2, 2}));
        QVERIFY((windows.before == std::array<std::int64_t, 2>{1, 1}));
        QVERIFY((windows.after == std::array<std::int64_t, 2>{1, 1}));
    }

    void readsPaddingAsTopLeftBottomRight() {
        const auto windows = ops::windowsOf({{"padding", std::vector<std::int64_t>{1, 2, 3, 4}}});
        QVERIFY((windows.before == std::array<std::int64_t, 2>{1, 2}));
        QVERIFY((windows.after == std::array<std::int64_t, 2>{3, 4}));
    }
};

std::unique_ptr<QObject> makeTestWindows() { return std::make_unique<TestWindows>(); }

#include "tst_windows.moc"
