// SPDX-License-Identifier: Apache-2.0
// Equal products in one call give the same bits as one by one, and are orderly on the stand-in: an
// attention, and branches of dense layers, which train a few steps both ways.

#include "backends/backends.h"
#include "place/place.h"
#include "run/checkpoint.h"
#include "run/worker_pool.h"
#include "schedule/schedule.h"
#include "support/fed_pool.h"
#include "support/small_network.h"

#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::test;

namespace {

constexpr int fewSteps = 3;
constexpr std::int64_t classesHere = 5;

/// An attention of four heads between its sums, and more branches behind it than there are lanes.
void buildEquals(SmallNetwork& net) {
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

KernelList withoutEquals(const KernelList& all) {
    KernelList rest;
    for (const std::string& op : all.ops()) {
        for (const KernelMaker& maker : all.ownOf(op)) {
            op.ends_with('=') ? void() : rest.add(maker);
        }
    }
    return rest;
}

struct Scheduled {
    BackendList backends;
    Program program;
};

/// For CUDA's own kernels.
Scheduled scheduled(bool joinsEquals, const std::string& order, int lanes,
                    Precision precision = Precision::exact,
                    void (*build)(SmallNetwork&) = buildEquals) {
    Scheduled made;
    qputenv("WEFT_SIM_KERNELS", "cuda");
    backends::fill(made.backends);
    qunsetenv("WEFT_SIM_KERNELS");
    SmallNetwork net;
    build(net);
    Placing placing =
        place(std::make_shared<const Graph>(net.graph()), net.ops(), {.devices = {"sim:0"}});
    Backend backend = *made.backends.find("sim");
    if (!joinsEquals) {
        backend.kernels = withoutEquals(backend.kernels);
    }
    ScheduleRequest request{.order = order, .lanes = lanes, .seed = 3};
    request.fallback = &made.backends.find("reference")->kernels;
    request.precision = precision;
    made.program = schedule(std::make_shared<const Plan>(std::move(placing.plan)), DeviceId{0},
                            backend, backend.find().front(), request);
    verify(made.program);
    return made;
}

/// Losses, then slots.
std::vector<double> trainedBy(const Scheduled& made) {
    std::vector<double> numbers;
    const Graph& graph = *made.program.plan->graph;
    WorkerPool pool(openDevices(made.backends, 1, "sim", 1), nullptr, false);
    pool.prepare([&](const LocalDevice&) { return std::vector{made.program}; });
    initialiseSlots(pool, 5);
    for (int step = 0; step < fewSteps; ++step) {
        feed(pool, 0, graph, step, [](const std::string&) { return classesHere; });
        pool.run(0);
        numbers.push_back(lossOf(pool, 0, graph));
    }
    for (std::size_t s = 0; s < graph.slots.size(); ++s) {
        std::ranges::copy(gather(pool, graph, s, {}), std::back_inserter(numbers));
    }
    return numbers;
}

std::ptrdiff_t stepsOf(const Scheduled& made, const std::string& name) {
    return std::ranges::count_if(made.program.steps, [&](const Step& step) {
        return step.name.find(name) != std::string::npos;
    });
}

} // namespace

class TestEqualProducts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void giveTheSameBitsInOneCall_data() {
        QTest::addColumn<QString>("order");
        QTest::addColumn<int>("lanes");
        QTest::newRow("as many lanes as gain") << "dataflow" << 0;
        QTest::newRow("three lanes") << "dataflow" << 3;
        QTest::newRow("one after the other") << "sequential" << 1;
        QTest::newRow("by depth") << "depth" << 2;
    }
    void giveTheSameBitsInOneCall() {
        QFETCH(QString, order);
        QFETCH(int, lanes);
        const Scheduled apart = scheduled(false, order.toStdString(), lanes);
        const Scheduled joined = scheduled(true, order.toStdString(), lanes);
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
        const Scheduled one = scheduled(true, "dataflow", 0, Precision::exact, buildSmallOnes);
        QCOMPARE(stepsOf(one, "in one call"), 0);
        const std::string text = printKernels(one.program);
        QVERIFY2(text.find("no single call: all would end after ") != std::string::npos,
                 text.c_str());
    }

    void stayApartWhereTheyRound() {
        const Scheduled rounded = scheduled(true, "dataflow", 0, Precision::tf32);
        QCOMPARE(stepsOf(rounded, "in one call"), 0);
        QVERIFY(printKernels(rounded.program)
                    .find("attention: linear: 3 side by side are no single call: what rounds is "
                          "computed one by one") != std::string::npos);
    }
};

std::unique_ptr<QObject> makeTestEqualProducts() { return std::make_unique<TestEqualProducts>(); }
#include "tst_equal_products.moc"
