// SPDX-License-Identifier: Apache-2.0
#include "support/test_main.h"
#include "tryit/typical_picture.h"
#include <weft/samples.h>

#include <QTest>
#include <cmath>
#include <random>

using namespace weft;
using namespace weft::ui;

namespace {

TensorNumbers digits(std::int64_t count) {
    DataSettings data;
    data.source = "digits";
    return readSamples({data, {}, {}}, SampleSet::training, 0, count).fields.front();
}

TensorNumbers numbersOf(const QImage& picture) {
    TensorNumbers numbers{"drawn", {1, 1, picture.height(), picture.width()}, {}};
    for (int row = 0; row < picture.height(); ++row) {
        for (int column = 0; column < picture.width(); ++column) {
            numbers.numbers.push_back(float(qGray(picture.pixel(column, row))) / 255);
        }
    }
    return numbers;
}

const Strokes seven = {{{.1, .1}, {.3, .1}, {.2, .35}}};

} // namespace

class TestTypicalPicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void digitsFillTheirBoxWithTheirMassInTheMiddle() {
        const TypicalPicture typical = typicalPictureOf(digits(64));
        QVERIFY(typical.areFigures);
        QVERIFY(!typical.isInkDark);
        QVERIFY2(std::abs(typical.extent - 20) <= 1, qPrintable(QString::number(typical.extent)));
        QVERIFY2(typical.pen > 1.3 && typical.pen < 3.6, qPrintable(QString::number(typical.pen)));
        QVERIFY(std::abs(typical.middle.x() - 14) < 0.3 && std::abs(typical.middle.y() - 14) < 0.3);
    }

    void whatIsDrawnIsAsLargeAsWideAndInTheSamePlace() {
        const TypicalPicture wanted = typicalPictureOf(digits(64));
        const TypicalPicture drawn = typicalPictureOf(numbersOf(drawAs(wanted, seven)));
        QVERIFY2(std::abs(drawn.extent - wanted.extent) <= 1,
                 qPrintable(QString::number(drawn.extent)));
        QVERIFY2(std::abs(drawn.pen - wanted.pen) < 0.4, qPrintable(QString::number(drawn.pen)));
        QVERIFY(std::hypot(drawn.middle.x() - wanted.middle.x(),
                           drawn.middle.y() - wanted.middle.y()) < 0.5);
    }

    void darkInkOnALightGroundIsDrawnDark() {
        TensorNumbers inverted = digits(16);
        for (float& number : inverted.numbers) {
            number = 3 - 2 * number; // normalised in some way of its own
        }
        const TypicalPicture typical = typicalPictureOf(inverted);
        QVERIFY(typical.areFigures && typical.isInkDark);
        const QImage picture = drawAs(typical, seven);
        QVERIFY(qGray(picture.pixel(0, 0)) > 200);
    }

    void picturesWithoutAGroundSayNothingOfWhereToDraw() {
        std::mt19937 random(1);
        TensorNumbers noise{"noise", {4, 3, 32, 32}, std::vector<float>(4 * 3 * 32 * 32)};
        for (float& number : noise.numbers) {
            number = float(random() % 256) / 255;
        }
        const TypicalPicture typical = typicalPictureOf(noise);
        QVERIFY(!typical.areFigures);
        // As it was drawn, then.
        const QImage picture = drawAs(typical, seven);
        QCOMPARE(picture.size(), QSize(32, 32));
        QVERIFY(qGray(picture.pixel(4, 3)) > 100);
        QCOMPARE(qGray(picture.pixel(24, 24)), 0);
    }

    void aDotStaysADot() {
        const QImage picture = drawAs(TypicalPicture(), {{{.2, .2}}});
        QVERIFY(qGray(picture.pixel(14, 14)) > 100);
        QCOMPARE(qGray(picture.pixel(2, 2)), 0);
    }
};

std::unique_ptr<QObject> makeTestTypicalPicture() { return std::make_unique<TestTypicalPicture>(); }
#include "tst_typical_picture.moc"
