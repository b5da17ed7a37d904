// SPDX-License-Identifier: Apache-2.0
// Ops that do the same to every element, one behind the other, are one step of CUDA's own kernels,
// with the bits that they have one by one, and not where somebody needs what lies between sooner.

#include "gpu/own_kernels.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

/// A gate between two dense layers, and what goes around it.
void buildGated(SmallNetwork& net) {
    const ValueId x = net.input("x", {6, 20});
    const ValueId target = net.input("target", {6}, DType::i64);
    const ValueId gate = net.op("gate", "sigmoid", {net.dense("gated", x, 20)});
    const ValueId inner = net.op("inner", "tanh", {net.dense("shown", x, 20)});
    const ValueId passed = net.op("passed", "multiply", {gate, inner});
    const ValueId around = net.op("around", "add", {passed, x});
    const ValueId last = net.op("last", "relu", {around});
    net.train(net.loss("loss", net.dense("classes", last, classesHere), target));
}

/// An intermediate value is also read by a product that the last op of the chain depends on.
void buildRead(SmallNetwork& net) {
    const ValueId x = net.input("x", {6, 20});
    const ValueId target = net.input("target", {6}, DType::i64);
    const ValueId squashed = net.op("squashed", "tanh", {x});
    const ValueId sum = net.op("sum", "subtract", {squashed, net.dense("of it", squashed, 20)});
    net.train(net.loss("loss", net.dense("classes", sum, classesHere), target));
}

Scheduled withoutFreeChains(void (*build)(SmallNetwork&)) {
    const auto all = [](const KernelList& kernels) {
        return kernelsWhere(kernels, [](const std::string&) { return true; });
    };
    return scheduled(build, {.kernels = all});
}

} // namespace

class TestFreeChains : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areOneStepOfTheSameBits() {
        const Scheduled apart = withoutFreeChains(buildGated);
        const Scheduled joined = scheduled(buildGated);
        QCOMPARE(stepsOf(apart, "multiply+add"), 0);
        QCOMPARE(stepsOf(joined, "+multiply+add+relu"), 1);
        QVERIFY(joined.program.steps.size() < apart.program.steps.size());
        QVERIFY(trainedBy(joined) == trainedBy(apart));
    }

    void endWhereOthersNeedWhatLiesBetween() {
        const Scheduled made = scheduled(buildRead);
        QCOMPARE(stepsOf(made, "tanh+subtract"), 0);
        QVERIFY(trainedBy(made) == trainedBy(withoutFreeChains(buildRead)));
    }
};

std::unique_ptr<QObject> makeTestFreeChains() { return std::make_unique<TestFreeChains>(); }
#include "tst_free_chains.moc"
