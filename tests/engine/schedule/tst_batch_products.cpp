// SPDX-License-Identifier: Apache-2.0
// Equal products become one call where they stand side by side and that is cheaper, and stay apart
// elsewhere; whatever is joined, all is made before it is read and collectives keep their order.
#include "schedule/select/batch_products.h"

#include <QTest>
#include <algorithm>
#include <random>

using namespace weft;

namespace {

constexpr std::int64_t launch = 4000;

/// A device that has a kernel of "linear", in some precision, and one of several.
struct ChipMakers {
    Backend backend;
    KernelList lastResort;
    explicit ChipMakers(const std::string& ofMany = "own") {
        backend.kernels.add({"linear=", ofMany, [ofMany](const KernelRequest&) {
                                 return ChoiceOrRefusal(KernelChoice{.implementation = ofMany});
                             }});
    }
};

/// A plan that grows task by task.
struct Grown {
    LocalPlan local;

    /// Its result, a value; `fills`: so much of a chip.
    int add(const std::string& name, const std::string& op, const std::vector<int>& reads,
            std::int64_t work = 100, const Shape& shape = {4, 4}, double fills = 0.1) {
        const TensorPart part{.dtype = DType::f32, .shape = shape, .begin = {}, .whole = shape};
        const int made = static_cast<int>(local.values.size());
        local.values.push_back({.placed = {}, .part = part});
        Task task{.name = name + ": " + op};
        task.inputs = reads;
        task.outputs = {made};
        task.request.op = op;
        task.request.inputs.assign(reads.size(), part);
        task.request.outputs = {part};
        task.choice = std::make_shared<const KernelChoice>(KernelChoice{.implementation = "own"});
        task.predicted = {launch + work};
        task.chip = {.launch = {launch}, .fills = fills};
        local.tasks.push_back(std::move(task));
        return made;
    }

    /// Their work together takes as long as that of one, as far as they fill the chip.
    bool join(const ChipMakers& device = ChipMakers(), int streams = 4) {
        const KernelChooser chooser(device.backend, device.lastResort);
        std::vector<Task> tasks =
            withBatchedProducts(local, {.kernels = device.backend.kernels,
                                        .chooser = chooser,
                                        .price = [this](Task& row) { price(row); },
                                        .streams = streams});
        if (tasks.empty()) {
            return false;
        }
        local.tasks = std::move(tasks);
        return true;
    }

    void price(Task& row) const {
        double filled = 0;
        std::int64_t work = 0;
        for (const Task& one : local.tasks) {
            if (std::ranges::find(row.outputs, one.outputs.front()) != row.outputs.end()) {
                filled += one.chip.fills;
                work = std::max(work, (one.predicted - one.chip.launch).count);
            }
        }
        row.chip = {.launch = {launch}, .fills = std::min(1.0, filled)};
        row.predicted = {
            launch + static_cast<std::int64_t>(static_cast<double>(work) * std::max(1.0, filled))};
    }

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> names;
        std::ranges::transform(local.tasks, std::back_inserter(names), &Task::name);
        return names;
    }

    [[nodiscard]] bool refusesFor(const std::string& why) const {
        return std::ranges::any_of(local.refusals, [&](const std::string& text) {
            return text.find(why) != std::string::npos;
        });
    }
};

/// Query, key and value of one input, each cut apart, all met again.
Grown threeOfOne(std::int64_t work = 100, double fills = 0.1) {
    Grown net;
    const int x = net.add("x", "source", {});
    std::vector<int> ends;
    for (const char* name : {"q", "k", "v"}) {
        const int y = net.add(name, "linear", {x}, work, {4, 4}, fills);
        ends.push_back(net.add(name, "apart", {y}));
    }
    net.add("all", "sum", ends);
    return net;
}

} // namespace

