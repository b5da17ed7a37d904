// SPDX-License-Identifier: Apache-2.0
// Elements that plans send per device, counted as for ring collectives, for layers whose traffic is
// known in closed form.
#include "support/small_network.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

/// Elements that the busiest device sends, but for the gradient of the layer "first" and the
/// scalars that every step hands back.
std::int64_t sent(const Plan& plan) {
    std::vector<std::int64_t> total(plan.devices.size(), 0);
    for (const PlanNode& node : plan.nodes) {
        if (node.name != "results" && node.name != "first.shift gradient") {
            const auto own = elementsSent(plan, node);
            for (std::size_t k = 0; k < total.size(); ++k) {
                total[k] += own[k];
            }
        }
    }
    return std::ranges::max(total);
}

std::string collectives(const Plan& plan) {
    std::string text;
    for (const PlanNode& node : plan.nodes) {
        if (node.node.isNone() && !isLocal(node.collective)) {
            text += std::string(nameOf(node.collective)) + " " + node.name + " " +
                    std::to_string(std::ranges::max(elementsSent(plan, node))) + "\n";
        }
    }
    return text;
}

} // namespace

class TestTraffic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDenseLayerSendsWhatItMust_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("ends");
        QTest::addColumn<int>("elements");
        QTest::newRow("data, split along the batch: 500000") << "data"
                                                             << "data" << 500000;
        QTest::newRow("model.add, whole: 128000") << "model.add"
                                                  << "replicate" << 128000;
        QTest::newRow("model.add, split along the batch: 128000") << "model.add"
                                                                  << "data" << 128000;
        QTest::newRow("model.stack, whole: 160000") << "model.stack"
                                                    << "replicate" << 160000;
        QTest::newRow("model.stack, split along the batch: 160000") << "model.stack"
                                                                    << "data" << 160000;
    }
    void aDenseLayerSendsWhatItMust() {
        QFETCH(QString, word);
        QFETCH(QString, ends);
        QFETCH(int, elements);
        SmallNetwork net;
        const ValueId x = net.op("in", "relu", {net.shift("first", net.input("x", {128, 1000}))});
        const ValueId y = net.op("out", "relu", {net.dense("fc", x, 500, false)});
        net.train(net.meanLoss("loss", y));
        PlacementRequest request =
            net.request(2, {{"", ends.toStdString()}, {"fc", word.toStdString()}});
        request.bucketMegabytes = 0;
        const PlacementResult placing = place(net.graph(), net.ops(), request);
        QVERIFY(placing.problems.empty());
        verify(placing.plan);
        QVERIFY2(sent(placing.plan) == elements, collectives(placing.plan).c_str());
    }

    /// Values on one mesh are added there: a fork's gradients and the norm's squares leave the mesh
    /// as one value.
    void aSumOverMeshesIsSentOnceFromEach_data() {
        QTest::addColumn<int>("devices");
        QTest::addColumn<QString>("heads");
        QTest::addColumn<QString>("third");
        QTest::addColumn<QString>("sent");
        QTest::newRow("a fork that goes to one device")
            << 2 << "replicate on cpu:1"
            << "replicate on cpu:1"
            << "exchange trunk.y -> a.x 48\nexchange trunk.y -> a.x, backward 48\n"
               "exchange gradient norm, squared 1\nexchange results 1\n";
        QTest::newRow("a fork that stays here in part")
            << 2 << "replicate on cpu:1"
            << "replicate on cpu:0"
            << "exchange trunk.y -> a.x 48\nexchange sum.y -> all.x 24\n"
               "exchange a.y -> sum.x, backward 24\nexchange b/add.y -> trunk.x, backward 48\n"
               "exchange gradient norm, squared 1\nexchange results 1\n";
        QTest::newRow("a fork to layers that are split") << 4 << "model.stack on cpu:2 cpu:3"
                                                         << "model.stack on cpu:2 cpu:3"
                                                         << "exchange trunk.y -> a.x 96\n"
                                                            "exchange trunk.y -> a.x, backward 48\n"
                                                            "exchange gradient norm, squared 3\n"
                                                            "exchange results 3\n";
    }
    void aSumOverMeshesIsSentOnceFromEach() {
        QFETCH(int, devices);
        QFETCH(QString, heads);
        QFETCH(QString, third);
        QFETCH(QString, sent);
        SmallNetwork net;
        const ValueId trunk = net.dense("trunk", net.input("x", {6, 5}), 8);
        const ValueId a = net.dense("a", trunk, 4);
        const ValueId sum = net.op("sum", "add", {a, net.dense("b", trunk, 4)});
        const ValueId all = net.op("all", "add", {sum, net.dense("c", trunk, 4)});
        net.train(net.meanLoss("loss", all), 0.5);
        const std::string on = heads.toStdString();
        const PlacementResult placing =
            place(net.graph(), net.ops(),
                  net.request(static_cast<std::size_t>(devices), {{"trunk", "replicate on cpu:0"},
                                                                  {"a", on},
                                                                  {"b", on},
                                                                  {"sum", on},
                                                                  {"c", third.toStdString()},
                                                                  {"all", third.toStdString()}}));
        QVERIFY(placing.problems.empty());
        QCOMPARE(QString::fromStdString(collectives(placing.plan)), sent);
        QVERIFY(differenceOf(net, placing.plan) < 1e-9);
    }

    void alexnetsDenseLayersSendWhatTheyMust_data() {
        QTest::addColumn<QString>("dense");
        QTest::addColumn<QString>("loss");
        QTest::addColumn<bool>("whole");
        QTest::addColumn<double>("megabytes");
        QTest::newRow("all data: 351.8 MB") << "data"
                                            << "data" << false << 351.8;
        QTest::newRow("model.stack, loss data over a wire `whole`: 56.5 MB")
            << "model.stack"
            << "data" << true << 56.5;
        QTest::newRow("model.stack, loss replicated: 55.0 MB") << "model.stack"
                                                               << "replicate" << false << 55.0;
        QTest::newRow("model.stack, loss data: 54.2 MB") << "model.stack"
                                                         << "data" << false << 54.2;
        QTest::newRow("model.stack, classes split: 53.5 MB") << "model.stack"
                                                             << "model.stack" << false << 53.5;
    }
    void alexnetsDenseLayersSendWhatTheyMust() {
        QFETCH(QString, dense);
        QFETCH(QString, loss);
        QFETCH(bool, whole);
        QFETCH(double, megabytes);
        SmallNetwork net;
        ValueId x = net.op("in", "relu", {net.shift("first", net.input("x", {512, 9216}))});
        const ValueId target = net.input("target", {512}, DType::i64);
        x = net.op("relu6", "relu", {net.dense("fc6", x, 4096)});
        x = net.op("relu7", "relu", {net.dense("fc7", x, 4096)});
        net.train(net.loss("loss", net.dense("fc8", x, 1000), target));
        const std::string word = dense.toStdString();
        PlacementRequest request = net.request(4, {{"first", "data"},
                                                   {"in", "data"},
                                                   {"fc6", word},
                                                   {"relu6", word},
                                                   {"fc7", word},
                                                   {"relu7", word},
                                                   {"fc8", word},
                                                   {"loss", loss.toStdString()}});
        request.bucketMegabytes = 0;
        if (whole) {
            request.schemes.push_back(
                {net.origin("fc8"), net.origin("loss"), "fc8.y -> loss.logits", "whole"});
        }
        const PlacementResult placing = place(net.graph(), net.ops(), request);
        QVERIFY(placing.problems.empty());
        verify(placing.plan);
        const double sentBytes = static_cast<double>(sent(placing.plan)) * 4 / 1e6;
        QVERIFY2(
            std::abs(sentBytes - megabytes) < 0.051,
            qPrintable(QString("%1 MB\n%2").arg(sentBytes).arg(collectives(placing.plan).c_str())));
    }
};

std::unique_ptr<QObject> makeTestTraffic() { return std::make_unique<TestTraffic>(); }
#include "tst_traffic.moc"
