// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/products/tile_product.h"
#include "backends/cpu/simd.h"
#include "base/philox.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <vector>

using namespace weft;
using namespace weft::cpu;

namespace {

std::vector<float> drawn(std::size_t count, std::uint64_t seed) {
    std::vector<float> numbers(count);
    const Philox draw({.seed = seed});
    std::uint64_t element = 0;
    std::ranges::generate(numbers, [&] { return draw.uniform(element++); });
    return numbers;
}

template <int width>
void multiplyAt(const TileProduct& p) {
    const auto work = [&]() __attribute__((always_inline)) { multiplyAdd<width>(p); };
    if constexpr (width == 16) {
        runOnAvx512(work);
    } else if constexpr (width == 8) {
        runOnAvx2(work);
    } else {
        work();
    }
}

} // namespace

class TestTileProduct : public QObject {
    Q_OBJECT

    /// The largest difference from the sums in double; `turned` has a's steps the other way round.
    template <int width>
    static double worst(std::int64_t m, std::int64_t n, std::int64_t k, bool turned) {
        const std::int64_t bRow = n + 1; // odd on purpose: no row but the first is aligned
        const auto a = drawn(static_cast<std::size_t>(m * k), 1);
        const auto b = drawn(static_cast<std::size_t>(k * bRow), 2);
        const auto before = drawn(static_cast<std::size_t>(m * bRow), 3);
        auto c = before;
        const std::int64_t aRow = turned ? 1 : k;
        const std::int64_t aStep = turned ? m : 1;
        multiplyAt<width>({m, n, k, a.data(), aRow, aStep, b.data(), bRow, c.data(), bRow});
        double difference = 0;
        for (std::int64_t row = 0; row < m; ++row) {
            for (std::int64_t column = 0; column < bRow; ++column) {
                const auto at = static_cast<std::size_t>(row * bRow + column);
                double expected = before[at];
                for (std::int64_t i = 0; column < n && i < k; ++i) {
                    expected +=
                        static_cast<double>(a[static_cast<std::size_t>(row * aRow + i * aStep)]) *
                        b[static_cast<std::size_t>(i * bRow + column)];
                }
                difference = std::max(difference, std::abs(c[at] - expected));
            }
        }
        return difference;
    }

private Q_SLOTS:
    void addsTheProduct_data() {
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("k");
        for (const int m : {1, 5, 13}) {
            for (const int n : {1, 4, 7, 16, 23, 64, 91}) {
                for (const int k : {1, 33}) {
                    QTest::addRow("%d x %d x %d", m, n, k) << m << n << k;
                }
            }
        }
    }
    void addsTheProduct() {
        QFETCH(int, m);
        QFETCH(int, n);
        QFETCH(int, k);
        constexpr double allowed = 1e-5;
        for (const bool turned : {false, true}) {
            QVERIFY(worst<4>(m, n, k, turned) < allowed);
            if (widestIsa() != Isa::any) {
                QVERIFY(worst<8>(m, n, k, turned) < allowed);
            }
            if (widestIsa() == Isa::avx512) {
                QVERIFY(worst<16>(m, n, k, turned) < allowed);
            }
        }
    }
};

std::unique_ptr<QObject> makeTestTileProduct() { return std::make_unique<TestTileProduct>(); }

#include "tst_tile_product.moc"
