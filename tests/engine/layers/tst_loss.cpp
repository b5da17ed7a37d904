// SPDX-License-Identifier: Apache-2.0
// Which examples count, and how much.
#include "engine/layers/layer_run.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

Tensor classes(const std::vector<double>& numbers) {
    return {DType::i64, {static_cast<std::int64_t>(numbers.size())}, numbers};
}

const std::vector<double> logits = {0, 0, 3, 1, -2, 5};
// log(1 + e^(other - right))
double lossOf(double right, double other) { return std::log1p(std::exp(other - right)); }

} // namespace

class TestLoss : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void averagesOverAllExamples() {
        LayerRun run("softmax_cross_entropy", {}, {tensor({3, 2}, logits), classes({0, 1, 1})});
        const double expected = (lossOf(0, 0) + lossOf(1, 3) + lossOf(5, -2)) / 3;
        QVERIFY(std::abs(run.output("loss").at(0) - expected) < 1e-14);
        QVERIFY(run.result(ResultKind::loss) == run.output("loss"));
    }

    void leavesIgnoredExamplesOutOfTheMean() {
        LayerRun run("softmax_cross_entropy", {{"ignore", std::int64_t{-100}}},
                     {tensor({3, 2}, logits), classes({0, -100, 1})});
        const double expected = (lossOf(0, 0) + lossOf(5, -2)) / 2;
        QVERIFY(std::abs(run.output("loss").at(0) - expected) < 1e-14);
    }

    void weighsWhatJoinsTheTotal() {
        LayerRun run("mse", {{"weight", 0.5}}, {tensor({1, 2}, {1, 5}), tensor({1, 2}, {0, 2})});
        QVERIFY(std::abs(run.result(ResultKind::loss).at(0) - 0.5 * (1 + 9) / 2) < 1e-14);
    }

    void countsTheShareOfThoseThatCount() {
        const std::vector<Tensor> inputs = {tensor({3, 2}, logits), classes({0, 1, -1})};
        LayerRun all("accuracy", {}, inputs);
        QVERIFY(std::abs(all.result(ResultKind::metric).at(0) - 1.0 / 3) < 1e-14);
        LayerRun counted("accuracy", {{"ignore", std::int64_t{-1}}}, inputs);
        QVERIFY(std::abs(counted.result(ResultKind::metric).at(0) - 1.0 / 2) < 1e-14);
    }
};

std::unique_ptr<QObject> makeTestLoss() { return std::make_unique<TestLoss>(); }

#include "tst_loss.moc"
