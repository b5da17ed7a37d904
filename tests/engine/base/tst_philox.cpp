// SPDX-License-Identifier: Apache-2.0
#include "base/philox.h"

#include <QTest>
#include <cmath>
#include <memory>
#include <vector>

using namespace weft;

class TestPhilox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreesWithThePublishedAnswers() {
        // philox 4x32 10 of the known-answer vectors of Random123.
        using Block = std::array<std::uint32_t, 4>;
        QVERIFY(philox4x32({0, 0, 0, 0}, {0, 0}) ==
                (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
        QVERIFY(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                           {0xffffffff, 0xffffffff}) ==
                (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
        QVERIFY(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                           {0xa4093822, 0x299f31d0}) ==
                (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
    }

    void anyPartIsDrawnAsInTheWhole() {
        const Philox draw(weights());
        std::vector<float> normal(3000);
        std::vector<std::uint32_t> bits(3000);
        const std::uint64_t begin =
            (std::uint64_t{1} << 34U) - 1501; // across a carry of the counter's word
        draw.fillNormal(begin, normal);
        draw.fillBits(begin, bits);
        for (std::size_t i = 0; i < bits.size(); ++i) {
            QCOMPARE(bits[i], draw.bits(begin + i));
            QCOMPARE(normal[i], draw.normal(begin + i));
        }
        for (std::size_t first = 0; first < 9; ++first) {
            for (std::size_t size = 0; size < 9; ++size) {
                std::vector<float> part(size);
                draw.fillNormal(begin + first, part);
                QVERIFY(std::equal(part.begin(), part.end(),
                                   normal.begin() + static_cast<long>(first)));
            }
        }
    }

    void numbersHaveTheirMoments() {
        constexpr std::size_t count = 1'000'000;
        std::vector<float> x(count);
        const Philox draw(weights());
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = draw.uniform(i);
        }
        const auto [mean, variance] = moments(x);
        for (const float value : x) {
            QVERIFY(value >= 0 && value < 1);
        }
        // Five standard errors.
        QVERIFY(std::abs(mean - 0.5) < 5 * std::sqrt(1.0 / 12 / count));
        QVERIFY(std::abs(variance - 1.0 / 12) < 5 * std::sqrt(1.0 / 180 / count));
        draw.fillNormal(0, x);
        const auto [normalMean, normalVariance] = moments(x);
        QVERIFY(std::abs(normalMean) < 5 * std::sqrt(1.0 / count));
        QVERIFY(std::abs(normalVariance - 1) < 5 * std::sqrt(2.0 / count));
        const auto outside =
            std::count_if(x.begin(), x.end(), [](float v) { return std::abs(v) > 1.959964F; });
        QVERIFY(std::abs(static_cast<double>(outside) / count - 0.05) <
                5 * std::sqrt(0.05 * 0.95 / count));
    }

    void everyPartOfAKeyCounts() {
        const std::uint32_t first = Philox(weights()).bits(0);
        Draw other = weights();
        other.seed = 2;
        QVERIFY(Philox(other).bits(0) != first);
        other = weights();
        other.origin.instance = 1;
        QVERIFY(Philox(other).bits(0) != first);
        other = weights();
        other.origin.layer = LayerId{4};
        QVERIFY(Philox(other).bits(0) != first);
        other = weights();
        other.role = "bias";
        QVERIFY(Philox(other).bits(0) != first);
        other = weights();
        other.step = 1;
        QVERIFY(Philox(other).bits(0) != first);
        QCOMPARE(Philox(weights()).bits(0), first);
    }

    void valuesStayForEver() {
        // Runs are resumed by later versions: these numbers never change.
        const Philox draw(weights());
        QCOMPARE(draw.key()[0], std::uint32_t{15159068});
        QCOMPARE(draw.bits(5), std::uint32_t{822039458});
        QCOMPARE(draw.below(5, 1000), std::uint64_t{47});
    }

    void belowStaysBelowAndIsEven() {
        const Philox draw(weights());
        std::array<int, 7> counts{};
        for (std::uint64_t i = 0; i < 70000; ++i) {
            ++counts.at(draw.below(i, 7));
        }
        for (const int count : counts) {
            QVERIFY(std::abs(count - 10000) < 500);
        }
        QCOMPARE(draw.below(3, 1), std::uint64_t{0});
        const std::uint64_t huge = ~std::uint64_t{0};
        const std::uint64_t top = draw.below(3, huge);
        QVERIFY(top < huge);
        QCOMPARE(draw.below(3, huge / 2 + 1), (top + 1) / 2);
    }

private:
    static Draw weights() { return {1, Origin{LayerId{3}, 0}, "weight", 0}; }

    static std::pair<double, double> moments(const std::vector<float>& x) {
        double sum = 0;
        double squares = 0;
        for (const float value : x) {
            sum += value;
            squares += static_cast<double>(value) * value;
        }
        const double mean = sum / static_cast<double>(x.size());
        return {mean, squares / static_cast<double>(x.size()) - mean * mean};
    }
};

std::unique_ptr<QObject> makeTestPhilox() { return std::make_unique<TestPhilox>(); }
#include "tst_philox.moc"
