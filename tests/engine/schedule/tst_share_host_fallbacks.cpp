// SPDX-License-Identifier: Apache-2.0
// Neighbours that the host computes are one step with one fallback: what crosses is what others
// make or read, each once, and whatever is joined computes what it did apart.
#include "device/staged.h"
#include "schedule/select/share_host_fallbacks.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace weft;

namespace {

constexpr std::int64_t elementsOfHostFallback = 4;
constexpr Bytes ofOne{elementsOfHostFallback * static_cast<std::int64_t>(sizeof(double))};

class MemoryStream final : public Stream {
public:
    [[nodiscard]] void* handle() const override { return nullptr; }
    [[nodiscard]] bool isSynchronous() const override { return true; }
    void finish() override {}
};

/// y = a sum of the operands, each times another number, and of one more.
KernelChoice summing(std::size_t operands, int salt) {
    return {.implementation = "reference", .scratch = ofOne, .make = [operands, salt] {
                return makeKernel([operands, salt](const KernelArguments& arguments) {
                    auto* sum = static_cast<double*>(arguments.scratch);
                    for (std::int64_t n = 0; n < elementsOfHostFallback; ++n) {
                        sum[n] = salt + static_cast<double>(n);
                        for (std::size_t k = 0; k < operands; ++k) {
                            sum[n] += static_cast<const double*>(arguments.inputs[k])[n] /
                                      (static_cast<double>(k) + 3);
                        }
                    }
                    std::copy_n(sum, elementsOfHostFallback,
                                static_cast<double*>(arguments.outputs[0]));
                });
            }};
}

/// A plan that grows task by task.
struct GrownFallbacks {
    LocalPlan local;

    int add(const std::string& name, const std::vector<int>& reads, bool onHost,
            StepKind kind = StepKind::compute) {
        const TensorPart part{.dtype = DType::f64,
                              .shape = {elementsOfHostFallback},
                              .begin = {0},
                              .whole = {elementsOfHostFallback}};
        const int made = static_cast<int>(local.values.size());
        local.values.push_back({.placed = {}, .part = part, .bytes = ofOne});
        Task task{.kind = kind, .inputs = reads, .outputs = {made}, .name = name};
        const std::size_t colon = name.find(": ");
        task.request.op = colon == std::string::npos ? name : name.substr(colon + 2);
        task.request.inputs.assign(reads.size(), part);
        task.request.outputs = {part};
        KernelChoice choice = summing(reads.size(), made);
        if (onHost) {
            choice = staged(std::move(choice), task.request);
        }
        task.choice = std::make_shared<const KernelChoice>(std::move(choice));
        task.flops = {1};
        local.tasks.push_back(std::move(task));
        return made;
    }
    int host(const std::string& name, const std::vector<int>& reads) {
        return add(name, reads, true);
    }
    int chip(const std::string& name, const std::vector<int>& reads) {
        return add(name, reads, false);
    }

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> names;
        std::ranges::transform(local.tasks, std::back_inserter(names), &Task::name);
        return names;
    }
    [[nodiscard]] std::vector<std::string> shared() {
        shareHostFallbacks(local);
        return names();
    }
    [[nodiscard]] std::int64_t crossing() const {
        std::int64_t bytes = 0;
        for (const Task& task : local.tasks) {
            bytes += task.choice->staged.count;
        }
        return bytes / ofOne.count;
    }

    /// Returns the contents of the buffers of these values after all tasks; NaN for a value that
    /// was not written.
    [[nodiscard]] std::vector<double> run(const std::vector<int>& wanted) const {
        std::vector<std::vector<double>> buffers(
            local.values.size(), std::vector<double>(elementsOfHostFallback, std::nan("")));
        MemoryStream stream;
        std::vector<double> scratch(elementsOfHostFallback);
        for (const Task& task : local.tasks) {
            std::vector<const void*> inputs;
            std::vector<void*> outputs;
            inputs.reserve(task.inputs.size());
            outputs.reserve(task.outputs.size());
            for (const int input : task.inputs) {
                inputs.push_back(buffers[static_cast<std::size_t>(input)].data());
            }
            for (const int output : task.outputs) {
                outputs.push_back(buffers[static_cast<std::size_t>(output)].data());
            }
            std::vector<std::byte> staging(static_cast<std::size_t>(task.choice->staging.count));
            task.choice->make()->run(
                {inputs, outputs, scratch.data(), &stream, {}, staging.data()});
        }
        std::vector<double> numbers;
        for (const int value : wanted) {
            std::ranges::copy(buffers[static_cast<std::size_t>(value)],
                              std::back_inserter(numbers));
        }
        return numbers;
    }
};

using Names = std::vector<std::string>;

} // namespace

