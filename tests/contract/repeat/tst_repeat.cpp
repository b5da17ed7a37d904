// SPDX-License-Identifier: Apache-2.0
// The repeat node from end to end: its rounds, its gradient, and on several workers, however its
// body is spread, the numbers of one.
#include "contract/repeat/repeat_network.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

constexpr double mostApart = 2e-4; // three steps of f32 sums in other orders

} // namespace

class TestRepeat : public QObject {
    Q_OBJECT

private:
    static void equalsOneDevice(std::size_t devices, CommunicatorKind communicator) {
        for (const Sort sort : allSorts) {
            RepeatNetwork network(sort, 4, 5);
            network.train();
            const auto graph = std::make_shared<const Graph>(network.graph);
            const Trained one = train(graph, network.ops, {}, 3, 4);
            for (const AxisWord word :
                 {AxisWord::data, AxisWord::modelStack, AxisWord::modelAdd, AxisWord::replicate}) {
                Spreading spreading{.devices = devices, .communicator = communicator};
                spreading.layers[Origin{LayerId{1}, 0}] = {
                    .devices = {}, .mesh = {}, .words = {word}};
                const Trained many = train(graph, network.ops, spreading, 3, 4);
                QVERIFY2(many.refusals.empty(),
                         many.refusals.empty() ? "" : many.refusals.front().c_str());
                std::string where;
                const double difference = largestDifference(one, many, where);
                const std::string text = nameOf(sort) + " by " + std::string(nameOf(word)) + ": " +
                                         where + " differs by " + std::to_string(difference);
                QVERIFY2(difference < mostApart, text.c_str());
                QVERIFY(std::abs(many.elementsSent - many.elementsPlanned) <=
                        many.elementsPlanned / 50 + 512);
            }
        }
    }

    static std::string planText(AxisWord word) {
        RepeatNetwork network(Sort::twoOps, 4, 6);
        network.train();
        PlacementRequest request{.devices = {"cpu:0", "cpu:1"}};
        request.layers[Origin{LayerId{1}, 0}] = {.devices = {}, .mesh = {}, .words = {word}};
        const PlacementResult placing = place(network.graph, network.ops, request);
        verify(placing.plan);
        return print(placing.plan);
    }

private Q_SLOTS:
    void runsItsBodyCountTimes() {
        RepeatNetwork network(Sort::twoOps, 2, 1);
        Tensor h(DType::f64, {2, 1});
        h.set(0, 0.3);
        h.set(1, -0.8);
        Tensor weight(DType::f64, {1, 1});
        weight.set(0, 1.5);
        const Tensor last = network.run(h, weight);
        for (std::int64_t k = 0; k < 2; ++k) {
            double expected = h.at(k);
            for (std::int64_t round = 0; round < repeatRounds; ++round) {
                expected = std::tanh(expected * 1.5);
            }
            QVERIFY(std::abs(last.at(k) - expected) < 1e-12);
        }
    }

    void agreesWithCentralDifferences() {
        for (const Sort sort : allSorts) {
            std::string where;
            const double error = RepeatNetwork(sort, 2, 3).gradientError(where);
            QVERIFY2(error < 1e-6, (nameOf(sort) + ", " + where).c_str());
        }
    }

    void staysOneNodeInThePlan() {
        const std::string text = planText(AxisWord::modelStack);
        QVERIFY2(text.find("= repeat(") != std::string::npos, text.c_str());
        QVERIFY2(text.find("each iteration:") != std::string::npos, text.c_str());
    }

    void movesNothingInARoundThatSplitsTheExamples() {
        const std::string text = planText(AxisWord::data);
        const auto begin = text.find("each iteration:");
        const std::string round = text.substr(begin, text.find("makes", begin) - begin);
        QVERIFY2(round.find("sends") == std::string::npos, text.c_str());
    }

    void equalsOneDeviceOnTwoAxes() {
        RepeatNetwork network(Sort::recurrent, 3, 5);
        network.train();
        const auto graph = std::make_shared<const Graph>(network.graph);
        const Trained one = train(graph, network.ops, {}, 3, 4);
        Spreading spreading{.devices = 4};
        spreading.layers[Origin{LayerId{1}, 0}] = {
            .devices = {}, .mesh = {2, 2}, .words = {AxisWord::data, AxisWord::modelStack}};
        const Trained many = train(graph, network.ops, spreading, 3, 4);
        QVERIFY(many.refusals.empty());
        std::string where;
        const double difference = largestDifference(one, many, where);
        QVERIFY2(difference < mostApart, where.c_str());
    }
    void equalsOneDeviceOverTwoSimulated() { equalsOneDevice(2, CommunicatorKind::simulated); }
    void equalsOneDeviceOverThreeSimulated() { equalsOneDevice(3, CommunicatorKind::simulated); }
    void equalsOneDeviceOverTwoThreads() { equalsOneDevice(2, CommunicatorKind::threads); }
};

std::unique_ptr<QObject> makeTestRepeat() { return std::make_unique<TestRepeat>(); }
#include "tst_repeat.moc"
