// SPDX-License-Identifier: Apache-2.0
// Statistics of a code and a dictionary, compared with numbers computed by hand.
#include "support/test_main.h"
#include "tensors/element_hues.h"
#include "tensors/sparse_numbers.h"
#include "tensors/sparse_shown.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>

using namespace weft;
using namespace weft::ui;

class TestSparseNumbers : public QObject {
    Q_OBJECT

    static TensorNumbers tensor(Shape shape, std::vector<float> numbers) {
        return {"", std::move(shape), std::move(numbers)};
    }
    /// Two elements, three atoms at two places, pictures of two pixels.
    static SparseStep step() {
        return {tensor({2, 3, 1, 2}, {1, 0, 0, 0, 2, -3, 0, 0, 0, 0, 0, 4}),
                tensor({2, 1, 1, 2}, {3, 4, 1, 1}),
                tensor({2, 1, 1, 2}, {0, 0.5F, 0, 0}),
                tensor({3, 2}, {9, 5, 4, 2, 1, 1}),
                {}};
    }

    static double energyOf(const std::vector<double>& numbers) {
        return std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0) / 2;
    }
    /// The same by its definition: the residual with an atom's part put back, less as it is.
    static std::vector<double> wantedGains(const SparseStep& step, const TensorNumbers& weight,
                                           std::int64_t down, std::int64_t right) {
        const Shape& code = step.code.shape;
        const Shape& picture = step.residual.shape;
        const Shape& kernel = weight.shape;
        std::vector<double> gains;
        for (std::int64_t atom = 0; atom < code[1]; ++atom) {
            const std::vector<double> now(step.residual.numbers.begin(),
                                          step.residual.numbers.end());
            std::vector<double> without = now;
            for (std::int64_t at = 0; at < code[0] * code[2] * code[3] * elementsOf(kernel); ++at) {
                const std::int64_t tap = at % elementsOf(kernel);
                const std::int64_t place = at / elementsOf(kernel);
                const std::int64_t e = place / (code[2] * code[3]);
                const std::int64_t y = place / code[3] % code[2] * down - (kernel[2] - down) / 2 +
                                       tap / kernel[3] % kernel[2];
                const std::int64_t x =
                    place % code[3] * right - (kernel[3] - right) / 2 + tap % kernel[3];
                const std::int64_t c = tap / (kernel[2] * kernel[3]) % kernel[1];
                if (tap / (kernel[1] * kernel[2] * kernel[3]) != atom || y < 0 || x < 0 ||
                    y >= picture[2] || x >= picture[3]) {
                    continue;
                }
                const std::int64_t of =
                    (e * code[1] + atom) * code[2] * code[3] + place % (code[2] * code[3]);
                without[static_cast<std::size_t>(
                    ((e * picture[1] + c) * picture[2] + y) * picture[3] + x)] +=
                    double(step.code.numbers[static_cast<std::size_t>(of)]) *
                    double(weight.numbers[static_cast<std::size_t>(tap)]);
            }
            gains.push_back((energyOf(without) - energyOf(now)) / double(code[0]));
        }
        return gains;
    }