class TestShareHostFallbacks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsThereWhatIsReadThere() {
        GrownFallbacks net;
        const int x = net.chip("x: source", {});
        const int a = net.host("act: softsign", {x});
        const int b = net.host("act: sigmoid", {a});
        const int y = net.chip("y: relu", {b});
        const std::vector<double> apart = net.run({x, b, y});
        QCOMPARE(net.crossing(), 4);
        QCOMPARE(net.shared(),
                 (Names{"x: source", "act: softsign + sigmoid on the host", "y: relu"}));
        QCOMPARE(net.crossing(), 2);
        const Task& fallback = net.local.tasks[1];
        QCOMPARE(fallback.inputs, std::vector<int>{x});
        QCOMPARE(fallback.outputs, std::vector<int>{b});
        QCOMPARE(fallback.flops.count, 2);
        QCOMPARE(fallback.choice->implementation, std::string("reference on the host"));
        QVERIFY(fallback.rounds != nullptr && fallback.rounds->isHostFallback);
        QCOMPARE(fallback.rounds->steps[1].name, std::string("act: sigmoid"));
        QCOMPARE(fallback.rounds->steps[1].implementation, std::string("reference on the host"));
        QVERIFY(net.run({x, b, y}) == apart);
    }

    /// An operand of several goes once, whatever else they read.
    void sendsOnceWhatSeveralRead() {
        GrownFallbacks net;
        const int x = net.chip("source", {});
        const int w = net.chip("other", {});
        const int a = net.host("a: softsign", {x, w});
        const int b = net.host("b: softsign", {w, x});
        net.chip("sum", {a, b});
        QCOMPARE(net.crossing(), 6);
        QCOMPARE(net.shared()[2], std::string("a: softsign + b: softsign on the host"));
        QCOMPARE(net.crossing(), 4);
    }

    /// Be it by another task, by who asks for results, or by the next step.
    void bringsBackWhatIsReadElsewhere_data() {
        QTest::addColumn<int>("how");
        QTest::newRow("a task") << 0;
        QTest::newRow("a result") << 1;
        QTest::newRow("a slot's next value") << 2;
        QTest::newRow("a buffer of its own") << 3;
        QTest::newRow("a task by another name of it") << 4;
    }
    void bringsBackWhatIsReadElsewhere() {
        QFETCH(const int, how);
        GrownFallbacks net;
        const int x = net.chip("source", {});
        const int a = net.host("a", {x});
        const int b = net.host("b", {a});
        net.chip("y", {b});
        if (how == 0) {
            net.chip("z", {a});
        } else if (how == 1) {
            net.local.results = {a};
        } else if (how == 2) {
            net.local.slotNext = {a};
            net.local.slots = {x};
        } else if (how == 3) {
            net.local.values[static_cast<std::size_t>(a)].isPinned = true;
        } else {
            const int alias = static_cast<int>(net.local.values.size());
            net.local.values.push_back(net.local.values[static_cast<std::size_t>(a)]);
            net.local.values.back().aliasOf = a;
            net.chip("z", {a});
            net.local.tasks.back().inputs = {alias};
        }
        const std::vector<double> apart = net.run({a, b});
        QCOMPARE(net.shared()[1], std::string("a + b on the host"));
        QCOMPARE(net.local.tasks[1].outputs, (std::vector<int>{a, b}));
        QCOMPARE(net.crossing(), 3);
        QVERIFY(net.run({a, b}) == apart);
    }

    /// Consumers of the first result wait only for the host; inputs of the second are already
    /// there.
    void comesAsEarlyOrAsLate() {
        GrownFallbacks early;
        const int x = early.chip("source", {});
        const int a = early.host("a", {x});
        early.chip("reads a", {a});
        early.host("b", {a});
        QCOMPARE(early.shared(), (Names{"source", "a + b on the host", "reads a"}));
        GrownFallbacks late;
        const int y = late.chip("source", {});
        const int c = late.host("a", {y});
        const int other = late.chip("other", {y});
        late.host("b", {c, other});
        QCOMPARE(late.shared(), (Names{"source", "other", "a + b on the host"}));
    }

    void goesApartWhereAPathLeadsOut() {
        GrownFallbacks net;
        const int x = net.chip("source", {});
        const int a = net.host("a", {x});
        const int between = net.chip("between", {a});
        net.host("b", {a, between});
        QCOMPARE(net.shared(), (Names{"source", "a", "between", "b"}));
    }

    /// Nor does one wait for what only the other needs.
    void delaysNobodyByWhatItDoesNotNeed() {
        GrownFallbacks net;
        const int x = net.chip("source", {});
        const int a = net.host("a", {x});
        net.chip("reads a", {a});
        net.host("b", {a, net.chip("long", {x})});
        QVERIFY(net.shared() == (Names{"source", "a", "reads a", "long", "b"}));
    }

    /// But a reorder of another operand comes before.
    void laysAnewBefore() {
        GrownFallbacks net;
        const int x = net.chip("source", {});
        const int a = net.host("a", {x});
        net.chip("reads a", {a});
        const int plain = net.add("reorder", {x}, false, StepKind::copy);
        net.host("b", {a, plain});
        QCOMPARE(net.shared(), (Names{"source", "reorder", "a + b on the host", "reads a"}));
    }

    /// One that reads a slot before it is written may not come after.
    void keepsReadersOfASlotBeforeItsWriter() {
        GrownFallbacks net;
        const int home = net.chip("home", {});
        const int x = net.chip("source", {});
        const int a = net.host("a", {home, x});
        const int next = net.chip("update", {home, x});
        net.local.slots = {home};
        net.local.slotNext = {next};
        net.host("b", {a, next});
        QCOMPARE(net.shared(), (Names{"home", "source", "a", "update", "b"}));
    }

    void joinsWhatStandsNextToEachOther() {
        GrownFallbacks net;
        const int x = net.chip("source", {});
        const int w = net.chip("other", {});
        net.host("a", {x});
        net.host("b", {w});
        QCOMPARE(net.shared(), (Names{"source", "other", "a + b on the host"}));
        GrownFallbacks apart;
        const int y = apart.chip("source", {});
        apart.host("a", {y});
        const int z = apart.chip("other", {});
        apart.host("b", {z});
        QCOMPARE(apart.shared().size(), std::size_t{4});
    }

    void leavesCollectivesInTheirPlace() {
        GrownFallbacks net;
        const int x = net.chip("source", {});
        const int a = net.host("a", {x});
        const int sum = net.add("sum", {a}, false, StepKind::collective);
        const int b = net.host("b", {x});
        net.host("c", {sum, b});
        QCOMPARE(net.shared(), (Names{"source", "a + b on the host", "sum", "c"}));
    }

    void staysInItsPartOfARound() {
        GrownFallbacks net;
        const int x = net.chip("source", {});
        const int once = net.host("once", {x});
        const int a = net.host("a", {once});
        const int drawn = net.host("drawn", {a});
        net.local.tasks.back().draws = true;
        const int b = net.host("b", {a});
        net.local.results = {drawn, b};
        shareHostFallbacks(net.local, {.begin = 2, .isInRepeatBody = true});
        QCOMPARE(net.names(), (Names{"source", "once", "a + b on the host", "drawn"}));
    }

    void writesASlotInPlace() {
        GrownFallbacks net;
        const int home = net.chip("home", {});
        const int x = net.chip("source", {});
        const int g = net.host("gradient", {x});
        net.local.tasks.back().inPlace = {{0, 0}};
        const int stepped = net.host("decay", {home});
        net.local.tasks.back().inPlace = {{0, 0}};
        const int next = net.host("update", {stepped, g});
        net.local.tasks.back().inPlace = {{1, 0}, {0, 0}}; // where the gradient lies, or there
        net.local.values[static_cast<std::size_t>(home)].slot = SlotId{0};
        net.local.slots = {home};
        net.local.slotNext = {next};
        QCOMPARE(net.shared()[2], std::string("gradient + decay + update on the host"));
        const Task& fallback = net.local.tasks[2];
        QCOMPARE(fallback.inPlace, (std::vector<InPlacePair>{{1, 0}}));
    }

    void leavesOthersAlone() {
        GrownFallbacks net;
        const int x = net.chip("source", {});
        net.chip("b", {net.chip("a", {x})});
        const std::vector<std::string> before = net.names();
        QVERIFY(net.shared() == before);
    }

    void computesTheSameWhateverIsJoined() {
        std::size_t joined = 0;
        for (unsigned seed = 1; seed <= 200; ++seed) {
            std::mt19937 random(seed);
            GrownFallbacks net;
            const auto below = [&](int end) { return static_cast<int>(random() % end); };
            std::vector<std::string> meetings;
            for (int t = 0; t < 40; ++t) {
                std::vector<int> reads;
                for (int k = below(4); t > 0 && k > 0; --k) {
                    reads.push_back(std::max(0, t - 1 - below(8)));
                }
                const bool meets = below(10) == 0;
                net.add(std::to_string(t), reads, !meets && below(2) == 0,
                        meets ? StepKind::collective : StepKind::compute);
                meets ? meetings.push_back(std::to_string(t)) : void();
            }
            for (int result = 0; result < 4; ++result) {
                net.local.results.push_back(below(40));
            }
            std::vector<int> wanted = net.local.results;
            for (const Task& task : net.local.tasks) {
                if (task.choice->onHost == nullptr) {
                    wanted.push_back(task.outputs.front());
                }
            }
            const std::vector<double> apart = net.run(wanted);
            const std::int64_t crossing = net.crossing();
            const std::size_t tasks = net.local.tasks.size();
            shareHostFallbacks(net.local);
            joined += tasks - net.local.tasks.size();
            QVERIFY2(net.run(wanted) == apart, std::to_string(seed).c_str());
            QVERIFY(net.crossing() <= crossing);
            std::erase_if(net.local.tasks,
                          [](const Task& task) { return task.kind != StepKind::collective; });
            QVERIFY(net.names() == meetings);
        }
        QVERIFY2(joined > 1000, qPrintable(QString::number(joined)));
    }
};

std::unique_ptr<QObject> makeTestShareHostFallbacks() {
    return std::make_unique<TestShareHostFallbacks>();
}
#include "tst_share_host_fallbacks.moc"
