// SPDX-License-Identifier: Apache-2.0
// Equal products in one call give the same bits as one by one, and are orderly on the stand-in: an
// attention, and branches of dense layers, which train a few steps both ways.

#include "gpu/own_kernels.h"

#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::test;

namespace {

/// An attention of four heads between its sums, and more branches behind it than there are streams.
void buildBatched(SmallNetwork& net) {
    const ValueId x = net.input("x", {4, 9, 24});
    const ValueId target = net.input("target", {4}, DType::i64);
    const ValueId y = net.op("around", "add", {x, net.attention("attention", x, 4)});
    const ValueId flat = net.op("flat", "flatten", {y});
    std::vector<ValueId> ends;
    for (int branch = 0; branch < 6; ++branch) {
        const std::string name = "branch" + std::to_string(branch);
        const ValueId wide = net.dense(name + " wide", flat, 20);
        ends.push_back(net.dense(name, net.op(name + " relu", "relu", {wide}), 12));
    }
    net.train(net.loss("loss", net.dense("last", net.op("sum", "add", ends), classesHere), target));
}

/// Two small equals beside what takes nearly all of the time.
void buildSmallOnes(SmallNetwork& net) {
    const ValueId x = net.input("x", {64, 2048});
    const ValueId target = net.input("target", {64}, DType::i64);
    const ValueId wide = net.op("relu", "relu", {net.dense("wide", x, 4096)});
    const std::vector<ValueId> ends{net.dense("end", wide, classesHere),
                                    net.dense("small", x, classesHere),
                                    net.dense("other", x, classesHere)};
    net.train(net.loss("loss", net.op("sum", "add", ends), target));
}

bool isNoEqual(const std::string& op) { return !op.ends_with('='); }

/// With or without what makes equals in one call.
Scheduled scheduledBatched(bool joins, const std::string& order, int streams,
                           Precision precision = Precision::exact,
                           void (*build)(SmallNetwork&) = buildBatched) {
    Scheduling how{.order = order, .streams = streams, .precision = precision};
    if (!joins) {
        how.kernels = [](const KernelList& all) { return kernelsWhere(all, isNoEqual); };
    }
    return scheduled(build, how);
}

} // namespace

class TestEqualProducts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void giveTheSameBitsInOneCall_data() {
        QTest::addColumn<QString>("order");
        QTest::addColumn<int>("streams");
        QTest::newRow("as many streams as gain") << "dataflow" << 0;
        QTest::newRow("three streams") << "dataflow" << 3;
        QTest::newRow("one after the other") << "sequential" << 1;
        QTest::newRow("by depth") << "depth" << 2;
    }
    void giveTheSameBitsInOneCall() {
        QFETCH(QString, order);
        QFETCH(int, streams);
        const Scheduled apart = scheduledBatched(false, order.toStdString(), streams);
        const Scheduled joined = scheduledBatched(true, order.toStdString(), streams);
        QCOMPARE(stepsOf(apart, "in one call"), 0);
        QCOMPARE(stepsOf(joined, "attention: linear, 3 in one call"), 1);
        QCOMPARE(stepsOf(joined, "attention: linear_dw, 3 in one call"), 1);
        QCOMPARE(stepsOf(joined, "linear+bias_add+relu, 6 in one call"), 1);
        QCOMPARE(stepsOf(joined, "linear+bias_add, 6 in one call"), 1);
        QCOMPARE(stepsOf(joined, "linear_dx, 6 in one call"), 2);
        QCOMPARE(stepsOf(joined, "linear_dw, 6 in one call"), 2);
        QVERIFY(trainedBy(joined) == trainedBy(apart));
    }

    /// Launches that others hide are not worth the memory.
    void stayApartWhereTheWholeGainsNothing() {
        const Scheduled one =
            scheduledBatched(true, "dataflow", 0, Precision::exact, buildSmallOnes);
        QCOMPARE(stepsOf(one, "in one call"), 0);
        const std::string text = printKernels(one.program);
        QVERIFY2(text.find("not batched: the step would end after ") != std::string::npos,
                 text.c_str());
    }

    /// Query, key and value are one product in every precision.
    void areOneCallWhereTheyRound_data() {
        QTest::addColumn<Precision>("precision");
        QTest::newRow("TF32") << Precision::tf32;
        QTest::newRow("bf16") << Precision::bf16;
    }
    void areOneCallWhereTheyRound() {
        QFETCH(Precision, precision);
        const Scheduled apart = scheduledBatched(false, "dataflow", 0, precision);
        const Scheduled joined = scheduledBatched(true, "dataflow", 0, precision);
        QCOMPARE(stepsOf(apart, "in one call"), 0);
        QCOMPARE(stepsOf(joined, "attention: linear, 3 in one call"), 1);
        QCOMPARE(stepsOf(joined, "attention: linear_dw, 3 in one call"), 1);
        QVERIFY2(printKernels(joined.program).find("cublaslt in ") != std::string::npos,
                 printKernels(joined.program).c_str());
        QVERIFY(trainedBy(joined) == trainedBy(apart));
    }
};

std::unique_ptr<QObject> makeTestEqualProducts() { return std::make_unique<TestEqualProducts>(); }
#include "tst_equal_products.moc"