private Q_SLOTS:
    void signalToNoiseIsPerElementAndAbsentWhereNothingIsLeft() {
        const SparseStep one = step();
        const auto found = signalToNoise(inputOf(one), one.residual);
        QCOMPARE(found.size(), std::size_t{2});
        QVERIFY(found[0].has_value());
        // x = (3, 4.5), r = (0, 0.5)
        QVERIFY(std::abs(*found[0] - 10 * std::log10((9 + 20.25) / 0.25)) < 1e-9);
        QVERIFY(!found[1].has_value());
        // PSNR: the signal is the peak everywhere.
        const auto peaks = peakToNoise(one.residual, 3);
        QVERIFY(std::abs(*peaks[0] - 10 * std::log10(2 * 9 / 0.25)) < 1e-9);
        QVERIFY(peaks.size() == 2 && !peaks[1].has_value());
        QVERIFY(peakToNoise(one.residual, 0).empty());
        const TensorNumbers nothing = tensor({1, 1, 1, 2}, {0, 0});
        QVERIFY(!signalToNoise(nothing, tensor({1, 1, 1, 2}, {1, 1}))[0].has_value());
    }

    void activityUseAndSums() {
        const SparseStep one = step();
        QCOMPARE(activeShares(one.code), (std::vector<double>{3.0 / 6, 1.0 / 6}));
        QCOMPARE(atomUse(one.code), (std::vector<double>{1.0 / 4, 0, 3.0 / 4}));
        const TensorNumbers sum = sumOverAtoms(one.code);
        QCOMPARE(sum.shape, (Shape{2, 1, 1, 2}));
        QCOMPARE(sum.numbers, (std::vector<float>{3, -3, 0, 4}));
        QCOMPARE(curveOf(one.energies, 1), (std::vector<double>{5, 2, 1}));
        QVERIFY(curveOf(one.steps, 1).empty());
    }

    void atomsByNormAndSimilarity() {
        // The second is three times the first; the third its negative; the fourth at right angles;
        // the fifth has no length.
        const TensorNumbers weight = tensor({5, 1, 1, 2}, {1, 0, 3, 0, -2, 0, 0, 0.5F, 0, 0});
        QCOMPARE(atomNorms(weight), (std::vector<double>{1, 3, 2, 0.5, 0}));
        QCOMPARE(atomSimilarity(weight, 0), (std::vector<double>{1, 1, -1, 0, 0}));
        QCOMPARE(atomSimilarity(weight, 7), std::vector<double>(5, 0));
        using Order = std::vector<std::int64_t>;
        QCOMPARE(orderOf(atomNorms(weight), 5), (Order{1, 2, 0, 3, 4}));
        QCOMPARE(orderOf(atomSimilarity(weight, 0), 5), (Order{0, 1, 3, 4, 2}));
        QCOMPARE(orderOf({}, 3), (Order{0, 1, 2})); // as stored
        const double none = std::numeric_limits<double>::quiet_NaN();
        QCOMPARE(orderOf({none, 1, none, 2}, 4), (Order{3, 1, 0, 2}));
    }

    void anAtomsGainIsWhatTheResidualWouldBeLargerBy() {
        // Patches of 2 x 2 that lie side by side.
        SparseStep one;
        one.code = tensor({2, 2, 1, 2}, {1, 0, 0, 2, 0, 0, 0, -1});
        one.residual = tensor({2, 1, 2, 4}, {1, 0, 0.5F, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0});
        one.reconstruction = one.residual;
        const TensorNumbers apart = tensor({2, 1, 2, 2}, {1, 0, 0, 1, 0, 1, 1, 0});
        // Atom 0: 1 + (1 + 1) / 2. Atom 1: (0, 2; 2, 0) where the residual of the first element is
        // (0.5, 0; 0, -1) has 8 / 2, its half turned round on that of the second 2 / 2.
        QCOMPARE(atomGains(one, apart), (std::vector<double>{2.0 / 2, 5.0 / 2}));
        QCOMPARE(atomGains(one, apart), wantedGains(one, apart, 2, 2));
        QVERIFY(atomGains(one, tensor({3, 1, 2, 2}, std::vector<float>(12, 1))).empty());
        QVERIFY(atomGains(one, tensor({2, 1, 3, 3}, std::vector<float>(18, 1))).empty());
        QVERIFY(atomGains(one, {}).empty());
    }

    /// Patches that overlap, a border, channels: against pictures made whole.
    void gainsOfPatchesThatOverlap() {
        SparseStep one;
        std::vector<float> code(2UL * 3 * 3 * 2, 0);
        for (std::size_t k = 0; k < code.size(); k += 2) {
            code[k] = static_cast<float>(k % 7) - 2;
        }
        std::vector<float> residual(2UL * 2 * 6 * 4);
        for (std::size_t k = 0; k < residual.size(); ++k) {
            residual[k] = static_cast<float>(k % 5) / 8 - 0.2F;
        }
        std::vector<float> weight(3UL * 2 * 4 * 6);
        for (std::size_t k = 0; k < weight.size(); ++k) {
            weight[k] = static_cast<float>(k % 11) / 16 - 0.3F;
        }
        one.code = tensor({2, 3, 3, 2}, code);
        one.residual = tensor({2, 2, 6, 4}, residual);
        one.reconstruction = one.residual;
        const TensorNumbers atoms = tensor({3, 2, 4, 6}, weight);
        const std::vector<double> gains = atomGains(one, atoms);
        const std::vector<double> wanted = wantedGains(one, atoms, 2, 2);
        QCOMPARE(gains.size(), wanted.size());
        for (std::size_t atom = 0; atom < gains.size(); ++atom) {
            QVERIFY(std::abs(gains[atom] - wanted[atom]) < 1e-5);
        }
    }

    void whatDoesNotBelongTogetherIsSaid() {
        QCOMPARE(faultOf(step()), std::string());
        SparseStep other = step();
        other.residual.shape = {1, 1, 1, 4};
        QVERIFY(!faultOf(other).empty());
        other = step();
        other.code.numbers.pop_back();
        QVERIFY(!faultOf(other).empty());
        other = step();
        other.code = tensor({3, 2, 1, 2}, other.code.numbers);
        QVERIFY(!faultOf(other).empty());
        other = step();
        other.energies.shape = {2, 3};
        QVERIFY(!faultOf(other).empty());
    }

    void picturesKeepOneScaleAndTheResidualIsNotCut() {
        const SparseDisplay shown = makeSparseDisplay(step(), {}, {.step = 7});
        QCOMPARE(shown.step, std::int64_t{7});
        QCOMPARE(shown.elements, std::int64_t{2});
        QVERIFY(!shown.inputScale.isSigned());
        QCOMPARE(shown.inputScale.most, 4.5);
        QCOMPARE(shown.strength, 9.0);
        QCOMPARE(qRed(shown.input[0][0].pixel(1, 0)), 255);
        QCOMPARE(qRed(shown.residual[0][0].pixel(1, 0)), 255); // 9 times 0.5 is the input's most
        QCOMPARE(qRed(shown.residual[0][0].pixel(0, 0)), 128);
        QCOMPARE(residualAmplification({0, 1}, {-0.3, 0.3}), 3.3);
        QCOMPARE(residualAmplification({0, 1}, {0, 0}), 1.0);
        QCOMPARE(residualAmplification({0, 0}, {0, 1}), 1.0);
    }

    void colourIsOfThreeChannels() {
        const DictionaryDisplay shown =
            makeDictionaryDisplay(tensor({2, 3, 1, 1}, {1, 0, -1, 0, 0, 0}), 3, 1);
        QCOMPARE(shown.atoms(), std::int64_t{2});
        QCOMPARE(shown.pictures[0][0].pixel(0, 0), qRgb(255, 128, 0));
        QCOMPARE(shown.pictures[0][1].pixel(0, 0), qRgb(128, 128, 128));
        QCOMPARE(makeDictionaryDisplay(tensor({4}, {1, 2, 3, 4}), 1, 1).atoms(), std::int64_t{0});
    }

    void atomsOfSeveralFramesAreAReel() {
        const TensorNumbers three = tensor({2, 3, 1, 1}, {1, 0, -1, 0, 2, 0});
        const Reel grey = atomPictures(three, 3);
        QCOMPARE(grey.size(), std::size_t{3});
        QCOMPARE(grey[0].size(), std::size_t{2});
        const auto pixels = [&](std::size_t atom) {
            return QList<int>{qRed(grey[0][atom].pixel(0, 0)), qRed(grey[1][atom].pixel(0, 0)),
                              qRed(grey[2][atom].pixel(0, 0))};
        };
        QCOMPARE(pixels(0), (QList<int>{255, 128, 0})); // on one scale
        QCOMPARE(pixels(1), (QList<int>{128, 255, 128}));
        const Reel colour = picturesOf(tensor({1, 6, 1, 1}, {1, 0, 0, 0, 0, 1}), {0, 1}, 2);
        QCOMPARE(colour.size(), std::size_t{2});
        QCOMPARE(colour[0][0].pixel(0, 0), qRgb(255, 0, 0));
        QCOMPARE(colour[1][0].pixel(0, 0), qRgb(0, 0, 255));
        // Channels that are of no frames: their mean.
        QCOMPARE(picturesOf(tensor({1, 4, 1, 1}, {1, 0, 0, 1}), {0, 1}, 3).size(), std::size_t{1});
    }

    void aFileHasAtomsInTheirOrderFrameBesideFrame() {
        const Reel reel = atomPictures(tensor({3, 2, 1, 1}, {1, -1, 0, 1, -1, 0}), 2);
        const Picture picture = mosaicOf(reel, {2, 0, 1});
        const std::int64_t side = 48;
        QCOMPARE(picture.channels, std::int64_t{3});
        // Two across, two down: tiles of two frames.
        QCOMPARE(picture.columns, 2 * 2 * side + 2);
        QCOMPARE(picture.rows, 2 * side + 2);
        const auto grey = [&](std::int64_t row, std::int64_t column) {
            return int(picture.at(1, row, column));
        };
        QCOMPARE((QList<int>{grey(0, 0), grey(0, side), grey(0, 2 * side), grey(0, 2 * side + 2),
                             grey(0, 3 * side + 2), grey(side + 2, 0), grey(side + 2, side)}),
                 (QList<int>{0, 128, 255, 255, 0, 128, 255}));
        QCOMPARE(grey(picture.rows - 1, picture.columns - 1), 255); // no atom
        QCOMPARE(mosaicOf({}, {}).rows, std::int64_t{1});
    }

    void setsAreShownOneByOne() {
        const TensorNumbers one = tensor({2, 1, 1, 2}, {1, 2, 3, 4});
        QCOMPARE(dictionariesOf(one.shape), std::int64_t{1});
        QCOMPARE(dictionaryOf(one, 1).numbers, one.numbers);
        const TensorNumbers each = tensor({2, 2, 1, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
        QCOMPARE(dictionariesOf(each.shape), std::int64_t{2});
        QCOMPARE(dictionaryOf(each, 1).shape, (Shape{2, 1, 1, 2}));
        QCOMPARE(dictionaryOf(each, 1).numbers, (std::vector<float>{5, 6, 7, 8}));
        // Positions of 1 x 3: that in the middle.
        const TensorNumbers places = tensor({1, 3, 1, 1, 1, 2}, {1, 2, 3, 4, 5, 6});
        QCOMPARE(dictionariesOf(places.shape), std::int64_t{1});
        QCOMPARE(dictionaryOf(places, 0).numbers, (std::vector<float>{3, 4}));
        const TensorNumbers all =
            tensor({2, 1, 3, 1, 1, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
        QCOMPARE(dictionaryOf(all, 1).numbers, (std::vector<float>{9, 10}));
        const DictionaryDisplay shown = makeDictionaryDisplay(all, 4, 1, 1);
        QVERIFY(shown.element == 1 && shown.isOfMiddle && shown.atoms() == 1);
    }

    void setsReachAsFarAsTheyAreUsed() {
        const Shape atom{1, 1, 1, 2};
        const auto behind = [&](Shape dims) {
            dims.insert(dims.end(), atom.begin(), atom.end());
            return dims;
        };
        QCOMPARE(scopeOfDictionary(atom, 1), DictionaryScope());
        QCOMPARE(scopeOfDictionary(behind({2}), 1), (DictionaryScope{.element = 1}));
        QCOMPARE(scopeOfDictionary(behind({2, 3}), 1), (DictionaryScope{.place = 4}));
        QCOMPARE(scopeOfDictionary(behind({2, 2, 3}), 1),
                 (DictionaryScope{.element = 1, .place = 4}));
        // Two elements, two atoms, three places.
        const TensorNumbers code = tensor({2, 2, 1, 3}, {0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 2, 3});
        QCOMPARE(atomUse(code, {.element = 1}), (std::vector<double>{1, 2.0 / 3}));
        QCOMPARE(atomUse(code, {.place = 1}), (std::vector<double>{1, 0.5}));
        QCOMPARE(atomUse(code, {.element = 0, .place = 1}), (std::vector<double>{1, 0}));
        QCOMPARE(atomUse(code, {.element = 2}), (std::vector<double>{0, 0}));
        QCOMPARE(codeOfAtom(code, 1).shape, (Shape{2, 1, 1, 3}));
        QCOMPARE(codeOfAtom(code, 1).numbers, (std::vector<float>{1, 0, 0, 0, 2, 3}));
    }

    /// Gains for each element's own dictionary, and for the dictionary of one position, count only
    /// within its reach.
    void gainsOfSetsAreOfWhatTheyReach() {
        SparseStep one;
        one.code = tensor({2, 2, 1, 2}, {1, 0, 0, 2, 0, 0, 0, -1});
        one.residual = tensor({2, 1, 2, 4}, {1, 0, 0.5F, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0});
        one.reconstruction = one.residual;
        const TensorNumbers each =
            tensor({2, 2, 1, 2, 2}, {1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 2, 0, 0, 1});
        const SparseDisplay shown = makeSparseDisplay(one, each, {});
        QCOMPARE(shown.atomNumbers.size(), std::size_t{2});
        for (std::size_t element = 0; element < 2; ++element) {
            SparseStep alone = one;
            alone.code.shape[0] = alone.residual.shape[0] = 1;
            const auto cut = [&](std::vector<float>& numbers) {
                const auto half = static_cast<std::ptrdiff_t>(numbers.size() / 2);
                const auto from = numbers.begin() + half * static_cast<std::ptrdiff_t>(element);
                numbers = std::vector<float>(from, from + half);
            };
            cut(alone.code.numbers);
            cut(alone.residual.numbers);
            const TensorNumbers own = dictionaryOf(each, static_cast<std::int64_t>(element));
            QCOMPARE(shown.atomNumbers[element].gains, wantedGains(alone, own, 2, 2));
            QCOMPARE(shown.atomNumbers[element].use, atomUse(alone.code));
        }
        QVERIFY(shown.atomNumbers[0].gains != shown.atomNumbers[1].gains);
        // A set per position: that in the middle is of the second place alone.
        std::vector<float> numbers(16, 9);
        const TensorNumbers apart = tensor({2, 1, 2, 2}, {1, 0, 0, 1, 0, 1, 1, 0});
        std::ranges::copy(apart.numbers, numbers.begin() + 8);
        const SparseDisplay middle =
            makeSparseDisplay(one, tensor({1, 2, 2, 1, 2, 2}, numbers), {});
        SparseStep there = one;
        for (const std::size_t at : {0, 2, 4, 6}) {
            there.code.numbers[at] = 0;
        }
        QCOMPARE(middle.atomNumbers.size(), std::size_t{1});
        QCOMPARE(middle.atomNumbers[0].gains, wantedGains(there, apart, 2, 2));
        QCOMPARE(middle.atomNumbers[0].use, (std::vector<double>{0, 1}));
        // Without the dictionary of the step its use is known, as far as the form of another says.
        const SparseDisplay used = makeSparseDisplay(one, {}, {.weight = each.shape});
        QCOMPARE(used.atomNumbers.size(), std::size_t{2});
        QVERIFY(used.atomNumbers[1].gains.empty() && used.atomNumbers[1].use.size() == 2);
    }

    void anElementHasTheColourOfItsDevice() {
        Design design;
        design.devices = {{.name = "cpu:0"}, {.name = "cpu:1", .colour = 5}};
        Preview preview;
        preview.layers.push_back({.name = "block/code",
                                  .outputs = {{.shape = {4, 8, 2, 2}, .placement = "S(0)"}},
                                  .devices = {"cpu:0", "cpu:1"},
                                  .mesh = {2}});
        QCOMPARE(elementHues(preview, design, "code", 4), (std::vector<int>{0, 0, 5, 5}));
        // Rows of a picture that are spread leave no element whole on a device.
        preview.layers[0].outputs[0].placement = "S(2)";
        QCOMPARE(elementHues(preview, design, "code", 4), std::vector<int>(4, -1));
        preview.layers[0].outputs[0].placement = "R";
        QCOMPARE(elementHues(preview, design, "code", 4), std::vector<int>(4, -1));
        preview.layers[0].devices = {"cpu:1"};
        preview.layers[0].mesh = {1};
        QCOMPARE(elementHues(preview, design, "code", 4), std::vector<int>(4, 5));
        QCOMPARE(elementHues(preview, design, "other", 2), std::vector<int>(2, -1));
    }
};

std::unique_ptr<QObject> makeTestSparseNumbers() { return std::make_unique<TestSparseNumbers>(); }
#include "tst_sparse_numbers.moc"
