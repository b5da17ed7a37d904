// SPDX-License-Identifier: Apache-2.0
// Numbers as PyTorch's PReLU computes them.
#include "engine/layers/layer_run.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

class TestPrelu : public QObject {
    Q_OBJECT

    static void compare(const Tensor& found, const std::vector<double>& expected) {
        for (std::size_t k = 0; k < expected.size(); ++k) {
            QCOMPARE(found.at(static_cast<std::int64_t>(k)), expected[k]);
        }
    }

private Q_SLOTS:
    void scalesNegativeNumbersByOneSlope() {
        LayerRun run("prelu", {}, {tensor({2, 3}, {1, -2, 0, -4, 5, -6})});
        run.give("weight", {0.5});
        compare(run.output(), {1, -1, 0, -2, 5, -3});
    }

    void scalesNegativeNumbersByTheSlopeOfTheirChannel() {
        LayerRun run("prelu", {{"per_channel", true}}, {tensor({1, 2, 3}, {1, -2, -4, -1, 3, -5})});
        run.give("weight", {0.5, -2});
        compare(run.output(), {1, -1, -2, 2, 3, 10});
    }
};

std::unique_ptr<QObject> makeTestPrelu() { return std::make_unique<TestPrelu>(); }

#include "tst_prelu.moc"
