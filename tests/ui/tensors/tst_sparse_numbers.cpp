// SPDX-License-Identifier: Apache-2.0
// What a code and a dictionary amount to, against numbers worked out by hand.
#include "support/test_main.h"
#include "tensors/element_hues.h"
#include "tensors/sparse_numbers.h"
#include "tensors/sparse_shown.h"

#include <QTest>
#include <cmath>
#include <limits>

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

private Q_SLOTS:
    void signalToNoiseIsPerElementAndAbsentWhereNothingIsLeft() {
        const SparseStep one = step();
        const auto found = signalToNoise(inputOf(one), one.residual);
        QCOMPARE(found.size(), std::size_t{2});
        QVERIFY(found[0].has_value());
        // x = (3, 4.5), r = (0, 0.5)
        QVERIFY(std::abs(*found[0] - 10 * std::log10((9 + 20.25) / 0.25)) < 1e-9);
        QVERIFY(!found[1].has_value());
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
        QCOMPARE(courseOf(one.energies, 1), (std::vector<double>{5, 2, 1}));
        QVERIFY(courseOf(one.steps, 1).empty());
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
        const SparseShown shown = showSparse(step(), 7);
        QCOMPARE(shown.step, std::int64_t{7});
        QCOMPARE(shown.elements, std::int64_t{2});
        QVERIFY(!shown.inputScale.isSigned());
        QCOMPARE(shown.inputScale.most, 4.5);
        QCOMPARE(shown.gain, 9.0);
        QCOMPARE(qRed(shown.input[0].pixel(1, 0)), 255);
        QCOMPARE(qRed(shown.residual[0].pixel(1, 0)), 255); // 9 times 0.5 is the input's most
        QCOMPARE(qRed(shown.residual[0].pixel(0, 0)), 128);
        QCOMPARE(gainOf({0, 1}, {-0.3, 0.3}), 3.3);
        QCOMPARE(gainOf({0, 1}, {0, 0}), 1.0);
        QCOMPARE(gainOf({0, 0}, {0, 1}), 1.0);
    }

    void colourIsOfThreeChannels() {
        const DictionaryShown shown = showDictionary(tensor({2, 3, 1, 1}, {1, 0, -1, 0, 0, 0}), 3);
        QCOMPARE(shown.atoms(), std::int64_t{2});
        QCOMPARE(shown.pictures[0].pixel(0, 0), qRgb(255, 128, 0));
        QCOMPARE(shown.pictures[1].pixel(0, 0), qRgb(128, 128, 128));
        QCOMPARE(showDictionary(tensor({4}, {1, 2, 3, 4}), 1).atoms(), std::int64_t{0});
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
