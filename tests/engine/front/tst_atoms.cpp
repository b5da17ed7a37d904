// SPDX-License-Identifier: Apache-2.0
// Patches whose figures are known before they are measured.
#include "base/philox.h"
#include "front/pictures/atoms.h"
#include "support/test_main.h"
#include <weft/atoms.h>
#include <weft/error.h>

#include <QTest>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

using namespace weft;

namespace {

/// Bars of an orientation, in degrees, under a round envelope.
struct Gabor {
    double frequency = 0.15;
    double orientation = 0;
    double sigma = 4;
    double phase = 0; ///< in cycles: 0 is even about the middle, 0.25 odd
    std::int64_t side = 32;

    [[nodiscard]] float at(std::int64_t row, std::int64_t column) const {
        const double middle = static_cast<double>(side - 1) / 2;
        const double across = static_cast<double>(column) - middle;
        const double up = middle - static_cast<double>(row);
        const double angle = orientation * std::numbers::pi / 180;
        const double along = -std::sin(angle) * across + std::cos(angle) * up;
        const double envelope = std::exp(-(across * across + up * up) / (2 * sigma * sigma));
        return static_cast<float>(envelope *
                                  std::cos(2 * std::numbers::pi * (frequency * along + phase)));
    }
    /// The gain falls to half so far to both sides: 2 (pi sigma d)^2 = ln 2.
    [[nodiscard]] double octaves() const {
        const double d = std::sqrt(std::numbers::ln2 / 2) / (std::numbers::pi * sigma);
        return std::log2((frequency + d) / (frequency - d));
    }
};

using Draw2d = std::function<float(std::int64_t, std::int64_t)>;

void append(TensorNumbers& to, std::int64_t rows, std::int64_t columns, const Draw2d& draw) {
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
            to.numbers.push_back(draw(row, column));
        }
    }
}

TensorNumbers dictionaryOf(std::int64_t side, const std::vector<Draw2d>& atoms) {
    TensorNumbers made{"it.weight", {static_cast<std::int64_t>(atoms.size()), 1, side, side}, {}};
    for (const Draw2d& atom : atoms) {
        append(made, side, side, atom);
    }
    return made;
}

Draw2d drawing(const Gabor& gabor) {
    return [gabor](std::int64_t row, std::int64_t column) { return gabor.at(row, column); };
}

AtomFigures of(std::int64_t side, const Draw2d& atom) {
    const TensorNumbers numbers = dictionaryOf(side, {atom});
    double energy = 0;
    for (const float x : numbers.numbers) {
        energy += static_cast<double>(x) * static_cast<double>(x);
    }
    return figuresOf({1, side, side, numbers.numbers}, energy); // without noise beside it
}

double squaredFromMiddle(std::int64_t side, std::int64_t row, std::int64_t column) {
    const double middle = static_cast<double>(side - 1) / 2;
    const double down = static_cast<double>(row) - middle;
    const double across = static_cast<double>(column) - middle;
    return down * down + across * across;
}

TensorNumbers noise(const Shape& shape, std::uint64_t seed) {
    TensorNumbers made{"noise", shape, {}};
    made.numbers.resize(static_cast<std::size_t>(elementsOf(shape)));
    weft::Philox({.seed = seed, .role = "a test's noise"}).fillNormal(0, made.numbers);
    return made;
}

/// How far two orientations are from each other.
double between(double a, double b) { return std::abs(std::remainder(a - b, 180)); }

} // namespace

