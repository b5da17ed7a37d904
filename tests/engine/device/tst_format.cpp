// SPDX-License-Identifier: Apache-2.0
#include "device/format.h"
#include "device/settled_formats.h"
#include "support/bug.h"

#include <QTest>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

using namespace weft;

class TestFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsBf16InAnOrder() {
        const Format maps = halved({"acdb"}, 4);
        QCOMPARE(maps.tag, std::string("acdb~"));
        QCOMPARE(halved({}, 2).tag, std::string("ab~"));
        QCOMPARE(widened(maps).tag, std::string("acdb"));
        QVERIFY(widened(halved({}, 2)).isPlain());
        QCOMPARE(elementsIn(maps, {2, 3, 4, 5}), std::int64_t{120});
        QCOMPARE(bytesIn(maps, DType::f32, {2, 3, 4, 5}).count, std::int64_t{240});
        QCOMPARE(bytesIn({"acdb"}, DType::f32, {2, 3, 4, 5}).count, std::int64_t{480});
        QVERIFY(stridesOf(maps, {2, 3, 4, 5}) == stridesOf({"acdb"}, {2, 3, 4, 5}));
        QVERIFY(!isSameLayout({"ab~"}, {}, {2, 3}) && !isSameLayout({"ab~"}, {"ab"}, {2, 3}));
    }

    /// To the nearest, to even between two; what is no number stays none.
    void roundsToBf16() {
        const std::array<float, 5> numbers{1.0F, 1.0F + 0x1p-8F, 1.0F + 0x3p-8F, -0x1.018p0F,
                                           std::numeric_limits<float>::quiet_NaN()};
        std::array<std::uint16_t, 5> inBf16{};
        std::array<float, 5> back{};
        intoFormat({"ab~"}, {1, 5}, sizeof(float), numbers.data(), inBf16.data());
        outOfFormat({"ab~"}, {1, 5}, sizeof(float), inBf16.data(), back.data());
        QCOMPARE(back[0], 1.0F);
        QCOMPARE(back[1], 1.0F);
        QCOMPARE(back[2], 1.0F + 0x1p-6F);
        QCOMPARE(back[3], -0x1.02p0F);
        QVERIFY(std::isnan(back[4]));
    }

    void readsAPlainFormatAsTheLogicalOrder() {
        const FormatLayout layout = layoutOf({}, 3);
        QCOMPARE(layout.order, (std::vector<int>{0, 1, 2}));
        QVERIFY(layout.blocks.empty());
    }

    void readsOrdersAndBlocks() {
        QCOMPARE(layoutOf({"acdb"}, 4).order, (std::vector<int>{0, 2, 3, 1}));
        const FormatLayout blocked = layoutOf({"ABcd16b16a"}, 4);
        QCOMPARE(blocked.order, (std::vector<int>{0, 1, 2, 3}));
        QVERIFY((blocked.blocks == std::vector<std::pair<int, std::int64_t>>{{1, 16}, {0, 16}}));
    }

    void refusesTagsThatDoNotDescribeTheDims_data() {
        QTest::addColumn<QString>("tag");
        QTest::addColumn<int>("rank");
        QTest::newRow("too few") << "acb" << 4;
        QTest::newRow("too many") << "acdb" << 3;
        QTest::newRow("twice") << "aacd" << 4;
        QTest::newRow("another letter") << "abce" << 4;
        QTest::newRow("a block of a small letter") << "abcd16b" << 4;
        QTest::newRow("a capital without a block") << "aBcd" << 4;
        QTest::newRow("a size without a dim") << "aBcd16" << 4;
    }
    void refusesTagsThatDoNotDescribeTheDims() {
        QFETCH(QString, tag);
        QFETCH(int, rank);
        QVERIFY(test::isBug(
            [&] { (void)layoutOf({tag.toStdString()}, static_cast<std::size_t>(rank)); }));
    }

    void countsThePaddingOfBlocks() {
        QCOMPARE(elementsIn({}, {2, 17, 3}), std::int64_t{102});
        QCOMPARE(elementsIn({"acb"}, {2, 17, 3}), std::int64_t{102});
        QCOMPARE(elementsIn({"aBc16b"}, {2, 17, 3}), std::int64_t{2 * 32 * 3});
        QCOMPARE(elementsIn({"aBc8b2b"}, {2, 17, 3}), std::int64_t{2 * 32 * 3});
        QCOMPARE(elementsIn({}, {}), std::int64_t{1});
    }

    void givesStepsOfAnOrder() {
        QVERIFY(isOrder({}));
        QVERIFY(isOrder({"acdb"}));
        QVERIFY(!isOrder({"aBcd16b"}));
        QCOMPARE(stridesOf({}, {2, 3, 4}), (std::vector<std::int64_t>{12, 4, 1}));
        QCOMPARE(stridesOf({"acdb"}, {2, 3, 4, 5}), (std::vector<std::int64_t>{60, 1, 15, 3}));
        QVERIFY(test::isBug([] { (void)stridesOf({"aBcd16b"}, {2, 3, 4, 5}); }));
    }

    void bringsElementsIntoAFormatAndBack_data() {
        QTest::addColumn<QString>("tag");
        QTest::newRow("plain") << "";
        QTest::newRow("order") << "acdb";
        QTest::newRow("one block, padded") << "aBcd8b";
        QTest::newRow("two blocks") << "ABcd4b2a";
        QTest::newRow("two blocks of one dim") << "aBcd4b2b";
    }
    void bringsElementsIntoAFormatAndBack() {
        QFETCH(QString, tag);
        const Format format{tag.toStdString()};
        const Shape shape{3, 10, 2, 3};
        std::vector<std::int32_t> plain(180);
        std::iota(plain.begin(), plain.end(), 1);
        std::vector<std::int32_t> formatted(static_cast<std::size_t>(elementsIn(format, shape)),
                                            -1);
        intoFormat(format, shape, sizeof(std::int32_t), plain.data(), formatted.data());
        QCOMPARE(std::accumulate(formatted.begin(), formatted.end(), 0), 180 * 181 / 2);
        std::vector<std::int32_t> back(plain.size(), 0);
        outOfFormat(format, shape, sizeof(std::int32_t), formatted.data(), back.data());
        QCOMPARE(back, plain);
    }

    void putsTheLastDigitsOfADimInItsInnermostBlock() {
        const std::vector<std::int32_t> plain{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        std::vector<std::int32_t> formatted(16);
        intoFormat({"AB2b4a"}, {4, 4}, sizeof(std::int32_t), plain.data(), formatted.data());
        QCOMPARE(formatted,
                 (std::vector<std::int32_t>{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
        const std::vector<std::int32_t> row{0, 1, 2, 3, 4, 5, 6, 7};
        std::vector<std::int32_t> twice(8);
        intoFormat({"A2a2a"}, {8}, sizeof(std::int32_t), row.data(), twice.data());
        QCOMPARE(twice, row);
    }
};

std::unique_ptr<QObject> makeTestFormat() { return std::make_unique<TestFormat>(); }

#include "tst_format.moc"
