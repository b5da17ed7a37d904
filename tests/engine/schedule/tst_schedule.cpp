// SPDX-License-Identifier: Apache-2.0
// Programs as a whole: the order and the lanes change no bit, a step in steady state asks for no
// memory, and what is printed of the memory says what makes its peak.
#include "backends/backends.h"
#include "networks.h"
#include "schedule/schedule.h"
#include "support/trained.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

constexpr int steps = 3;

Trained trainIn(const SmallNetwork& net, const std::string& order, int lanes, int cores,
                const std::string& backend, std::size_t devices) {
    Spreading spreading{.devices = devices,
                        .assignment = SmallNetwork::assignment("data"),
                        .layers = {},
                        .room = RoomKind::threads};
    spreading.order = order;
    spreading.lanes = lanes;
    spreading.cores = cores;
    spreading.backend = backend;
    return train(std::make_shared<const Graph>(net.graph()), net.ops(), spreading, steps, 5);
}

std::unique_ptr<SmallNetwork> network(const QString& name) {
    return name == "branches" ? branchedNetwork() : convolutionNetwork();
}

void addRows() {
    QTest::addColumn<QString>("net");
    QTest::addColumn<QString>("backend");
    QTest::addColumn<int>("devices");
    const auto row = [](const char* net, const char* backend, int devices) {
        QTest::addRow("%s, %s, %d devices", net, backend, devices) << net << backend << devices;
    };
    row("branches", "reference", 2);
    row("branches", "cpu", 1);
    row("convolutions", "reference", 1);
    row("convolutions", "cpu", 2);
}

} // namespace

class TestSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ordersAndLanesChangeNoBit_data() { addRows(); }
    void ordersAndLanesChangeNoBit() {
        QFETCH(QString, net);
        QFETCH(QString, backend);
        QFETCH(int, devices);
        const auto built = network(net);
        const auto trained = [&](const char* order, int lanes) {
            // A core per op, however many lanes there are.
            return trainIn(*built, order, lanes, lanes, backend.toStdString(),
                           static_cast<std::size_t>(devices));
        };
        const Trained one = trained("sequential", 1);
        QVERIFY(one.refusals.empty());
        QCOMPARE(one.losses.size(), std::size_t{steps});
        const std::pair<const char*, int> ways[] = {
            {"depth", 2}, {"dataflow", 1}, {"dataflow", 2}, {"dataflow", 3}};
        for (const auto& [order, lanes] : ways) {
            const Trained other = trained(order, lanes);
            const std::string where = std::string(order) + " on " + std::to_string(lanes);
            QVERIFY2(other.losses == one.losses, where.c_str());
            QVERIFY2(other.slotsAfter == one.slotsAfter, where.c_str());
            QVERIFY2(other.numbers == one.numbers, where.c_str());
        }
    }

    void asksForNoMemoryOnceItRuns_data() { addRows(); }
    void asksForNoMemoryOnceItRuns() {
        QFETCH(QString, net);
        QFETCH(QString, backend);
        QFETCH(int, devices);
        const auto built = network(net);
        for (const int lanes : {1, 2}) {
            const Trained trained = trainIn(*built, "dataflow", lanes, lanes, backend.toStdString(),
                                            static_cast<std::size_t>(devices));
            QVERIFY(trained.refusals.empty());
            QCOMPARE(trained.allocations, std::int64_t{0});
        }
    }

    void saysWhatMakesThePeak() {
        const auto net = convolutionNetwork();
        PlacementRequest request{.devices = {"reference:0"}};
        const auto plan = std::make_shared<const Plan>(
            place(std::make_shared<const Graph>(net->graph()), net->ops(), request).plan);
        BackendList backends;
        backends::fill(backends);
        const Backend& reference = *backends.find("reference");
        ScheduleRequest wanted{.lanes = 0};
        wanted.fallback = &reference.kernels;
        const Program program =
            schedule(plan, DeviceId{0}, reference, reference.find().front(), wanted);
        const std::string text = printMemory(program);
        QVERIFY2(text.find("most is in use at ") != std::string::npos, text.c_str());
        // The second convolution's gradients come while all activations are still there.
        const auto at = text.find("made by");
        QVERIFY2(text.find("conv2", at) < text.find("the largest blocks", at), text.c_str());
    }
};

std::unique_ptr<QObject> makeTestSchedule() { return std::make_unique<TestSchedule>(); }

#include "tst_schedule.moc"
