// SPDX-License-Identifier: Apache-2.0
#include "events/spacing.h"

#include <QTest>
#include <memory>

using namespace weft;

namespace {

constexpr std::int64_t millisecond = 1'000'000;

/// Steps of `duration` and `bytes` each; how many bytes of the steps from `from` on were kept.
std::size_t keptBytes(SpanSpacing& spacing, std::int64_t from, std::int64_t to,
                      std::int64_t duration, std::size_t bytes) {
    std::size_t kept = 0;
    for (std::int64_t step = from; step < to; ++step) {
        kept += spacing.wants(step, step * duration, bytes) ? bytes : 0;
        spacing.update();
    }
    return kept;
}

} // namespace

class TestSpacing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstStepsAreKept() {
        SpanSpacing spacing(100, 20, 1e6);
        for (std::int64_t step = 101; step <= 120; ++step) {
            QVERIFY(spacing.wants(step, 0, 1'000'000));
        }
        QVERIFY(!spacing.wants(121, 0, 1));
    }

    void theRateIsKept_data() {
        QTest::addColumn<qint64>("duration");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("fast steps, few spans") << qint64{2 * millisecond} << qint64{3200};
        QTest::newRow("fast steps, many spans") << qint64{2 * millisecond} << qint64{320000};
        QTest::newRow("slow steps") << qint64{300 * millisecond} << qint64{640000};
        QTest::newRow("very slow steps") << qint64{20000 * millisecond} << qint64{640000};
    }
    void theRateIsKept() {
        QFETCH(qint64, duration);
        QFETCH(qint64, bytes);
        SpanSpacing spacing(0, 20, 1e6);
        keptBytes(spacing, 0, 1000, duration, static_cast<std::size_t>(bytes));
        const std::size_t kept =
            keptBytes(spacing, 1000, 101'000, duration, static_cast<std::size_t>(bytes));
        const double rate =
            static_cast<double>(kept) / (1e5 * static_cast<double>(duration) * 1e-9);
        const double all = static_cast<double>(bytes) / (static_cast<double>(duration) * 1e-9);
        QVERIFY2(rate <= 1e6, qPrintable(QString::number(rate)));
        // And not thinner than the next power of two asks, with the margin for going down.
        QVERIFY2(rate >= std::min(all, 1e6) / 4.01, qPrintable(QString::number(rate)));
    }

    void spacingsOfRanksShareSteps() {
        SpanSpacing dense(0, 0, 1e6);
        SpanSpacing sparse(0, 0, 1e6);
        keptBytes(dense, 0, 2000, 10 * millisecond, 30'000);
        keptBytes(sparse, 0, 2000, 10 * millisecond, 130'000);
        QVERIFY(dense.spacing() < sparse.spacing());
        for (std::int64_t step = 2000; step < 4000; ++step) {
            QVERIFY(!sparse.wants(step, 0, 0) || dense.wants(step, 0, 0));
        }
    }
};

std::unique_ptr<QObject> makeTestSpacing() { return std::make_unique<TestSpacing>(); }
#include "tst_spacing.moc"
