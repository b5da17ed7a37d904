// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/elements.h"
#include "engine/data/raises.h"

#include <QTest>
#include <cmath>
#include <limits>

namespace weft {

using test::bytesOf;
using test::numbersOf;

class TestElements : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void convertsEveryWidthAndOrder();
    void keepsBf16Exactly();
    void roundsToBf16AsIeeeDoes();
    void refusesWhatDoesNotFit();
    void widensTypesWithoutTwin();
};

namespace {

template <class To>
std::vector<To> converted(ElementType from, std::vector<std::byte> raw, DType to,
                          std::size_t expected) {
    std::vector<std::byte> out(raw.size() / from.bytes * byteSize(to));
    if (convertElements(from, raw, to, out) != expected) {
        return {};
    }
    return numbersOf<To>(out);
}

} // namespace

void TestElements::convertsEveryWidthAndOrder() {
    using enum ElementKind;
    const std::vector<std::uint8_t> bigShorts = {0x01, 0x02, 0xFF, 0xFE};
    QCOMPARE((converted<float>({integer, 2, true}, bytesOf(bigShorts), DType::f32, 2)),
             (std::vector<float>{258, -2}));
    QCOMPARE(
        (converted<std::int64_t>({unsignedInteger, 2, true}, bytesOf(bigShorts), DType::i64, 2)),
        (std::vector<std::int64_t>{258, 65534}));
    const std::vector<std::uint8_t> bigFloat = {0x3F, 0xC0, 0x00, 0x00};
    QCOMPARE((converted<double>({floating, 4, true}, bytesOf(bigFloat), DType::f64, 1)),
             (std::vector<double>{1.5}));
    const std::vector<double> doubles = {0.1, -3.0};
    QCOMPARE((converted<float>({floating, 8, false}, bytesOf(doubles), DType::f32, 2)),
             (std::vector<float>{0.1F, -3.0F}));
    const std::vector<std::uint8_t> truths = {0, 1, 7};
    QCOMPARE((converted<std::int32_t>({boolean, 1, false}, bytesOf(truths), DType::i32, 3)),
             (std::vector<std::int32_t>{0, 1, 1}));
    const std::vector<std::int8_t> small = {-128, 127};
    QCOMPARE((converted<float>({integer, 1, false}, bytesOf(small), DType::f32, 2)),
             (std::vector<float>{-128, 127}));
}

void TestElements::keepsBf16Exactly() {
    // Every 16-bit float that is a number survives the way to f32 and back.
    for (const DType half : {DType::f16, DType::bf16}) {
        std::vector<std::uint16_t> all;
        for (std::uint32_t bits = 0; bits < 65536; ++bits) {
            const std::uint32_t exponent = half == DType::f16 ? 0x7C00 : 0x7F80;
            const bool isNan = (bits & exponent) == exponent && (bits & ~exponent & 0x7FFFU) != 0;
            if (!isNan) {
                all.push_back(static_cast<std::uint16_t>(bits));
            }
        }
        const auto wide =
            converted<float>(elementTypeOf(half), bytesOf(all), DType::f32, all.size());
        QCOMPARE(wide.size(), all.size());
        const auto back =
            converted<std::uint16_t>(elementTypeOf(DType::f32), bytesOf(wide), half, all.size());
        QCOMPARE(back, all);
    }
}

void TestElements::roundsToBf16AsIeeeDoes() {
    const std::vector<float> values = {
        1.0F + 0x1p-11F,                // tie: to even, down
        1.0F + 0x1.8p-10F,              // tie: to even, up
        65519.9F,          65520.0F,    // the largest, and beyond it
        0x1p-25F,          0x1.8p-25F}; // half of the smallest, and more
    QCOMPARE((converted<std::uint16_t>(elementTypeOf(DType::f32), bytesOf(values), DType::f16, 6)),
             (std::vector<std::uint16_t>{0x3C00, 0x3C02, 0x7BFF, 0x7C00, 0x0000, 0x0001}));
    const std::vector<float> odd = {std::numeric_limits<float>::quiet_NaN()};
    const auto half =
        converted<std::uint16_t>(elementTypeOf(DType::f32), bytesOf(odd), DType::f16, 1);
    QVERIFY((half[0] & 0x7C00U) == 0x7C00U && (half[0] & 0x3FFU) != 0);
}

void TestElements::refusesWhatDoesNotFit() {
    const std::vector<std::int64_t> large = {5, std::int64_t{1} << 31U};
    std::vector<std::byte> raw = bytesOf(large);
    std::vector<std::byte> out(8);
    QCOMPARE(convertElements(elementTypeOf(DType::i64), raw, DType::i32, out), std::size_t{1});
    const std::vector<double> fractions = {3.0, 0x1p31, 0.5};
    raw = bytesOf(fractions);
    out.resize(24);
    QCOMPARE(convertElements(elementTypeOf(DType::f64), raw, DType::i32, out), std::size_t{1});
    QCOMPARE(convertElements(elementTypeOf(DType::f64), raw, DType::i64, out), std::size_t{2});
    const std::vector<double> notNumber = {std::numeric_limits<double>::quiet_NaN()};
    raw = bytesOf(notNumber);
    QCOMPARE(convertElements(elementTypeOf(DType::f64), raw, DType::i64, out), std::size_t{0});
}

void TestElements::widensTypesWithoutTwin() {
    using enum ElementKind;
    QCOMPARE(dtypeFor({unsignedInteger, 2, false}), DType::i32);
    QCOMPARE(dtypeFor({unsignedInteger, 4, false}), DType::i64);
    QCOMPARE(dtypeFor({integer, 1, false}), DType::i32);
    QCOMPARE(dtypeFor({boolean, 1, false}), DType::u8);
    QCOMPARE(dtypeFor({floating, 2, true}), DType::f16);
}

} // namespace weft

std::unique_ptr<QObject> makeTestElements() { return std::make_unique<weft::TestElements>(); }
#include "tst_elements.moc"
