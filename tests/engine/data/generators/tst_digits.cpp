// SPDX-License-Identifier: Apache-2.0
#include "data/generators/digit_drawing.h"
#include "data/generators/skeleton.h"
#include "data/open.h"
#include "engine/data/made_source.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft {

using test::fieldOf;
using DigitPicture = std::array<float, generators::picturePixels>;

class TestDigits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsTheTableOfForms();
    void hasSeveralFormsOfEveryDigit();
    void drawsTheSameDigitsForOneSeed();
    void looksLikeMnist_data();
    void looksLikeMnist();
    void drawsEveryDigitAboutAsOften();
    void drawsPrintWithoutDistortion();
    void keepsTestDigitsApart();
};

namespace {

DigitPicture drawn(const generators::DigitDrawing& drawing, std::int64_t index) {
    DigitPicture picture;
    drawing.draw(index, picture);
    return picture;
}

} // namespace

void TestDigits::readsTheTableOfForms() {
    const auto strokes = generators::parseStrokes("20,0 50,100! 80,-5 / 0,50 99,50");
    QCOMPARE(strokes.size(), std::size_t{2});
    QCOMPARE(strokes[0].size(), std::size_t{3});
    QVERIFY(strokes[0][1].isCorner && !strokes[0][0].isCorner);
    QCOMPARE(strokes[0][2].at.y, -0.05F);
    QCOMPARE(strokes[1][1].at.x, 0.99F);
}

void TestDigits::hasSeveralFormsOfEveryDigit() {
    for (const auto& skeletons : generators::digitSkeletons()) {
        QVERIFY(skeletons.size() >= 4);
        for (const generators::Skeleton& skeleton : skeletons) {
            QVERIFY(skeleton.weight > 0);
            for (const generators::Stroke& stroke : skeleton.strokes) {
                QVERIFY(stroke.size() >= 2);
            }
        }
    }
}

void TestDigits::drawsTheSameDigitsForOneSeed() {
    const generators::DigitDrawing one(5, "training digits", 1);
    const generators::DigitDrawing same(5, "training digits", 1);
    const generators::DigitDrawing other(6, "training digits", 1);
    // In any order, and whatever was drawn before.
    const DigitPicture later = drawn(one, 1000);
    QCOMPARE(drawn(same, 3), drawn(one, 3));
    QCOMPARE(drawn(same, 1000), later);
    QVERIFY(drawn(other, 3) != drawn(one, 3));
    QVERIFY(drawn(one, 4) != drawn(one, 3));
}

void TestDigits::looksLikeMnist_data() {
    QTest::addColumn<int>("seed");
    QTest::newRow("seed 1") << 1;
    QTest::newRow("seed 2") << 2;
}

void TestDigits::looksLikeMnist() {
    QFETCH(int, seed);
    const generators::DigitDrawing drawing(static_cast<std::uint64_t>(seed), "training digits", 1);
    const int side = static_cast<int>(generators::pictureSide);
    double ink = 0;
    const int count = 500;
    for (int index = 0; index < count; ++index) {
        const DigitPicture picture = drawn(drawing, index);
        float mass = 0;
        float sumX = 0;
        float sumY = 0;
        int left = side;
        int right = 0;
        int top = side;
        int bottom = 0;
        for (int i = 0; i < side * side; ++i) {
            const float pixel = picture[static_cast<std::size_t>(i)];
            QVERIFY(pixel >= 0 && pixel <= 1);
            const float inBytes = pixel * 255;
            QVERIFY(std::abs(inBytes - std::round(inBytes)) < 1e-3F);
            mass += pixel;
            const int row = i / side;
            const int column = i % side;
            sumX += pixel * (static_cast<float>(column) + 0.5F);
            sumY += pixel * (static_cast<float>(row) + 0.5F);
            if (pixel > 0.5F) {
                left = std::min(left, column);
                right = std::max(right, column + 1);
                top = std::min(top, row);
                bottom = std::max(bottom, row + 1);
            }
        }
        // The mass in the middle, the digit in a box of 20x20, its greatest extent filling it.
        QVERIFY(std::abs(sumX / mass - 14) < 0.75F && std::abs(sumY / mass - 14) < 0.75F);
        QVERIFY(right - left <= 21 && bottom - top <= 21);
        QVERIFY(std::max(right - left, bottom - top) >= 18);
        QVERIFY(*std::max_element(picture.begin(), picture.end()) > 0.9F);
        ink += mass / static_cast<float>(side * side);
    }
    // MNIST's test pictures have 0.1325 in the mean.
    QVERIFY(std::abs(ink / count - 0.1325) < 0.02);
}

void TestDigits::drawsEveryDigitAboutAsOften() {
    const generators::DigitDrawing drawing(9, "training digits", 1);
    std::array<int, 10> counts = {};
    for (int index = 0; index < 10000; ++index) {
        ++counts.at(static_cast<std::size_t>(drawing.label(index)));
    }
    // Six deviations of a binomial with n = 10000, p = 0.1.
    QVERIFY(std::all_of(counts.begin(), counts.end(),
                        [](int count) { return std::abs(count - 1000) < 180; }));
}

void TestDigits::drawsPrintWithoutDistortion() {
    const generators::DigitDrawing drawing(1, "training digits", 0);
    for (int index = 0; index < 50; ++index) {
        const DigitPicture picture = drawn(drawing, index);
        QVERIFY(*std::max_element(picture.begin(), picture.end()) > 0.9F);
    }
}

void TestDigits::keepsTestDigitsApart() {
    DataSettings settings;
    settings.source = "digits";
    settings.attributes = {{"count", std::int64_t{50}}, {"test_count", std::int64_t{20}}};
    const Data data = openData(settings, {}, sourceKinds());
    QCOMPARE(data.training->size(), std::int64_t{50});
    QCOMPARE(data.test->size(), std::int64_t{20});
    QCOMPARE(data.training->fields()[0].shape, (Shape{1, 28, 28}));
    QCOMPARE(data.training->fields()[1].classes, std::int64_t{10});
    QCOMPARE(data.classNames.size(), std::size_t{10});
    std::vector<std::int64_t> all(50);
    std::iota(all.begin(), all.end(), 0);
    const std::vector<float> training = fieldOf<float>(*data.training, "images", all);
    const std::vector<float> test = fieldOf<float>(*data.test, "images", {0, 1, 2});
    for (std::size_t one = 0; one < 3; ++one) {
        for (std::size_t other = 0; other < 50; ++other) {
            QVERIFY(!std::equal(test.begin() + static_cast<std::ptrdiff_t>(one * 784),
                                test.begin() + static_cast<std::ptrdiff_t>((one + 1) * 784),
                                training.begin() + static_cast<std::ptrdiff_t>(other * 784)));
        }
    }
    const generators::DigitDrawing drawing(1, "training digits", 1);
    const auto labels = fieldOf<std::int32_t>(*data.training, "labels", {0, 7});
    QCOMPARE(labels[1], drawing.label(7));
}

} // namespace weft

std::unique_ptr<QObject> makeTestDigits() { return std::make_unique<weft::TestDigits>(); }
#include "tst_digits.moc"