class TestAtoms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsGaborsBack_data() {
        QTest::addColumn<Gabor>("gabor");
        for (const int orientation : {0, 30, 45, 90, 120, 170}) {
            QTest::addRow("at %d degrees", orientation)
                << Gabor{.orientation = static_cast<double>(orientation)};
        }
        for (const double frequency : {0.1, 0.2, 0.3, 0.4}) {
            QTest::addRow("of %g cycles per pixel", frequency)
                << Gabor{.frequency = frequency, .orientation = 20};
        }
        QTest::newRow("wide in frequency")
            << Gabor{.frequency = 0.2, .orientation = 65, .sigma = 2};
        QTest::newRow("narrow in frequency")
            << Gabor{.frequency = 0.2, .orientation = 65, .sigma = 5};
        QTest::newRow("odd") << Gabor{.orientation = 100, .phase = 0.25};
        QTest::newRow("in a small patch")
            << Gabor{.frequency = 0.25, .orientation = 140, .sigma = 2, .side = 12};
    }
    /// To 2 % of the frequency, 1 degree, a twentieth of an octave.
    void readsGaborsBack() {
        QFETCH(Gabor, gabor);
        const AtomFigures read = of(gabor.side, drawing(gabor));
        const auto say = [](const char* what, double is, double wanted) {
            return QByteArray(what) + " " + QByteArray::number(is) + ", not " +
                   QByteArray::number(wanted);
        };
        QVERIFY2(std::abs(read.frequency / gabor.frequency - 1) < 0.02,
                 say("frequency", read.frequency, gabor.frequency));
        QVERIFY2(between(read.orientation, gabor.orientation) < 1,
                 say("orientation", read.orientation, gabor.orientation));
        QVERIFY(read.bandwidth.has_value());
        QVERIFY2(std::abs(*read.bandwidth - gabor.octaves()) < 0.05,
                 say("bandwidth", *read.bandwidth, gabor.octaves()));
        QVERIFY(read.isBandPass);
        QVERIFY2(read.selectivity > 0.6, say("selectivity", read.selectivity, 1));
    }

    void hasTheSpectrumThatTheSumHas() {
        const TensorNumbers numbers = noise({2, 5, 7}, 3);
        const Patch patch{2, 5, 7, numbers.numbers};
        double largest = 0;
        int points = 0;
        PowerSpectrum(patch).each([&](Frequency at, double power) {
            const bool isEdge = std::abs(at.down) == 0.5;
            const bool isSide = at.across == 0 || at.across == 0.5;
            const double area = (isEdge ? 0.5 : 1.0) * (isSide ? 0.5 : 1.0);
            largest = std::max(largest, std::abs(power - area * powerAt(patch, at)));
            ++points;
        });
        QCOMPARE(points, 65 * 33);
        QVERIFY2(largest < 1e-9, QByteArray::number(largest));
    }

    void seesThatABlobIsNone() {
        const AtomFigures blob = of(16, [](std::int64_t row, std::int64_t column) {
            return static_cast<float>(std::exp(-squaredFromMiddle(16, row, column) / 8));
        });
        QCOMPARE(blob.frequency, 0.0);
        QVERIFY(!blob.bandwidth && !blob.isBandPass);
        QVERIFY(blob.selectivity < 0.01);
        QVERIFY(blob.spread < 0.5);
    }

    void seesARingInFrequency() {
        // The difference of two blobs: one band, all directions.
        const AtomFigures ring = of(24, [](std::int64_t row, std::int64_t column) {
            const double r = squaredFromMiddle(24, row, column);
            return static_cast<float>(std::exp(-r / 8) - std::exp(-r / 16) / 2);
        });
        QVERIFY(ring.isBandPass);
        QVERIFY(ring.selectivity < 0.01);
    }

    void hasNoBandWhereGreyPasses() {
        // On a grey as strong as the bars: between the two the gain falls and rises.
        const Gabor gabor{.frequency = 0.25, .sigma = 3};
        const AtomFigures onGrey = of(32, [&](std::int64_t row, std::int64_t column) {
            const double r = squaredFromMiddle(32, row, column);
            return gabor.at(row, column) + 0.4F * static_cast<float>(std::exp(-r / 18));
        });
        QVERIFY(std::abs(onGrey.frequency - 0.25) < 0.01);
        QVERIFY(!onGrey.bandwidth && !onGrey.isBandPass);
    }

    void seesWhatFillsThePatch() {
        const AtomFigures grating = of(16, drawing({.frequency = 0.2, .sigma = 1e6, .side = 16}));
        QVERIFY(grating.selectivity > 0.85);
        QVERIFY(std::abs(grating.spread - 1) < 0.05);
        const AtomFigures even = of(16, [](auto, auto) { return 1.0F; });
        QVERIFY(std::abs(even.covered - 0.9) < 0.01);
        QVERIFY(std::abs(even.spread - 1) < 1e-9);
        QVERIFY(!even.isBandPass);
        const AtomFigures point =
            of(16, [](auto row, auto column) { return row == 3 && column == 9 ? 2.0F : 0.0F; });
        QCOMPARE(point.covered, 1.0 / 256);
        QCOMPARE(point.spread, 0.0);
        QCOMPARE(point.energy, 4.0);
        QVERIFY(!point.isBandPass);
    }

    void tellsADictionaryFromNoise() {
        std::vector<Draw2d> atoms;
        for (int k = 0; k < 24; ++k) {
            atoms.push_back(drawing({.frequency = 0.15 + 0.005 * k,
                                     .orientation = 7.5 * k,
                                     .sigma = 2,
                                     .phase = 0.1 * k,
                                     .side = 14}));
        }
        const DictionaryFigures learned = dictionaryFigures(dictionaryOf(14, atoms));
        QCOMPARE(learned.together.atoms, 24);
        QCOMPARE(learned.together.allThree, 24);
        QVERIFY(learned.noise.allThree * 50 < learned.noise.atoms);
        QVERIFY(learned.noise.selectivity < learned.together.selectivity / 3);

        const DictionaryFigures drawn = dictionaryFigures(noise({400, 1, 14, 14}, 9));
        QCOMPARE(drawn.together.atoms, 400);
        QVERIFY(drawn.together.oriented < 50 && drawn.together.localised < 50);
        QVERIFY(drawn.together.bandPass < 60);
        QVERIFY(drawn.together.allThree < 5);
        // The statistics of noise depend on the shape alone.
        QCOMPARE(dictionaryFigures(noise({3, 1, 14, 14}, 8)).noise, drawn.noise);
        QVERIFY(dictionaryFigures(noise({3, 1, 8, 8}, 8)).noise != drawn.noise);
        QVERIFY(std::abs(drawn.noise.selectivity / drawn.together.selectivity - 1) < 0.2);
    }

    void looksAtTheStrongestFrame() {
        TensorNumbers film{"film", {1, 3, 32, 32}, {}};
        for (const double orientation : {10.0, 60.0, 110.0}) {
            const float height = orientation == 60 ? 2.0F : 1.0F;
            append(film, 32, 32, [&](std::int64_t row, std::int64_t column) {
                return height * Gabor{.orientation = orientation}.at(row, column);
            });
        }
        const AtomFigures atom = dictionaryFigures(film, 3).atoms.front();
        QCOMPARE(atom.frame, 1);
        QVERIFY(between(atom.orientation, 60) < 1);
    }

    void addsColoursUp() {
        TensorNumbers picture{"picture", {1, 3, 32, 32}, {}};
        for (const float height : {1.0F, -1.0F, 0.5F}) {
            append(picture, 32, 32, [&](std::int64_t row, std::int64_t column) {
                return height * Gabor{.orientation = 60}.at(row, column);
            });
        }
        // Their sum has nearly none; their power has.
        const AtomFigures atom = dictionaryFigures(picture).atoms.front();
        const AtomFigures grey = of(32, drawing({.orientation = 60}));
        QVERIFY(between(atom.orientation, 60) < 1);
        QVERIFY(std::abs(*atom.bandwidth - *grey.bandwidth) < 1e-6);
        QVERIFY(std::abs(atom.energy / grey.energy - 2.25) < 1e-6);
    }

    void passesOverWhatIsNoNumber() {
        TensorNumbers numbers = noise({4, 1, 6, 6}, 2);
        numbers.numbers[5] = std::numeric_limits<float>::quiet_NaN();
        numbers.numbers[40] = std::numeric_limits<float>::infinity();
        std::fill(numbers.numbers.begin() + 72, numbers.numbers.begin() + 108, 0.0F);
        const DictionaryFigures figures = dictionaryFigures(numbers);
        QCOMPARE(figures.together.atoms, 1);
        QCOMPARE(figures.held, 4);
        QCOMPARE(figures.atoms[1], (AtomFigures{.atom = 1}));
        QVERIFY(figures.atoms[3].energy > 0);
        QVERIFY2(summaryOf(figures).starts_with("1 of 4 atoms of 1 x 6 x 6: "),
                 summaryOf(figures).c_str());
        for (const double number : {figures.together.frequency, figures.together.bandwidth,
                                    figures.together.spread, figures.noise.covered}) {
            QVERIFY(std::isfinite(number));
        }
    }

    void takesAtomsOfAnyShape_data() {
        QTest::addColumn<QList<int>>("shape");
        QTest::newRow("a pixel") << QList<int>{3, 1, 1, 1};
        QTest::newRow("a line") << QList<int>{3, 2, 1, 9};
        QTest::newRow("a column") << QList<int>{3, 2, 9, 1};
        QTest::newRow("sets of them") << QList<int>{2, 3, 1, 5, 4};
        QTest::newRow("large") << QList<int>{1, 1, 120, 100};
    }
    void takesAtomsOfAnyShape() {
        QFETCH(const QList<int>, shape);
        const Shape full(shape.begin(), shape.end());
        const DictionaryFigures figures = dictionaryFigures(noise(full, 4));
        QCOMPARE(figures.held, shape.size() == 5 ? 6 : full.front());
        QCOMPARE(figures.together.atoms, figures.held);
        QVERIFY(std::isfinite(figures.together.spread));
        QVERIFY(figures.atoms.front().orientation >= 0 && figures.atoms.front().orientation < 180);
    }

    void refusesWhatIsNone_data() {
        QTest::addColumn<QList<int>>("shape");
        QTest::addColumn<int>("frames");
        QTest::newRow("a matrix") << QList<int>{4, 4} << 1;
        QTest::newRow("nothing") << QList<int>{0, 1, 4, 4} << 1;
        QTest::newRow("frames that do not divide") << QList<int>{2, 3, 4, 4} << 2;
        QTest::newRow("no frames") << QList<int>{2, 3, 4, 4} << 0;
        QTest::newRow("too long") << QList<int>{1, 1, 1, 5000} << 1;
        QTest::newRow("too large") << QList<int>{1, 2, 800, 800} << 1;
    }
    void refusesWhatIsNone() {
        QFETCH(const QList<int>, shape);
        QFETCH(const int, frames);
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(dictionaryFigures(
                                            noise(Shape(shape.begin(), shape.end()), 1), frames)));
    }
};

std::unique_ptr<QObject> makeTestAtoms() { return std::make_unique<TestAtoms>(); }
#include "tst_atoms.moc"
