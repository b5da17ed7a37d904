// SPDX-License-Identifier: Apache-2.0
// Padding that keeps rows and columns, as PyTorch's padding="same".
#include "engine/layers/layer_run.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

/// All taps are 1, so that an output counts the ones under its window.
std::vector<double> onesUnder(const Attributes& attributes, const Shape& shape) {
    const std::vector<double> ones(static_cast<std::size_t>(elementsOf(shape)), 1);
    LayerRun run("conv2d", attributes, {tensor(shape, ones)});
    run.give("weight", std::vector<double>(
                           static_cast<std::size_t>(elementsOf(run.slot("weight").shape)), 1));
    return run.output().numbers();
}

} // namespace

class TestConv2d : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void putsAnOddSurplusBelowAndToTheRight() {
        const auto y = onesUnder({{"filters", std::int64_t{1}},
                                  {"kernel", std::int64_t{2}},
                                  {"pad", std::string("same")},
                                  {"bias", false}},
                                 {1, 1, 2, 3});
        QCOMPARE(y, (std::vector<double>{4, 4, 2, 2, 2, 1}));
    }

    void padsEvenlyForOddFilters() {
        const auto y = onesUnder({{"filters", std::int64_t{1}},
                                  {"kernel", std::vector<std::int64_t>{3, 1}},
                                  {"pad", std::string("same")},
                                  {"bias", false}},
                                 {1, 1, 3, 1});
        QCOMPARE(y, (std::vector<double>{2, 3, 2}));
    }

    void takesPaddingForRowsAndColumns() {
        const auto y = onesUnder({{"filters", std::int64_t{1}},
                                  {"kernel", std::int64_t{1}},
                                  {"padding", std::vector<std::int64_t>{1, 0}},
                                  {"bias", false}},
                                 {1, 1, 1, 2});
        QCOMPARE(y, (std::vector<double>{0, 0, 1, 1, 0, 0}));
    }
};

std::unique_ptr<QObject> makeTestConv2d() { return std::make_unique<TestConv2d>(); }

#include "tst_conv2d.moc"
