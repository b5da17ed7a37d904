// SPDX-License-Identifier: Apache-2.0
// Transfers piece by piece are what they are number by number: codes and costs, at the corners and
// between them, in registers of every width.
#include "backends/cpu/simd.h"
#include "backends/cpu/sparse/piecewise_linear.h"

#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::cpu;

namespace {

Attributes transferOf(const Attributes& some) {
    Attributes all;
    for (const AttributeSpec& spec : transferAttributes()) {
        const AttributeValue* value = some.find(spec.name);
        all.set(spec.name, value == nullptr ? spec.defaultValue : *value);
    }
    return all;
}

template <int width>
float codeAt(const PiecewiseLinear& pieces, float v) {
    float numbers[width];
    std::fill_n(numbers, width, v);
    const auto work = [&]() __attribute__((always_inline)) {
        using L = Lanes<width>;
        if (pieces.isThreshold()) {
            L::store(numbers, pieces.isTwoSided()
                                  ? pieces.code<width, true, true>(L::load(numbers))
                                  : pieces.code<width, true, false>(L::load(numbers)));
        } else {
            L::store(numbers, pieces.isTwoSided()
                                  ? pieces.code<width, false, true>(L::load(numbers))
                                  : pieces.code<width, false, false>(L::load(numbers)));
        }
    };
    if constexpr (width == 16) {
        runOnAvx512(work);
    } else if constexpr (width == 8) {
        runOnAvx2(work);
    } else {
        work();
    }
    return numbers[width - 1];
}

float codeOf(const PiecewiseLinear& pieces, float v) {
    switch (widestIsa()) {
    case Isa::avx512: return codeAt<16>(pieces, v);
    case Isa::avx2: return codeAt<8>(pieces, v);
    case Isa::any: break;
    }
    return codeAt<4>(pieces, v);
}

template <int width>
std::uint64_t activeAt(const std::vector<float>& numbers) {
    std::uint64_t bits = 0;
    const auto work = [&]() __attribute__((always_inline)) {
        bits = Lanes<width>::active(Lanes<width>::load(numbers.data()));
    };
    if constexpr (width == 16) {
        runOnAvx512(work);
    } else if constexpr (width == 8) {
        runOnAvx2(work);
    } else {
        work();
    }
    return bits;
}

} // namespace

class TestPiecewiseLinear : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areTheTransfer_data() {
        QTest::addColumn<Attributes>("attributes");
        QTest::addColumn<bool>("isThreshold");
        const auto row = [](const char* name, bool isThreshold, const Attributes& attributes) {
            QTest::newRow(name) << transferOf(attributes) << isThreshold;
        };
        row("soft", true, {{"threshold", 0.3}});
        row("soft, two-sided", true, {{"threshold", 0.3}, {"two_sided", true}});
        row("hard", true, {{"transfer", std::string("hard")}, {"threshold", 0.4}});
        row("hard, two-sided", true,
            {{"transfer", std::string("hard")}, {"threshold", 0.4}, {"two_sided", true}});
        row("firm", false, {{"transfer", std::string("firm")}, {"threshold", 0.2}, {"width", 0.6}});
        row("firm, cut, two-sided", false,
            {{"transfer", std::string("firm")},
             {"threshold", 0.2},
             {"width", 0.6},
             {"maximum", 0.9},
             {"two_sided", true}});
        row("general", false,
            {{"transfer", std::string("general")},
             {"threshold", 0.3},
             {"shift", 0.1},
             {"width", 0.2},
             {"minimum", -0.1},
             {"maximum", 0.9}});
        row("points", false,
            {{"transfer", std::string("points")},
             {"points_v", std::vector<double>{-0.5, 0.25, 0.25, 1.0}},
             {"points_a", std::vector<double>{-0.5, 0.0, 0.2, 0.5}},
             {"minimum", -0.5},
             {"slope_below", 0.5}});
    }
    void areTheTransfer() {
        QFETCH(Attributes, attributes);
        QFETCH(bool, isThreshold);
        const TransferFunction transfer(attributes);
        const auto pieces = PiecewiseLinear::of(transfer);
        QVERIFY(pieces.has_value());
        QCOMPARE(pieces->isThreshold(), isThreshold);
        std::vector<float> potentials;
        for (int k = -300; k <= 300; ++k) {
            potentials.push_back(static_cast<float>(k) * 0.01F);
            for (const float up : {-1.0F, 1.0F}) { // values just before and after corners
                potentials.push_back(std::nextafter(potentials.back(), up * 10));
            }
        }
        std::vector<float> codes;
        double sum = 0;
        for (const float v : potentials) {
            const double expected = transfer.code(v);
            const float code = codeOf(*pieces, v);
            QVERIFY2(std::abs(code - expected) <= 4e-7,
                     qPrintable(QStringLiteral("%1: %2, not %3").arg(v).arg(code).arg(expected)));
            const double cost = transfer.cost(code);
            QVERIFY(std::abs(pieces->cost(code) - cost) <= 1e-12);
            codes.push_back(code);
            sum += cost;
        }
        QVERIFY(std::abs(pieces->costs(codes.data(), static_cast<std::int64_t>(codes.size())) -
                         sum) <= 1e-9 * std::max(1.0, std::abs(sum)));
        const auto known = static_cast<std::int64_t>(codes.size());
        codes.resize(codes.size() + 4, 0.0F);
        double sums[4] = {};
        pieces->addCosts(codes.data(), known, sums);
        QVERIFY(std::abs(sums[0] + sums[1] + sums[2] + sums[3] - sum) <=
                1e-9 * std::max(1.0, std::abs(sum)));
        QVERIFY(std::isnan(codeOf(*pieces, std::nanf(""))));
    }

    void leaveManyPointsToOthers() {
        const std::vector<double> many{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        const Attributes attributes = transferOf(
            {{"transfer", std::string("points")}, {"points_v", many}, {"points_a", many}});
        QVERIFY(!PiecewiseLinear::of(TransferFunction(attributes)));
    }

    void seeWhatIsActive() {
        std::vector<float> numbers(16, 0.0F);
        numbers[1] = -1e-40F;
        numbers[2] = -0.0F;
        numbers[3] = std::nanf("");
        numbers[7] = 2;
        numbers[15] = -3;
        QCOMPARE(activeAt<4>(numbers), std::uint64_t{0x0a});
        if (widestIsa() != Isa::any) {
            QCOMPARE(activeAt<8>(numbers), std::uint64_t{0x8a});
        }
        if (widestIsa() == Isa::avx512) {
            QCOMPARE(activeAt<16>(numbers), std::uint64_t{0x808a});
        }
    }
};

std::unique_ptr<QObject> makeTestPiecewiseLinear() {
    return std::make_unique<TestPiecewiseLinear>();
}
#include "tst_piecewise_linear.moc"
