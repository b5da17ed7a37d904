// SPDX-License-Identifier: Apache-2.0
// Ops without a kernel on the device go to the host and back in as few fallbacks as possible, with
// identical bits: on the simulated chip, with some or all kernels left out.

#include "backends/backends.h"
#include "contract/layers/layer_training.h"
#include "contract/repeat/repeat_network.h"
#include "place/place.h"
#include "run/checkpoint/checkpoint.h"
#include "run/execute/worker_pool.h"
#include "schedule/program_parts.h"
#include "schedule/schedule.h"
#include "support/fed_pool.h"
#include "support/small_network.h"
#include "support/trained.h"

#include <fmt/format.h>

#include <QTest>
#include <algorithm>
#include <bit>

using namespace weft;
using namespace weft::test;

namespace {

constexpr int stepsOfHostFallbacks = 3;
constexpr std::int64_t classesOfHostFallbacks = 5;

/// While it lives the stand-in has no kernels for these.
class Without {
public:
    explicit Without(const std::string& ops) { qputenv("WEFT_SIM_WITHOUT", ops.c_str()); }
    ~Without() { qunsetenv("WEFT_SIM_WITHOUT"); }
    Without(const Without&) = delete;
    Without& operator=(const Without&) = delete;
};

/// All that the reference has.
std::string everyOp() {
    BackendList backends;
    backends::fill(backends);
    std::string names;
    for (const std::string& op : backends.find("reference")->kernels.ops()) {
        names += (names.empty() ? "" : ",") + op;
    }
    return names;
}

/// y = x + t (h - x), twice, the gate squeezed.
void buildHighway(SmallNetwork& net) {
    ValueId x = net.input("x", {6, 12});
    const ValueId target = net.input("target", {6}, DType::i64);
    for (const std::string layer : {"one ", "two "}) {
        const ValueId h = net.op(layer + "h", "tanh", {net.dense(layer + "transform", x, 12)});
        const ValueId t = net.op(layer + "t", "sigmoid", {net.dense(layer + "gate", x, 12)});
        const ValueId rest = net.op(layer + "rest", "subtract", {h, x});
        x = net.op(layer + "y", "add", {x, net.op(layer + "part", "multiply", {t, rest})});
    }
    net.train(net.loss("loss", net.dense("last", x, classesOfHostFallbacks), target));
}

/// Nothing is grouped, so that programs differ in their fallbacks alone.
KernelList ofOneOp(const KernelList& all) {
    KernelList rest;
    for (const std::string& op : all.ops()) {
        for (const KernelMaker& maker : all.ownOf(op)) {
            op.find_first_of("+*=") != std::string::npos ? void() : rest.add(maker);
        }
    }
    return rest;
}

struct WithHostFallbacks {
    BackendList backends;
    Program program;

    WithHostFallbacks(bool shares, const std::string& order, int streams) {
        const Without without(
            "tanh,sigmoid,subtract,multiply,add,tanh_gradient,sigmoid_gradient,scale");
        backends::fill(backends);
        SmallNetwork net;
        buildHighway(net);
        PlacementResult placing =
            place(std::make_shared<const Graph>(net.graph()), net.ops(), {.devices = {"sim:0"}});
        Backend backend = *backends.find("sim");
        backend.kernels = ofOneOp(backend.kernels);
        ScheduleRequest request{.order = order, .streams = streams, .seed = 3};
        request.fallback = &backends.find("reference")->kernels;
        request.groups = shares;
        program = schedule(std::make_shared<const Plan>(std::move(placing.plan)), DeviceId{0},
                           backend, backend.find().front(), request);
        verify(program);
    }

