// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/npy.h"
#include "data/films/pictures.h"
#include "support/test_main.h"
#include <weft/error.h>
#include <weft/pictures.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

using namespace weft;

namespace {

TensorNumbers counted(Shape shape) {
    TensorNumbers tensor{.name = "counted", .shape = std::move(shape), .numbers = {}};
    tensor.numbers.resize(static_cast<std::size_t>(elementsOf(tensor.shape)));
    std::iota(tensor.numbers.begin(), tensor.numbers.end(), 0.0F);
    return tensor;
}

MetricSeries falling(std::int64_t steps) {
    MetricSeries series{.metric = {.name = "loss"}, .steps = {}, .values = {}};
    for (std::int64_t step = 1; step <= steps; ++step) {
        series.steps.push_back(step);
        series.values.push_back(1.0 / static_cast<double>(step));
    }
    return series;
}

} // namespace

class TestPictures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void laysTilesInRowsAPixelApart() {
        const Picture picture = mosaic(counted({4, 1, 2, 3}), {.scale = 1});
        QCOMPARE(picture.channels, 1);
        QCOMPARE(picture.rows, 2 * 2 + 1);
        QCOMPARE(picture.columns, 2 * 3 + 1);
        QCOMPARE(picture.at(0, 0, 0), std::uint8_t{0});   // the smallest
        QCOMPARE(picture.at(0, 4, 6), std::uint8_t{255}); // the largest
        QCOMPARE(picture.at(0, 2, 0), std::uint8_t{255}); // between tiles
        // The second tile begins with 6 of 0 to 23.
        QCOMPARE(picture.at(0, 0, 4), static_cast<std::uint8_t>(std::lround(255 * 6 / 23.0)));
    }

    void showsFiltersOfThreeChannelsInColour() {
        const Picture picture = mosaic(counted({1, 3, 2, 2}), {.scale = 1});
        QCOMPARE(picture.channels, 3);
        QCOMPARE(picture.rows, 2);
        QCOMPARE(picture.at(0, 0, 0), std::uint8_t{0});
        QCOMPARE(picture.at(2, 1, 1), std::uint8_t{255});
    }

    void enlargesWhatIsSmall() {
        const Picture picture = mosaic(counted({3, 3}));
        QVERIFY(picture.rows >= 24 && picture.columns >= 24);
    }

    void drawsEveryShape_data() {
        QTest::addColumn<QList<int>>("shape");
        QTest::newRow("a number") << QList<int>{};
        QTest::newRow("nothing") << QList<int>{0, 3};
        QTest::newRow("a list") << QList<int>{7};
        QTest::newRow("a matrix") << QList<int>{5, 9};
        QTest::newRow("activations") << QList<int>{2, 6, 4, 4};
        QTest::newRow("many dims") << QList<int>{2, 2, 2, 2, 2};
    }
    void drawsEveryShape() {
        QFETCH(const QList<int>, shape);
        const Picture picture = mosaic(counted(Shape(shape.begin(), shape.end())));
        QVERIFY(picture.rows > 0 && picture.columns > 0);
        QCOMPARE(picture.pixels.size(),
                 static_cast<std::size_t>(picture.channels * picture.rows * picture.columns));
    }

    void drawsWhatIsNotFiniteInBetween() {
        TensorNumbers tensor = counted({1, 3});
        tensor.numbers[1] = std::numeric_limits<float>::quiet_NaN();
        const Picture picture = mosaic(tensor, {.scale = 1});
        QCOMPARE(picture.at(0, 0, 1), std::uint8_t{128});
        QCOMPARE(picture.at(0, 0, 2), std::uint8_t{255});
        QCOMPARE(histogram(tensor).notFinite, 1);
    }

    void countsHowNumbersFall() {
        const Histogram spread = histogram(counted({100}), 4);
        QCOMPARE(spread.least, 0.0);
        QCOMPARE(spread.most, 99.0);
        QVERIFY((spread.counts == std::vector<std::int64_t>{25, 25, 25, 25}));
    }

    void drawsCurvesFromCornerToCorner() {
        const Picture picture = curves({falling(20)}, 50, 80);
        QCOMPARE(picture.channels, 3);
        QVERIFY(picture.at(0, 0, 0) != 255 || picture.at(1, 0, 0) != 255); // highest at first
        QVERIFY(picture.at(0, 49, 79) != 255 || picture.at(1, 49, 79) != 255);
        QCOMPARE(picture.at(0, 0, 79), std::uint8_t{255});
        const std::string text = curveText(falling(20), 5, 20);
        QVERIFY2(text.find("loss") == 0 && text.find('*') != std::string::npos, text.c_str());
        QVERIFY2(text.find("0.05") != std::string::npos, text.c_str());
    }

    void drawsNothingOfNothing() {
        QVERIFY(!curves({}).pixels.empty());
        QVERIFY(!curveText({.metric = {.name = "loss"}, .steps = {}, .values = {}}).empty());
    }

    void savesPicturesThatReadBack() {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("a.png").toStdString();
        for (const Picture& picture :
             {mosaic(counted({2, 3, 4, 5})), mosaic(counted({4, 4}), {.scale = 1})}) {
            savePicture(picture, file);
            const Still read = readPicture({file});
            QVERIFY((read.form == PictureForm{picture.rows, picture.columns, picture.channels}));
            std::vector<std::uint16_t> mixed;
            for (std::int64_t pixel = 0; pixel < picture.rows * picture.columns; ++pixel) {
                for (std::int64_t channel = 0; channel < picture.channels; ++channel) {
                    mixed.push_back(picture.at(channel, 0, pixel));
                }
            }
            QCOMPARE(read.samples, mixed);
        }
    }

    void readsTensorsOfAnyType() {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("ids.npy").toStdString();
        const std::vector<std::int64_t> ids{3, 1, 2};
        writeNpy(file, DType::i64, {3}, std::as_bytes(std::span(ids)));
        const TensorNumbers tensor = readTensor(file);
        QVERIFY((tensor.numbers == std::vector<float>{3, 1, 2}));
        QVERIFY(tensor.shape == Shape{3});
    }

    void writesTensorsAsTheyAreRead() {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("counted.npy").toStdString();
        const TensorNumbers tensor = counted({2, 3, 4});
        saveTensor(tensor, file);
        QVERIFY(readTensor(file) == tensor);
        QVERIFY_THROWS_EXCEPTION(Error, saveTensor(tensor, "/nowhere/at-all/counted.npy"));
    }
};

std::unique_ptr<QObject> makeTestPictures() { return std::make_unique<TestPictures>(); }
#include "tst_pictures.moc"
