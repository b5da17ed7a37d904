// SPDX-License-Identifier: Apache-2.0
// Groups: what one kernel serves is one step, with the same numbers as its members, and not where
// somebody needs what lies between or where it is a partial sum.
#include "networks.h"
#include "support/trained.h"

#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::test;

namespace {

bool has(const std::vector<std::string>& lines, const std::string& text) {
    return std::ranges::any_of(
        lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

void compare(const Trained& one, const Trained& other) {
    std::string where;
    const double difference = largestDifference(one, other, where);
    QVERIFY2(difference < 2e-4, (where + " " + std::to_string(difference)).c_str());
}

} // namespace

class TestGroup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!has(trainOn("cpu", *branchedNetwork()).steps, "linear+bias_add")) {
            QSKIP("this build has no kernels for products with what follows them");
        }
    }

    void endsAConvolutionWithItsBiasAndRelu() {
        const auto net = convolutionNetwork();
        const Trained trained = trainOn("cpu", *net);
        QVERIFY(has(trained.steps, "conv1: conv2d+bias_add+relu"));
        QVERIFY(has(trained.steps, "dense: linear+bias_add"));
        QVERIFY(!has(trained.steps, "relu1: relu\n"));
        compare(trainOn("reference", *net), trained);
    }

    void addsWhatCameAround() {
        const auto net = residualNetwork();
        const Trained trained = trainOn("cpu", *net);
        QVERIFY(has(trained.steps, "conv: conv2d+bias_add+add+relu"));
        QVERIFY(has(trained.steps, "dense: linear+bias_add+add"));
        compare(trainOn("reference", *net), trained);
        compare(trained, trainOn("cpu", *net, 2));
    }

    void addsNoMoreThanOneValue() {
        const Trained trained = trainOn("cpu", *branchedNetwork());
        QVERIFY(has(trained.kernelRefusals, "adds more than one value"));
        QVERIFY(has(trained.steps, "a2: linear+bias_add")); // the shorter chain takes its place
    }

    void updatesABucketAtOnce() {
        for (const std::string optimizer : {"sgd", "adam", "rmsprop"}) {
            const auto net = branchedNetwork(optimizer);
            const Trained trained = trainOn("cpu", *net);
            const std::string op = optimizer == "sgd" ? "sgd_momentum*" : optimizer + "*";
            QCOMPARE(
                std::ranges::count_if(trained.steps,
                                      [&](const std::string& name) { return name.ends_with(op); }),
                std::ptrdiff_t{1});
            compare(trainOn("reference", *net), trained);
        }
    }

    void updatesWhatOneSumOfGradientsBrought() {
        const auto net = branchedNetwork();
        const Trained trained = trainOn("cpu", *net, 2);
        QVERIFY(has(trained.steps, "sgd_momentum*"));
        compare(trainOn("reference", *net), trained);
    }

    void groupsNothingOverAPartialSum() {
        const auto net = branchedNetwork();
        const Trained trained = trainOn("cpu", *net, 2, "model.add");
        QVERIFY(!has(trained.steps, "a1: linear+bias_add"));
        compare(trainOn("reference", *net), trained);
    }

    void leavesAloneWhatIsObservedInBetween() {
        auto net = convolutionNetwork();
        Graph& graph = net->graph();
        const auto conv = std::ranges::find(graph.nodes, "conv2d",
                                            [](const Node& node) { return node.op->name; });
        graph.results.push_back({"conv1.y", ResultKind::output, conv->outputs.front()});
        const Trained trained = trainOn("cpu", *net);
        QVERIFY(!has(trained.steps, "conv1: conv2d+bias_add"));
        QVERIFY(has(trained.steps, "conv2: conv2d+bias_add+relu"));
        QVERIFY(has(trained.kernelRefusals, "another op reads the intermediate value too"));
        compare(trainOn("reference", *net), trained);
    }
};

std::unique_ptr<QObject> makeTestGroup() { return std::make_unique<TestGroup>(); }

#include "tst_group.moc"