    [[nodiscard]] std::int64_t crossing() const {
        std::int64_t bytes = 0;
        for (const auto& choice : program.choices) {
            bytes += choice->staged.count;
        }
        return bytes;
    }
    [[nodiscard]] std::ptrdiff_t cuts() const {
        return std::ranges::count(partsOf(program), false, &ProgramPart::isCapturable);
    }
    [[nodiscard]] std::int64_t predicted() const {
        std::int64_t sum = 0;
        for (const Step& step : program.steps) {
            sum += step.predicted.count;
        }
        return sum;
    }
    [[nodiscard]] std::ptrdiff_t stepsCalled(const std::string& name) const {
        return std::ranges::count(program.steps, name, &Step::name);
    }
};

/// Losses, then what is kept.
std::vector<double> trainedBy(const WithHostFallbacks& made) {
    std::vector<double> numbers;
    const Graph& graph = *made.program.plan->graph;
    WorkerPool pool(openDevices(made.backends, 1, "sim", 1), nullptr, false);
    pool.prepare([&](const LocalDevice&) { return std::vector{made.program}; });
    initialiseSlots(pool, 5);
    for (int step = 0; step < stepsOfHostFallbacks; ++step) {
        feed(pool, 0, graph, step, [](const std::string&) { return classesOfHostFallbacks; });
        pool.run(0);
        numbers.push_back(lossOf(pool, 0, graph));
    }
    for (std::size_t s = 0; s < graph.slots.size(); ++s) {
        std::ranges::copy(gather(pool, graph, s, {}), std::back_inserter(numbers));
    }
    return numbers;
}

void requireTheSame(const Trained& one, const Trained& other, const std::string& name) {
    QVERIFY2(one.losses == other.losses, name.c_str());
    for (std::size_t s = 0; s < one.slotsAfter.size(); ++s) {
        const auto& [what, numbers] = one.slotsAfter[s];
        const std::vector<double>& others = other.slotsAfter.at(s).second;
        for (std::size_t n = 0; n < numbers.size(); ++n) {
            const std::string text =
                fmt::format("{}, {}[{}]: {} and {}", name, what, n, numbers[n], others.at(n));
            QVERIFY2(std::bit_cast<std::uint64_t>(numbers[n]) ==
                         std::bit_cast<std::uint64_t>(others.at(n)),
                     text.c_str());
        }
    }
    QVERIFY2(one.numbers == other.numbers, name.c_str());
}

bool hasHostFallbacks(const Trained& one) {
    return std::ranges::any_of(one.steps, [](const std::string& name) {
        return name.find(" + ") != std::string::npos && name.ends_with(" on the host");
    });
}

} // namespace

class TestHostFallbacks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areSharedByNeighbours_data() {
        QTest::addColumn<QString>("order");
        QTest::addColumn<int>("streams");
        QTest::newRow("as many streams as gain") << "dataflow" << 0;
        QTest::newRow("three streams") << "dataflow" << 3;
        QTest::newRow("one after the other") << "sequential" << 1;
        QTest::newRow("by depth") << "depth" << 2;
    }
    void areSharedByNeighbours() {
        QFETCH(const QString, order);
        QFETCH(const int, streams);
        const WithHostFallbacks apart(false, order.toStdString(), streams);
        const WithHostFallbacks shared(true, order.toStdString(), streams);
        const std::string whole = "one h: tanh + one t: sigmoid + 3 more on the host";
        QVERIFY2(shared.stepsCalled(whole) == 1, print(shared.program).c_str());
        QVERIFY2(shared.cuts() * 2 < apart.cuts(), print(shared.program).c_str());
        QVERIFY(shared.crossing() * 3 < apart.crossing() * 2);
        QVERIFY(shared.predicted() < apart.predicted());
        QVERIFY(trainedBy(shared) == trainedBy(apart));
    }

    /// A device without any kernel is the reference, one fallback or many: rounds, draws, slots and
    /// sums over devices.
    void computeAllThatTheReferenceDoes() {
        const Without without(everyOp());
        int withHostFallbacks = 0;
        for (const Sort sort : oneStepSorts) {
            RepeatNetwork network(sort, 4, 6);
            network.train();
            const auto graph = std::make_shared<const Graph>(network.graph);
            Spreading spreading{.devices = 1, .order = "dataflow", .streams = 2};
            const Trained known = weft::test::train(graph, network.ops, spreading, 2, 4);
            spreading.backend = "sim";
            const Trained fallbacks = weft::test::train(graph, network.ops, spreading, 2, 4);
            requireTheSame(known, fallbacks, nameOf(sort));
            withHostFallbacks += hasHostFallbacks(fallbacks) ? 1 : 0;
        }
        QCOMPARE(withHostFallbacks, static_cast<int>(oneStepSorts.size()));
    }

    void computeWhatLayersDoOnTwoDevices() {
        const Without without(everyOp());
        const Lowerings lowerings;
        int withHostFallbacks = 0;
        for (const LayerTraining& training : layerTrainings(lowerings)) {
            if (!training.graph) {
                continue;
            }
            Spreading spreading{.devices = 2, .communicator = CommunicatorKind::threads};
            spreading.assignment.words = {AxisWord::data};
            const auto trained = [&] {
                return weft::test::train(training.graph, lowerings.ops(), spreading, 1,
                                         training.integersBelow);
            };
            const Trained known = trained();
            spreading.backend = "sim";
            const Trained fallbacks = trained();
            requireTheSame(known, fallbacks, training.name);
            withHostFallbacks += hasHostFallbacks(fallbacks) ? 1 : 0;
        }
        QVERIFY2(withHostFallbacks > 20, qPrintable(QString::number(withHostFallbacks)));
    }
};

std::unique_ptr<QObject> makeTestHostFallbacks() { return std::make_unique<TestHostFallbacks>(); }
#include "tst_host_fallbacks.moc"
