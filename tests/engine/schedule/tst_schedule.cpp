// SPDX-License-Identifier: Apache-2.0
// Programs as a whole: the order and the streams change no bit, a step in steady state asks for no
// memory, and what is printed of the memory says what makes its peak.
#include "backends/backends.h"
#include "networks.h"
#include "schedule/schedule.h"
#include "support/trained.h"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

constexpr int steps = 3;

Trained trainIn(const SmallNetwork& net, const std::string& order, int streams, int cores,
                const std::string& backend, std::size_t devices) {
    Spreading spreading{.devices = devices,
                        .assignment = SmallNetwork::assignment("data"),
                        .layers = {},
                        .communicator = CommunicatorKind::threads};
    spreading.order = order;
    spreading.streams = streams;
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

DeviceSheet published(const std::string& name) {
    const std::vector<DeviceSheet> all = dataSheets();
    return *std::ranges::find(all, name, &DeviceSheet::name);
}

constexpr Bytes reorderedBytes{std::int64_t{1} << 36};

/// Returns the program of a dense layer on a backend that rounds in the product but in no gradient.
Program denseOn(const DeviceSheet& sheet, std::int64_t batch, Precision precision) {
    SmallNetwork net;
    const ValueId x = net.input("x", {batch, 4096});
    net.train(net.meanLoss("loss", net.dense("wide", x, 4096)));
    PlacementRequest request{.devices = {"cuda:0"}};
    const auto plan = std::make_shared<const Plan>(
        place(std::make_shared<const Graph>(net.graph()), net.ops(), request).plan);
    BackendList backends;
    backends::fill(backends);
    Backend backend = *backends.find("reference");
    KernelMaker maker = backend.kernels.of("linear").front();
    maker.implementation = "rounds";
    maker.choose = [exact = maker.choose](const KernelRequest& asked) {
        ChoiceOrRefusal choice = exact(asked);
        choice->implementation = "rounds";
        return choice;
    };
    backend.rounding[Precision::tf32].add(maker);
    maker.choose = [rounds = maker.choose](const KernelRequest& asked) {
        ChoiceOrRefusal choice = rounds(asked);
        choice->reorderedBytes = reorderedBytes;
        choice->launches = 4;
        return choice;
    };
    backend.rounding[Precision::bf16].add(std::move(maker));
    ScheduleRequest wanted{.order = "sequential"};
    wanted.fallback = &backends.find("reference")->kernels;
    wanted.precision = precision;
    return schedule(plan, DeviceId{0}, backend, sheet, wanted);
}

} // namespace

class TestSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ordersAndStreamsChangeNoBit_data() { addRows(); }
    void ordersAndStreamsChangeNoBit() {
        QFETCH(QString, net);
        QFETCH(QString, backend);
        QFETCH(int, devices);
        const auto built = network(net);
        const auto trained = [&](const char* order, int streams) {
            // A core per op, however many streams there are.
            return trainIn(*built, order, streams, streams, backend.toStdString(),
                           static_cast<std::size_t>(devices));
        };
        const Trained one = trained("sequential", 1);
        QVERIFY(one.refusals.empty());
        QCOMPARE(one.losses.size(), std::size_t{steps});
        const std::pair<const char*, int> ways[] = {
            {"depth", 2}, {"dataflow", 1}, {"dataflow", 2}, {"dataflow", 3}};
        for (const auto& [order, streams] : ways) {
            const Trained other = trained(order, streams);
            const std::string where = std::string(order) + " on " + std::to_string(streams);
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
        for (const int streams : {1, 2}) {
            const Trained trained =
                trainIn(*built, "dataflow", streams, streams, backend.toStdString(),
                        static_cast<std::size_t>(devices));
            QVERIFY(trained.refusals.empty());
            QCOMPARE(trained.allocations, std::int64_t{0});
        }
    }

    void onlyWhatRoundsIsPricedByTheRateForThat_data() {
        QTest::addColumn<QString>("sheet");
        QTest::addColumn<int>("batch");
        QTest::addColumn<double>("faster");
        QTest::newRow("h100") << "h100" << 1024 << 494.7 / 67;
        QTest::newRow("a100") << "a100" << 1024 << 8.0;
        QTest::newRow("for games") << "rtx4090" << 1024 << 1.0;
        QTest::newRow("h100, a few rows of what is mostly weights") << "h100" << 4 << 1.0;
        QTest::newRow("tensor units without it") << "v100" << 1024 << 1.0;
        QTest::newRow("no tensor units") << "p100" << 1024 << 1.0;
    }
    void onlyWhatRoundsIsPricedByTheRateForThat() {
        QFETCH(QString, sheet);
        QFETCH(int, batch);
        QFETCH(double, faster);
        const DeviceSheet chip = published(sheet.toStdString());
        const Program exact = denseOn(chip, batch, Precision::exact);
        const Program rounded = denseOn(chip, batch, Precision::tf32);
        QCOMPARE(rounded.steps.size(), exact.steps.size());
        int rounding = 0;
        for (std::size_t k = 0; k < exact.steps.size(); ++k) {
            const Step& step = rounded.steps[k];
            QCOMPARE(step.name, exact.steps[k].name);
            if (step.implementation != "rounds") {
                QCOMPARE(step.predicted.count, exact.steps[k].predicted.count);
                continue;
            }
            ++rounding;
            const auto computing = [&chip](const Step& one) {
                return static_cast<double>((one.predicted - chip.overhead).count);
            };
            const double times = computing(exact.steps[k]) / computing(step);
            QVERIFY2(std::abs(times / faster - 1) < 0.01, qPrintable(QString::number(times)));
        }
        QCOMPARE(rounding, chip.tf32FlopsPerSecond > 0 ? 1 : 0);
    }

    /// Each launch, and what a kernel lays in scratch on its way: here so much that it is all that
    /// takes time.
    void whatAKernelDoesBesideItsOperandsIsPriced() {
        const DeviceSheet chip = published("a100");
        const Program program = denseOn(chip, 4096, Precision::bf16);
        const auto rounds = std::ranges::find(program.steps, "rounds", &Step::implementation);
        QVERIFY(rounds != program.steps.end());
        const double moving = static_cast<double>(reorderedBytes.count) / chip.bytesPerSecond * 1e9;
        const auto computing = static_cast<double>((rounds->predicted - chip.overhead * 4).count);
        QVERIFY2(computing > moving && computing < 1.01 * moving,
                 qPrintable(QString("%1 %2").arg(computing).arg(moving)));
    }

    void saysWhatMakesThePeak() {
        const auto net = convolutionNetwork();
        PlacementRequest request{.devices = {"reference:0"}};
        const auto plan = std::make_shared<const Plan>(
            place(std::make_shared<const Graph>(net->graph()), net->ops(), request).plan);
        BackendList backends;
        backends::fill(backends);
        const Backend& reference = *backends.find("reference");
        ScheduleRequest wanted{.streams = 0};
        wanted.fallback = &reference.kernels;
        const Program program =
            schedule(plan, DeviceId{0}, reference, reference.find().front(), wanted);
        const std::string text = printMemory(program);
        QVERIFY2(text.find("peak use at ") != std::string::npos, text.c_str());
        // The second convolution's gradients come while all activations are still there.
        const auto at = text.find("allocated by");
        QVERIFY2(text.find("conv2", at) < text.find("the largest blocks", at), text.c_str());
    }
};

std::unique_ptr<QObject> makeTestSchedule() { return std::make_unique<TestSchedule>(); }

#include "tst_schedule.moc"
