// SPDX-License-Identifier: Apache-2.0
#include "place/words.h"
#include "support/small_network.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

struct Layers : SmallNetwork {
    Layers() {
        const ValueId x = input("x", {6, 6, 8, 8});
        const ValueId plain = convolution("conv", x, 4);
        const ValueId grouped = convolution("grouped", x, 9, 3);
        const ValueId pool =
            op("pool", "max_pool2d", {plain}, {{"kernel", Shape{2, 2}}, {"stride", Shape{2, 2}}});
        const ValueId flat = op("flatten", "flatten", {pool});
        const ValueId dense1 = dense("dense", flat, 10);
        op("relu", "relu", {dense1});
        op("softmax", "softmax", {dense1});
        op("concat", "concat", {dense1, dense1}, {{"dim", std::int64_t{1}}});
        batchNorm("norm", plain);
        op("relu2d", "relu", {grouped});
        convolution("one channel", input("grey", {6, 1, 8, 8}), 4);
        attention(
            "attention",
            layerNorm("layer norm", embedding("embedding", input("ids", {6, 5}, DType::i64), 7, 6)),
            3);
    }
};

} // namespace

class TestWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWordIsLegalOrHasAReason_data() {
        QTest::addColumn<QString>("layer");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("reason"); // a part of it; empty: legal
        const auto row = [](const char* layer, const char* word, const char* reason) {
            QTest::addRow("%s, %s", layer, word) << layer << word << reason;
        };
        for (const char* layer : {"conv", "grouped", "pool", "flatten", "dense", "relu", "softmax",
                                  "concat", "norm", "attention", "layer norm", "embedding"}) {
            row(layer, "data", "");
            row(layer, "batch", "");
            row(layer, "follow", "");
            row(layer, "replicate", "");
        }
        for (const char* layer : {"conv", "pool", "flatten", "dense", "relu", "softmax", "norm",
                                  "layer norm", "embedding"}) {
            row(layer, "model.stack", "");
        }
        row("grouped", "model.stack", "3 groups cannot be spread over 4 devices");
        row("concat", "model.stack", "merges the dimension");
        row("conv", "model.add", "");
        row("dense", "model.add", "");
        row("embedding", "model.add", "");
        row("attention", "model.stack", "3 groups cannot be spread over 4 devices");
        row("grouped", "model.add", "inputs are divided into groups; split by groups");
        for (const char* layer : {"pool", "flatten", "relu", "softmax", "norm", "attention"}) {
            row(layer, "model.add", "the layer does not sum over input features; use model.stack");
        }
        row("conv", "space.rows", "halo exchange");
        row("conv", "space.columns", "halo exchange");
        row("one channel", "model.add", "");
        row("pool", "space.columns", "halo exchange");
        row("dense", "space.rows", "the layer has no rows");
        row("attention", "space.columns", "softmax runs over the keys; split queries or heads");
        row("flatten", "space.rows", "the rows are no longer contiguous");
        row("relu2d", "space.rows", "");
    }
    void everyWordIsLegalOrHasAReason() {
        QFETCH(QString, layer);
        QFETCH(QString, word);
        QFETCH(QString, reason);
        const Layers net;
        PlacementRequest request = net.request(4, {});
        request.findsLegalWords = true;
        const PlacementResult placing = place(net.graph(), net.ops(), request);
        const auto of = std::ranges::find(placing.legal, net.origin(layer.toStdString()),
                                          &LegalWords::value_type::first);
        QVERIFY(of != placing.legal.end());
        const auto& legal = *of->second;
        const auto found =
            std::ranges::find(legal, axisWordNamed(word.toStdString()),
                              [](const LegalWord& one) { return std::optional(one.word); });
        QVERIFY(found != legal.end());
        const QString refused = refusalOf(*found, 4).c_str();
        QVERIFY2(reason.isEmpty() ? refused.isEmpty() : refused.contains(reason),
                 qPrintable(refused));
    }

    /// The parts that count are those of its axis, or of both where both cut the same.
    void groupsAreSpreadOverAnAxis_data() {
        QTest::addColumn<QString>("assignment");
        QTest::addColumn<QString>("refused"); // a part of it; empty: it is legal
        QTest::newRow("too few for one axis") << "model.stack"
                                              << "3 groups cannot be spread over 4 devices";
        QTest::newRow("enough for the first")
            << "model.stack data on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"
            << "";
        QTest::newRow("enough for the second")
            << "data model.stack on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"
            << "";
        QTest::newRow("too few for both")
            << "model.stack model.stack on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2"
            << "3 groups cannot be spread over 4 devices";
    }
    void groupsAreSpreadOverAnAxis() {
        QFETCH(QString, assignment);
        QFETCH(QString, refused);
        SmallNetwork net;
        net.train(
            net.meanLoss("loss", net.convolution("grouped", net.input("x", {6, 6, 8, 8}), 9, 3)));
        const PlacementResult placing =
            place(net.graph(), net.ops(), net.request(4, {{"grouped", assignment.toStdString()}}));
        QCOMPARE(placing.problems.empty(), refused.isEmpty());
        if (!refused.isEmpty()) {
            QVERIFY2(QString(placing.problems[0].text.c_str()).contains(refused),
                     placing.problems[0].text.c_str());
        }
        QVERIFY(differenceOf(net, placing.plan) < 1e-9);
    }

    void whatCannotBeHadIsToldAndTheRestGoesOn() {
        SmallNetwork net;
        const ValueId x = net.dense("fc", net.input("x", {8, 6}), 4);
        net.train(net.meanLoss("loss", net.op("relu", "relu", {x})));
        const PlacementResult placing =
            place(net.graph(), net.ops(), net.request(2, {{"", "data"}, {"relu", "model.add"}}));
        QCOMPARE(placing.problems.size(), std::size_t{1});
        QCOMPARE(placing.problems[0].code, std::string("E074"));
        QCOMPARE(placing.problems[0].layerName, std::string("relu"));
        QVERIFY(placing.problems[0].text.find("the layer does not sum over input features") !=
                std::string::npos);
        QVERIFY(differenceOf(net, placing.plan) < 1e-9);
    }

    /// As a dense layer's row of the table says: x and y split along the batch, the weights on
    /// every device, nothing moved forward, their gradients summed before the update.
    void batchSplitsExamplesAndSumsGradients_data() {
        QTest::addColumn<QString>("word");
        QTest::newRow("batch") << "batch";
        QTest::newRow("data") << "data";
    }
    void batchSplitsExamplesAndSumsGradients() {
        QFETCH(QString, word);
        SmallNetwork net;
        const ValueId x = net.dense("fc", net.input("x", {8, 6}), 4);
        net.train(net.meanLoss("loss", x));
        const PlacementResult placing =
            place(net.graph(), net.ops(), net.request(2, {{"", word.toStdString()}}));
        QVERIFY(placing.problems.empty());
        const Plan& plan = placing.plan;
        const Origin fc = net.origin("fc");
        const auto at = [&](PlacedId id) { return toString(plan.at(id).placements); };
        bool isProduct = false;
        bool isShare = false;
        bool isSummed = false;
        for (const PlanNode& planned : plan.nodes) {
            if (planned.node.isNone()) {
                // The loss's and the norm's own sums belong to no layer of weights.
                const bool isGradient = planned.name.find("gradient") != std::string::npos;
                QVERIFY2(planned.origin != fc || isGradient, planned.name.c_str());
                isSummed =
                    isSummed || (isGradient && planned.collective == CollectiveKind::allReduce);
                continue;
            }
            const Node& node = plan.graph->at(planned.node);
            if (node.origin == fc && node.op->name == "linear") {
                QCOMPARE(at(planned.inputs[0]), std::string("S(0)"));
                QCOMPARE(at(planned.inputs[1]), std::string("R"));
                QCOMPARE(at(planned.outputs[0]), std::string("S(0)"));
                isProduct = true;
            }
            if (node.origin == fc && node.op->name == "linear_dw") {
                QCOMPARE(at(planned.outputs[0]), std::string("P"));
                isShare = true;
            }
        }
        QVERIFY(isProduct && isShare && isSummed);
        QVERIFY(differenceOf(net, plan) < 1e-9);
    }

    void tellsOfMeshesThatCannotBe_data() {
        QTest::addColumn<QString>("assignment");
        QTest::addColumn<QString>("code");
        QTest::newRow("a device that is not there") << "data on cpu:0 cpu:7"
                                                    << "E070";
        QTest::newRow("a device twice") << "data on cpu:0 cpu:0"
                                        << "E071";
        QTest::newRow("a mesh of another size") << "data on cpu:0 cpu:1 as 2x2"
                                                << "E072";
        QTest::newRow("more words than axes") << "data model.stack on cpu:0 cpu:1"
                                              << "E073";
    }
    void tellsOfMeshesThatCannotBe() {
        QFETCH(QString, assignment);
        QFETCH(QString, code);
        SmallNetwork net;
        net.train(net.meanLoss("loss", net.dense("fc", net.input("x", {8, 6}), 4)));
        const PlacementResult placing =
            place(net.graph(), net.ops(), net.request(2, {{"fc", assignment.toStdString()}}));
        QCOMPARE(placing.problems.size(), std::size_t{1});
        QCOMPARE(QString(placing.problems[0].code.c_str()), code);
        QVERIFY(!placing.problems[0].fix.text.empty());
        verify(placing.plan);
    }

    void theDesignsDefaultHoldsWhereALayerCan() {
        SmallNetwork net;
        const ValueId x = net.dense("fc", net.input("x", {8, 6}), 4);
        net.train(net.meanLoss("loss", net.op("relu", "relu", {x})));
        const PlacementResult placing =
            place(net.graph(), net.ops(), net.request(2, {{"", "model.add"}}));
        QVERIFY(placing.problems.empty());
        QVERIFY(differenceOf(net, placing.plan) < 1e-9);
        const auto isSplit = [&](const PlanNode& node) {
            return !node.node.isNone() && node.letters == std::vector<std::string>{"i"};
        };
        QVERIFY(std::ranges::any_of(placing.plan.nodes, isSplit));
    }
};

std::unique_ptr<QObject> makeTestWords() { return std::make_unique<TestWords>(); }
#include "tst_words.moc"