class TestBatchProducts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void joinsWhatStandsSideBySide() {
        Grown net = threeOfOne();
        QVERIFY(net.join());
        QCOMPARE(net.names(),
                 (std::vector<std::string>{"x: source", "q: linear, 3 in one call", "q: apart",
                                           "k: apart", "v: apart", "all: sum"}));
        const Task& row = net.local.tasks[1];
        QCOMPARE(row.inputs, (std::vector<int>{0, 0, 0}));
        QCOMPARE(row.outputs, (std::vector<int>{1, 3, 5}));
        QCOMPARE(row.request.op, std::string("linear="));
        QCOMPARE(row.request.body->reads, (std::vector<std::vector<int>>{{0}, {1}, {2}}));
        QCOMPARE(row.request.body->writes, (std::vector<std::vector<int>>{{0}, {1}, {2}}));
        QVERIFY(isBatched(row.request));
        QVERIFY(net.local.refusals.empty());
    }

    void joinsNothingThatAPathJoins() {
        Grown net;
        const int x = net.add("x", "source", {});
        const int y = net.add("a", "linear", {x});
        const int z = net.add("between", "apart", {y});
        net.add("b", "linear", {z});
        QVERIFY(!net.join());
        QCOMPARE(net.local.tasks.size(), std::size_t{4});
    }

    /// Ops at another depth are not joined, even if no path connects them.
    void joinsNothingThatStandsElsewhere() {
        Grown net;
        const int x = net.add("x", "source", {});
        const int a = net.add("a", "linear", {x});
        const int later = net.add("later", "apart", {x});
        const int b = net.add("b", "linear", {later});
        net.add("all", "sum", {a, b});
        QVERIFY(!net.join());
    }

    void joinsOnlyEqualShapes() {
        Grown net;
        const int x = net.add("x", "source", {});
        const int a = net.add("a", "linear", {x});
        const int b = net.add("b", "linear", {x}, 100, {4, 8});
        const int c = net.add("c", "linear", {x});
        net.local.tasks.back().request.attributes.set("k", std::int64_t{1});
        const int d = net.add("d", "linear", {x});
        net.local.tasks.back().choice =
            std::make_shared<const KernelChoice>(KernelChoice{.implementation = "another"});
        net.add("all", "sum", {a, b, c, d});
        QVERIFY(!net.join());
    }

    /// Large ones hide their launches, and on a chip that one fills there is nothing to share.
    void leavesApartWhatIsNotCheaper() {
        Grown net = threeOfOne(50'000, 1);
        QVERIFY(!net.join());
        QVERIFY(net.refusesFor("q: linear: 3 parallel ops are not batched into one call: the "
                               "batched call would take 154 µs,"
                               " the single calls take 154 µs on up to 4 streams"));
    }

    /// One after the other they would leave most of a chip idle; on streams they fill it as well.
    void comparesWithTheStreamsThereAre() {
        Grown onOne = threeOfOne(50'000, 0.3);
        QVERIFY(onOne.join(ChipMakers(), 1));
        Grown large = threeOfOne(50'000, 0.3);
        QVERIFY(large.join(ChipMakers(), 4)); // two launches less
        for (Task& task : (large = threeOfOne(50'000, 0.3)).local.tasks) {
            task.predicted = task.predicted - task.chip.launch;
            task.chip.launch = {};
        }
        QVERIFY(!large.join(ChipMakers(), 4));
    }

    void joinsWhatRoundsAlike() {
        Grown net = threeOfOne();
        for (Task& task : net.local.tasks) {
            task.choice = std::make_shared<const KernelChoice>(
                KernelChoice{.implementation = "own", .precision = Precision::tf32});
        }
        QVERIFY(net.join());
    }

    void leavesApartWhatOthersWouldCompute() {
        Grown net = threeOfOne();
        QVERIFY(!net.join(ChipMakers("another")));
        QVERIFY(net.refusesFor("the batched call would use another, the single calls use own"));
    }

    /// One comes when the way of the others is nearly over.
    void delaysNobody() {
        Grown net;
        const int x = net.add("x", "source", {});
        const int slow = net.add("slow", "source", {}, 1'000'000);
        const int a = net.add("a", "linear", {x});
        const int b = net.add("b", "linear", {x});
        const int late = net.add("late", "linear", {slow});
        net.add("all", "sum", {late, net.add("long", "apart", {a, b}, 990'000)});
        QVERIFY(net.join());
        QVERIFY(net.refusesFor("some would have to wait for others"));
        const auto names = net.names();
        QVERIFY(std::ranges::find(names, "a: linear, 2 in one call") != names.end());
        QVERIFY(std::ranges::find(names, "late: linear") != names.end());
    }

    void asksNobodyWhereThereIsNoKernelOfMany() {
        Grown net = threeOfOne();
        ChipMakers without;
        without.backend.kernels = {};
        QVERIFY(!net.join(without));
        QVERIFY(net.local.refusals.empty());
    }

    void keepsEveryOrderThatIsAskedFor() {
        int joined = 0;
        for (unsigned seed = 1; seed <= 200; ++seed) {
            std::mt19937 random(seed);
            Grown net;
            const auto below = [&](int end) { return static_cast<int>(random() % end); };
            for (int t = 0; t < 60; ++t) {
                std::vector<int> reads;
                for (int k = below(3); t > 0 && k > 0; --k) {
                    reads.push_back(std::max(0, t - 1 - below(12)));
                }
                const bool meets = below(8) == 0;
                net.add(std::to_string(t), below(3) == 0 ? "other" : "linear", reads,
                        100 * below(50), {2 + below(2)});
                net.local.tasks.back().kind = meets ? StepKind::collective : StepKind::compute;
            }
            const auto meetings = [&] {
                std::vector<std::string> names;
                for (const Task& task : net.local.tasks) {
                    if (task.kind == StepKind::collective) {
                        names.push_back(task.name);
                    }
                }
                return names;
            };
            const auto before = meetings();
            joined += net.join() ? 1 : 0;
            QCOMPARE(meetings(), before);
            std::vector<int> made;
            for (const Task& task : net.local.tasks) {
                for (const int input : task.inputs) {
                    QVERIFY(std::ranges::find(made, input) != made.end());
                }
                std::ranges::copy(task.outputs, std::back_inserter(made));
            }
            std::ranges::sort(made);
            QCOMPARE(made.size(), std::size_t{60});
            QVERIFY(std::ranges::adjacent_find(made) == made.end());
        }
        QVERIFY2(joined > 100, qPrintable(QString::number(joined)));
    }
};

std::unique_ptr<QObject> makeTestBatchProducts() { return std::make_unique<TestBatchProducts>(); }
#include "tst_batch_products.moc"
