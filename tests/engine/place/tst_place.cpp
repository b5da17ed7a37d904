// SPDX-License-Identifier: Apache-2.0
#include "place/place.h"
#include "support/small_network.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

void buildPerceptron(SmallNetwork& net) {
    const ValueId x = net.input("x", {10, 6});
    const ValueId target = net.input("target", {10}, DType::i64);
    const ValueId hidden = net.op("relu1", "relu", {net.dense("fc1", x, 7)});
    const ValueId logits = net.dense("fc2", hidden, 5);
    net.accuracy("accuracy", logits, target);
    net.train(net.loss("loss", logits, target), 0.5);
}

void buildPictures(SmallNetwork& net) {
    const ValueId x = net.input("x", {5, 4, 6, 6});
    const ValueId target = net.input("target", {5}, DType::i64);
    const ValueId a =
        net.op("relu1", "relu", {net.batchNorm("norm1", net.convolution("conv1", x, 6))});
    const ValueId b = net.convolution("conv2", a, 6, 3);
    const ValueId sum = net.op("add", "add", {a, b});
    const ValueId pooled =
        net.op("pool", "max_pool2d", {sum}, {{"kernel", Shape{2, 2}}, {"stride", Shape{2, 2}}});
    const ValueId logits = net.dense("fc", net.op("flatten", "flatten", {pooled}), 5);
    net.train(net.loss("loss", logits, target), 0, "adam");
}

void buildText(SmallNetwork& net) {
    const ValueId ids = net.input("ids", {4, 5}, DType::i64);
    const ValueId target = net.input("target", {4, 5}, DType::i64);
    const ValueId x = net.embedding("embedding", ids, 7, 6);
    const ValueId a =
        net.op("add1", "add", {x, net.attention("attention", net.layerNorm("norm1", x), 3)});
    const ValueId hidden = net.op("gelu", "gelu", {net.dense("up", net.layerNorm("norm2", a), 9)});
    const ValueId b = net.op("add2", "add", {a, net.dense("down", hidden, 6)});
    net.train(net.loss("loss", net.dense("head", b, 7), target));
}

using Assignments = std::map<std::string, std::string>;

} // namespace

Q_DECLARE_METATYPE(Assignments)

class TestPlace : public QObject {
    Q_OBJECT

private:
    static void add(const char* name, int devices, const Assignments& assignments) {
        QTest::newRow(name) << devices << assignments;
    }
    static void columns() {
        QTest::addColumn<int>("devices");
        QTest::addColumn<Assignments>("assignments");
    }
    template <class Build>
    static void check(Build build) {
        QFETCH(int, devices);
        QFETCH(Assignments, assignments);
        SmallNetwork net;
        build(net);
        const PlacementResult placing = place(
            net.graph(), net.ops(), net.request(static_cast<std::size_t>(devices), assignments));
        for (const Diagnostic& problem : placing.problems) {
            qWarning("%s", toString(problem).c_str());
        }
        QVERIFY(placing.problems.empty());
        const double difference = differenceOf(net, placing.plan);
        if (!(difference < 1e-9)) {
            qWarning("%s", print(placing.plan).c_str());
        }
        QVERIFY2(difference < 1e-9, qPrintable(QString::number(difference)));
    }

private Q_SLOTS:
    void perceptronsGiveTheSameNumbers_data() {
        columns();
        add("one device", 1, {{"", "data"}});
        add("data on 2", 2, {{"", "data"}});
        add("data on 3", 3, {{"", "data"}});
        add("data on 4", 4, {{"", "data"}});
        add("model.stack on 2", 2, {{"", "model.stack"}});
        add("model.stack on 3", 3, {{"", "model.stack"}});
        add("replicate on 3", 3, {{"", "replicate"}});
        add("follow on 2", 2, {});
        add("more devices than examples", 12, {{"", "data"}});
        add("stack, add", 2, {{"fc1", "model.stack"}, {"fc2", "model.add"}});
        add("add, stack", 3, {{"fc1", "model.add"}, {"fc2", "model.stack"}});
        add("data, stack, data", 2, {{"", "data"}, {"fc2", "model.stack"}});
        add("data, then stack with classes split", 3,
            {{"", "data"}, {"fc2", "model.stack"}, {"loss", "model.stack"}});
        add("loss replicated", 2, {{"", "data"}, {"loss", "replicate"}});
        add("two devices of three", 3,
            {{"fc1", "data on cpu:0 cpu:1"}, {"fc2", "model.stack on cpu:2 cpu:1"}});
        add("a chain of single devices", 2,
            {{"fc1", "replicate on cpu:0"}, {"fc2", "replicate on cpu:1"}});
        add("2x2 data, model.stack", 4,
            {{"", "data model.stack on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"}});
        add("2x2 data, data", 4, {{"", "data data on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"}});
        add("2x3 model.add, model.stack", 6,
            {{"", "model.stack data on cpu:0 cpu:1 cpu:2 cpu:3 cpu:4 cpu:5 as 2x3"},
             {"fc2", "model.add model.stack"}});
        add("1-D then 2-D", 4,
            {{"fc1", "data on cpu:0 cpu:1 cpu:2 cpu:3"},
             {"fc2", "data model.stack on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"}});
    }
    void perceptronsGiveTheSameNumbers() { check(buildPerceptron); }

    void picturesGiveTheSameNumbers_data() {
        columns();
        add("data on 2", 2, {{"", "data"}});
        add("data on 3", 3, {{"", "data"}});
        add("model.stack on 2", 2, {{"", "model.stack"}});
        add("model.stack on 3", 3, {{"", "model.stack"}});
        add("one conv model.add", 2, {{"", "data"}, {"conv1", "model.add"}});
        add("convolutions data, dense model.stack", 2, {{"", "data"}, {"fc", "model.stack"}});
        add("channels split, dense model.add", 3, {{"", "model.stack"}, {"fc", "model.add"}});
        add("2x2", 4, {{"", "data model.stack on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"}});
        add("follow after the first", 2, {{"conv1", "data"}});
        add("follow after model.stack", 2, {{"conv1", "model.stack"}});
    }
    void picturesGiveTheSameNumbers() { check(buildPictures); }

    void textGivesTheSameNumbers_data() {
        columns();
        add("data on 2", 2, {{"", "data"}});
        add("data on 3", 3, {{"", "data"}});
        add("model.stack on 3", 3, {{"", "model.stack"}});
        add("vocabulary split", 2, {{"embedding", "model.add"}});
        add("heads and hidden units split", 3,
            {{"attention", "model.stack"}, {"up", "model.stack"}, {"down", "model.add"}});
        add("norm over split features", 2,
            {{"embedding", "model.stack"}, {"norm1", "model.stack"}});
        add("head and loss with classes split", 2,
            {{"", "data"}, {"head", "model.stack"}, {"loss", "model.stack"}});
        add("2x2", 4, {{"", "data model.stack on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"}});
    }
    void textGivesTheSameNumbers() { check(buildText); }
};

std::unique_ptr<QObject> makeTestPlace() { return std::make_unique<TestPlace>(); }
#include "tst_place.moc"
