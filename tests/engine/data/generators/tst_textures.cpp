// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <numeric>

namespace weft {

using test::errorOf;
using test::fieldOf;
using Examples = std::vector<std::int64_t>;
using Numbers = std::vector<float>;

namespace {

Data openFilms(const Attributes& attributes, double validation = 0) {
    DataSettings settings;
    settings.source = "textures";
    settings.attributes = attributes;
    settings.validation = validation;
    return openData(settings, {}, sourceKinds());
}

Numbers imagesOf(const Source& source, const Examples& examples) {
    return fieldOf<float>(source, "images", examples);
}

double correlation(const Numbers& a, const Numbers& b) {
    const double sum = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    return sum / static_cast<double>(a.size());
}

/// |F|^2 of a square picture under Hann's window by whole frequencies, averaged over circles.
std::vector<double> radialPower(const Numbers& x, std::size_t side) {
    using Number = std::complex<double>;
    std::vector<Number> table(side);
    std::vector<double> window(side);
    for (std::size_t k = 0; k < side; ++k) {
        const double turn =
            2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(side);
        table[k] = std::polar(1.0, -turn);
        window[k] = 0.5 - 0.5 * std::cos(turn);
    }
    std::vector<Number> rows(side * side);
    for (std::size_t row = 0; row < side; ++row) {
        for (std::size_t u = 0; u < side; ++u) {
            for (std::size_t k = 0; k < side; ++k) {
                rows[row * side + u] +=
                    double{x[row * side + k]} * window[row] * window[k] * table[u * k % side];
            }
        }
    }
    std::vector<double> sums(side / 2);
    std::vector<double> counts(side / 2);
    for (std::size_t u = 0; u < side; ++u) {
        for (std::size_t v = 0; v < side; ++v) {
            Number sum;
            for (std::size_t k = 0; k < side; ++k) {
                sum += rows[k * side + u] * table[v * k % side];
            }
            const auto fold = [&](std::size_t f) {
                return static_cast<double>(std::min(f, side - f));
            };
            const auto ring = static_cast<std::size_t>(std::lround(std::hypot(fold(u), fold(v))));
            if (ring < sums.size()) {
                sums[ring] += std::norm(sum);
                counts[ring] += 1;
            }
        }
    }
    for (std::size_t ring = 0; ring < sums.size(); ++ring) {
        sums[ring] /= counts[ring];
    }
    return sums;
}

/// Returns the slope of log power over log frequency by least squares.
double slopeOf(const std::vector<double>& power, std::size_t first, std::size_t last) {
    double sx = 0;
    double sy = 0;
    double sxx = 0;
    double sxy = 0;
    const auto n = static_cast<double>(last - first + 1);
    for (std::size_t f = first; f <= last; ++f) {
        const double x = std::log(static_cast<double>(f));
        const double y = std::log(power[f]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

} // namespace

class TestTextures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drawsTheSameFrameAlways() {
        const Data one = openFilms({{"channels", std::int64_t{3}}});
        const Data two = openFilms({{"channels", std::int64_t{3}}});
        QCOMPARE(one.training->fields()[0].shape, (Shape{3, 32, 32}));
        const Numbers x = imagesOf(*one.training, {4000, 3});
        QCOMPARE(imagesOf(*two.training, {4000, 3}), x);
        QVERIFY(imagesOf(
                    *openFilms({{"seed", std::int64_t{2}}, {"channels", std::int64_t{3}}}).training,
                    {4000, 3}) != x);
    }

    void hasMeanZeroAndDeviationOne() {
        const Data data = openFilms({{"channels", std::int64_t{3}}, {"size", Examples{20, 30}}});
        for (const std::int64_t example : {0, 77, 5000}) {
            const Numbers x = imagesOf(*data.training, {example});
            QVERIFY(std::abs(std::accumulate(x.begin(), x.end(), 0.0)) < 1e-2);
            QVERIFY(std::abs(correlation(x, x) - 1) < 1e-4);
        }
        const Numbers unit =
            imagesOf(*openFilms({{"normalise", std::string("unit")}}).training, {0, 1, 2});
        const auto [least, most] = std::ranges::minmax(unit);
        QVERIFY(least >= 0 && most <= 1 && most - least > 0.3);
        const Numbers bytes =
            imagesOf(*openFilms({{"normalise", std::string("none")}}).training, {0, 1, 2});
        for (std::size_t k = 0; k < unit.size(); ++k) {
            QCOMPARE(bytes[k] / 255, unit[k]);
        }
        const auto range = std::ranges::minmax(
            imagesOf(*openFilms({{"normalise", std::string("luminance")}}).training, {77}));
        QVERIFY(range.min == 0 && range.max == 1);
    }

    void hasThePowerOfPhotographs_data() {
        QTest::addColumn<int>("side");
        QTest::newRow("32") << 32;
        QTest::newRow("64") << 64;
    }
    void hasThePowerOfPhotographs() {
        QFETCH(int, side);
        const Data data = openFilms({{"size", Examples{side, side}},
                                     {"scene", std::int64_t{0}},
                                     {"films", std::int64_t{100}}});
        std::vector<double> power(static_cast<std::size_t>(side) / 2);
        for (std::int64_t film = 0; film < 60; ++film) {
            const auto one = radialPower(imagesOf(*data.training, {film * 100 + 7}),
                                         static_cast<std::size_t>(side));
            std::transform(one.begin(), one.end(), power.begin(), power.begin(), std::plus());
        }
        const double slope = slopeOf(power, 2, static_cast<std::size_t>(side) / 2 - 2);
        qInfo("slope %.3f", slope);
        QVERIFY2(slope > -2.6 && slope < -1.6, qPrintable(QString::number(slope)));
    }

    void driftsSlowlyAndCutsNowAndThen() {
        const Data data = openFilms({{"count", std::int64_t{1200}}, {"films", std::int64_t{2}}});
        int cuts = 0;
        std::vector<double> kept;
        for (std::int64_t frame = 0; frame + 1 < 600; ++frame) {
            const double alike = correlation(imagesOf(*data.training, {frame}),
                                             imagesOf(*data.training, {frame + 1}));
            alike < 0.6 ? static_cast<void>(++cuts) : kept.push_back(alike);
        }
        QVERIFY2(cuts >= 6 && cuts <= 12, qPrintable(QString::number(cuts))); // 600 / 64
        const double mean =
            std::accumulate(kept.begin(), kept.end(), 0.0) / static_cast<double>(kept.size());
        QVERIFY2(mean > 0.85 && mean < 0.999, qPrintable(QString::number(mean)));
        const Data still = openFilms({{"speed", 0.0}, {"scene", std::int64_t{0}}});
        QCOMPARE(imagesOf(*still.training, {0}), imagesOf(*still.training, {600}));
        QVERIFY(imagesOf(*still.training, {0}) != imagesOf(*still.training, {625}));
    }

    void isMadeOfFilms() {
        const Data data = openFilms({{"count", std::int64_t{10}},
                                     {"films", std::int64_t{3}},
                                     {"frames", std::int64_t{2}},
                                     {"test_count", std::int64_t{9}}});
        QCOMPARE(data.training->size(), std::int64_t{7}); // films of 4, 3 and 3 frames
        QCOMPARE(fieldOf<float>(*data.training, "begins", {0, 1, 2, 3, 4, 5, 6}),
                 (Numbers{1, 0, 0, 1, 0, 1, 0}));
        QCOMPARE(fieldOf<std::int64_t>(*data.training, "frame", {0, 3, 6}), (Examples{0, 4, 8}));
        const Numbers two = imagesOf(*data.training, {1, 2});
        QVERIFY(std::equal(two.begin() + 1024, two.begin() + 2048, two.begin() + 2048));
        QVERIFY(imagesOf(*data.test, {0}) != imagesOf(*data.training, {0}));
        QCOMPARE(data.training->order().watch, MovieOrder::byList);
    }

    void holdsOutTheSameFrames() {
        const Attributes asked{{"count", std::int64_t{20}}, {"films", std::int64_t{2}}};
        const Data whole = openFilms(asked);
        const Data cut = openFilms(asked, 0.2);
        QCOMPARE(fieldOf<std::int64_t>(*cut.validation, "frame", {0, 1, 2, 3}),
                 (Examples{8, 9, 18, 19}));
        QCOMPARE(imagesOf(*cut.validation, {3}), imagesOf(*whole.training, {19}));
        QCOMPARE(imagesOf(*cut.training, {8}), imagesOf(*whole.training, {10}));
    }

    void refusesFilmsWithoutFrames() {
        const auto error = errorOf([] {
            (void)openFilms({{"count", std::int64_t{3}}, {"films", std::int64_t{4}}});
        });
        QVERIFY(error && error->problem().find("films") != std::string::npos);
        QVERIFY(errorOf([] { (void)openFilms({{"channels", std::int64_t{2}}}); }).has_value());
    }

    void drawsAFrameWithoutThoseBefore() {
        const Data data = openFilms({});
        const Numbers batch = imagesOf(*data.training, {3999, 9, 4000});
        const Data fresh = openFilms({});
        const Numbers alone = imagesOf(*fresh.training, {4000});
        QCOMPARE(Numbers(batch.begin() + 2048, batch.end()), alone);
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestTextures() { return std::make_unique<weft::TestTextures>(); }
#include "tst_textures.moc"
