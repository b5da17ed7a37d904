// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/functions.h"

#include <QTest>
#include <cmath>
#include <functional>
#include <limits>

namespace {

using Approximation = float (*)(float);
using Exact = double (*)(double);

/// Largest error over a range, in units in the last place of the exact value (of the least normal
/// number below it).
double worstError(Approximation f, Exact exact, double low, double high) {
    constexpr int points = 200001;
    double worst = 0;
    for (int k = 0; k < points; ++k) {
        const auto x = static_cast<float>(low + (high - low) * k / (points - 1));
        const double expected = exact(x);
        const auto size =
            std::max(static_cast<float>(std::abs(expected)), std::numeric_limits<float>::min());
        const double unit = std::nextafter(size, std::numeric_limits<float>::infinity()) -
                            static_cast<double>(size);
        worst = std::max(worst, std::abs(static_cast<double>(f(x)) - expected) / unit);
    }
    return worst;
}

} // namespace

class TestFunctions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void staysNearTheExactValue_data() {
        QTest::addColumn<int>("function");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("exp, small") << 0 << -1.0 << 1.0;
        QTest::newRow("exp, all") << 0 << -87.0 << 88.7;
        QTest::newRow("log, around 1") << 1 << 0.5 << 2.0;
        QTest::newRow("log, large") << 1 << 2.0 << 1e30;
        QTest::newRow("log, tiny") << 1 << 1e-37 << 1e-30;
        QTest::newRow("erf") << 2 << -6.0 << 6.0;
        QTest::newRow("tanh") << 3 << -12.0 << 12.0;
    }
    void staysNearTheExactValue() {
        QFETCH(int, function);
        QFETCH(double, low);
        QFETCH(double, high);
        const Approximation approximations[] = {weft::cpu::exponential, weft::cpu::logarithm,
                                                weft::cpu::errorFunction,
                                                weft::cpu::hyperbolicTangent};
        const Exact exacts[] = {
            [](double x) { return std::exp(x); }, [](double x) { return std::log(x); },
            [](double x) { return std::erf(x); }, [](double x) { return std::tanh(x); }};
        const double found = worstError(approximations[function], exacts[function], low, high);
        QVERIFY2(found < 4, QByteArray::number(found));
    }

    void keepsNaN() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (const Approximation f : {weft::cpu::exponential, weft::cpu::logarithm,
                                      weft::cpu::errorFunction, weft::cpu::hyperbolicTangent}) {
            QVERIFY(std::isnan(f(nan)));
        }
        QVERIFY(std::isnan(weft::cpu::logarithm(-1)));
    }

    void reachesTheEnds() {
        const float infinity = std::numeric_limits<float>::infinity();
        QCOMPARE(weft::cpu::exponential(-infinity), 0.0F);
        QCOMPARE(weft::cpu::exponential(infinity), infinity);
        QCOMPARE(weft::cpu::exponential(0), 1.0F);
        QCOMPARE(weft::cpu::logarithm(0), -infinity);
        QCOMPARE(weft::cpu::logarithm(1), 0.0F);
        QCOMPARE(weft::cpu::logarithm(infinity), infinity);
        QCOMPARE(weft::cpu::errorFunction(infinity), 1.0F);
        QCOMPARE(weft::cpu::errorFunction(-infinity), -1.0F);
        QCOMPARE(weft::cpu::hyperbolicTangent(infinity), 1.0F);
    }
};

std::unique_ptr<QObject> makeTestFunctions() { return std::make_unique<TestFunctions>(); }

#include "tst_functions.moc"
