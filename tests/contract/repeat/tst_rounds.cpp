// SPDX-License-Identifier: Apache-2.0
// A repeat as one step: bit for bit what its rounds compute as steps of their own, forward and
// backward; the same memory however many they are; priced, printed and timed as so many rounds.
#include "backends/backends.h"
#include "backends/null/null_device.h"
#include "contract/repeat/repeat_network.h"
#include "device/repeat_body.h"
#include "place/unroll.h"
#include "run/checkpoint/checkpoint.h"
#include "run/checkpoint/selection.h"
#include "run/execute/worker_pool.h"
#include "schedule/predict/simulate.h"
#include "schedule/schedule.h"
#include "support/fed_pool.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>
#include <numeric>

using namespace weft;
using namespace weft::test;

namespace {

/// A program for a device of that backend, and all that it points to.
struct Made {
    Made(Sort sort, std::int64_t count, const std::string& backend,
         UnrollScope laying = UnrollScope::needed)
        : Made(sort, count, backend, laying, nullptr) {}

    Made(Sort sort, std::int64_t count, const std::string& backend, UnrollScope laying,
         const Backend* other)
        : network(sort, 4, 16, count) {
        backends::fill(backends);
        network.train();
        PlacementRequest request{.devices = {backend + ":0"}};
        const auto plan = unrolled(
            std::make_shared<const Plan>(place(network.graph, network.ops, request).plan), laying);
        const Backend& chosen = other == nullptr ? *backends.find(backend) : *other;
        DeviceSheet sheet;
        sheet.name = backend + ":0";
        sheet.overhead = {1000};
        wanted.fallback = &backends.find("reference")->kernels;
        program = schedule(plan, DeviceId{0}, chosen, sheet, wanted);
        verify(program);
    }

    [[nodiscard]] std::vector<const Step*> repeats() const {
        std::vector<const Step*> list;
        for (const Step& step : program.steps) {
            if (step.count > 1 || step.rounds) {
                list.push_back(&step);
            }
        }
        return list;
    }

    BackendList backends;
    RepeatNetwork network;
    ScheduleRequest wanted{.order = "sequential"};
    Program program;
};

Trained trained(Sort sort, std::int64_t count, std::int64_t features, const std::string& backend,
                bool laysRounds) {
    RepeatNetwork network(sort, 4, features, count);
    network.train();
    Spreading spreading{.devices = 1};
    spreading.backend = backend;
    spreading.laysRounds = laysRounds;
    return train(std::make_shared<const Graph>(network.graph), network.ops, spreading, 3, 4);
}

std::size_t reordersIn(const Step& step) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < step.rounds->steps.size(); ++k) {
        count += step.rounds->steps[k].op == "weft.reorder" &&
                         step.rounds->kernels.kernels[k].runs() == step.count
                     ? 1
                     : 0;
    }
    return count;
}

/// h = tanh(h W^T), all rounds in one kernel, where the body is no other.
ChoiceOrRefusal chooseTwoOps(const KernelRequest& request) {
    const RepeatBody& body = *request.repeat;
    if (body.members.size() != 2 || body.members[0].op != "linear" ||
        body.members[1].op != "tanh" || body.results.size() != 1) {
        return tl::make_unexpected(Refusal{"whole", "knows one body alone"});
    }
    const auto rows = static_cast<std::size_t>(body.values[0].shape[0]);
    const auto n = static_cast<std::size_t>(body.values[0].shape[1]);
    const std::int64_t count = body.form.count;
    KernelChoice choice{.implementation = "whole"};
    choice.make = [=] {
        return makeKernel([=](const KernelArguments& arguments) {
            std::vector<float> h(rows * n);
            std::copy_n(static_cast<const float*>(arguments.inputs[0]), h.size(), h.begin());
            const auto* const w = static_cast<const float*>(arguments.inputs[1]);
            for (std::int64_t round = 0; round < count; ++round) {
                std::vector<float> next(h.size());
                for (std::size_t k = 0; k < h.size(); ++k) {
                    next[k] = std::tanh(std::inner_product(
                        w + k % n * n, w + (k % n + 1) * n,
                        h.begin() + static_cast<std::ptrdiff_t>(k / n * n), 0.0F));
                }
                h = next;
            }
            std::ranges::copy(h, static_cast<float*>(arguments.outputs[0]));
        });
    };
    return choice;
}

} // namespace

class TestRounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalTheirOwnSteps_data() {
        QTest::addColumn<int>("sort");
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("backend");
        for (const Sort sort : allSorts) {
            for (const int count : {1, 2, 7}) {
                for (const char* backend : {"reference", "cpu"}) {
                    QTest::addRow("%s, %d, %s", nameOf(sort).c_str(), count, backend)
                        << static_cast<int>(sort) << count << backend;
                }
            }
        }
    }
    void equalTheirOwnSteps() {
        QFETCH(int, sort);
        QFETCH(int, count);
        QFETCH(QString, backend);
        // 4 x 5 numbers do not end where a buffer may begin, 4 x 16 do.
        for (const std::int64_t features : {5, 16}) {
            const auto in = [&](bool laysRounds) {
                return trained(static_cast<Sort>(sort), count, features, backend.toStdString(),
                               laysRounds);
            };
            const Trained one = in(false);
            const Trained laid = in(true);
            QVERIFY(one.refusals.empty() && one.losses.size() == 3);
            QVERIFY(std::isfinite(one.losses.back()));
            QVERIFY(one.losses == laid.losses);
            QVERIFY(one.slotsAfter == laid.slotsAfter);
            QCOMPARE(one.allocations, std::int64_t{0});
            QVERIFY(count == 1 || one.steps.size() < laid.steps.size());
        }
    }

    void takesTheSameStepsAndScratchHoweverMany() {
        for (const Sort sort : oneStepSorts) {
            const Made few(sort, 2, "cpu");
            const Made many(sort, 400, "cpu");
            QCOMPARE(many.program.steps.size(), few.program.steps.size());
            QCOMPARE(many.repeats().size(), std::size_t{2});
            for (std::size_t k = 0; k < 2; ++k) {
                QCOMPARE(many.repeats()[k]->count, std::int64_t{400});
                QCOMPARE(many.repeats()[k]->scratch.size.count,
                         few.repeats()[k]->scratch.size.count);
            }
        }
    }

    void costsItsRounds() {
        const auto priceOf = [](const Made& made) {
            Nanoseconds sum;
            for (const Step* step : made.repeats()) {
                sum += step->predicted;
            }
            return sum.count;
        };
        // Sums begin with a copy: each round after the second costs what the third does.
        const std::int64_t two = priceOf(Made(Sort::twoOps, 2, "cpu"));
        const std::int64_t third = priceOf(Made(Sort::twoOps, 3, "cpu")) - two;
        QVERIFY(third > 0 && third < two);
        QCOMPARE(priceOf(Made(Sort::twoOps, 200, "cpu")), two + 198 * third);
    }

    void computesOnceWhatStaysTheSame() {
        const Made made(Sort::everything, 7, "cpu");
        const Step& forward = *made.repeats().front();
        std::size_t once = 0;
        for (std::size_t k = 0; k < forward.rounds->steps.size(); ++k) {
            const BodyStep& step = forward.rounds->steps[k];
            const bool isOnce = forward.rounds->kernels.kernels[k].runs() == 1;
            once += isOnce && step.op == "scale" ? 1 : 0;
        }
        QCOMPARE(once, std::size_t{1}); // 0.9 W, and not 0.9 s
    }

    void carriesMapsAsTheirKernelsMakeThem() {
        BackendList backends;
        backends::fill(backends);
        if (backends.find("cpu")->kernels.of("conv2d").empty()) {
            QSKIP("without oneDNN no kernel wants maps otherwise");
        }
        const Made made(Sort::coding, 7, "cpu");
        QCOMPARE(reordersIn(*made.repeats().front()), std::size_t{2}); // for the collected value
    }

    void saysHowManyRounds() {
        const Made made(Sort::nested, 7, "cpu");
        const std::string text = print(made.program);
        QVERIFY2(text.find("7 iterations, ") != std::string::npos, text.c_str());
        QVERIFY2(text.find("operand 1") != std::string::npos, text.c_str());
        const std::string kernels = printKernels(made.program);
        QVERIFY2(kernels.find("it: repeat") != std::string::npos, kernels.c_str());
        QVERIFY2(kernels.find("\n      linear") != std::string::npos, kernels.c_str());
        const auto sites = spanSitesOf(made.program);
        QVERIFY(std::ranges::count(sites, 7, &SpanSite::rounds) == 2);
    }

    void takesThePredictedTimeOnANullDevice_data() {
        QTest::addColumn<int>("sort");
        for (const Sort sort : oneStepSorts) {
            QTest::addRow("%s", nameOf(sort).c_str()) << static_cast<int>(sort);
        }
    }
    void takesThePredictedTimeOnANullDevice() {
        QFETCH(int, sort);
        const Made made(static_cast<Sort>(sort), 7, "null");
        QVERIFY(made.repeats().front()->rounds != nullptr);
        // Where the rounds are one step, their memory is known as on a device that computes.
        QCOMPARE(
            made.repeats().front()->scratch.size.count,
            Made(static_cast<Sort>(sort), 7, "reference").repeats().front()->scratch.size.count);
        std::vector<LocalDevice> devices;
        devices.push_back(
            {DeviceId{0}, "null:0", made.backends.find("null"), null::makeDevice({}), 1});
        WorkerPool pool(std::move(devices), nullptr, true);
        pool.prepare([&](const LocalDevice&) { return std::vector<Program>{made.program}; });
        pool.run(0);
        const Program* const program = &made.program;
        const Timeline predicted = simulate({&program, 1}, allDistinct(1));
        const auto& timings = pool.program(0, 0).timings();
        QCOMPARE(timings.size(), predicted.spans.size());
        for (std::size_t k = 0; k < timings.size(); ++k) {
            QCOMPARE(timings[k].end - timings[k].begin, predicted.spans[k].duration.count);
        }
        QCOMPARE(timings.back().end, predicted.length().count);
    }

    void asksForOneKernelFirst() {
        BackendList backends;
        backends::fill(backends);
        Backend whole = *backends.find("reference");
        whole.kernels.add({"repeat", "whole", chooseTwoOps});
        const Made served(Sort::twoOps, 7, "reference", UnrollScope::needed, &whole);
        const Step& forward = *served.repeats().front();
        QVERIFY(forward.implementation != "whole"); // it also collects for the backward repeat
        RepeatNetwork network(Sort::twoOps, 4, 16, 7);
        PlacementRequest request{.devices = {"reference:0"}};
        const auto plan =
            std::make_shared<const Plan>(place(network.graph, network.ops, request).plan);
        ScheduleRequest wanted{.order = "sequential"};
        wanted.fallback = &backends.find("reference")->kernels;
        const auto lossIn = [&](const Backend& backend, std::string& implementation) {
            Program program = schedule(plan, DeviceId{0}, backend, {}, wanted);
            for (const Step& step : program.steps) {
                implementation = step.count > 1 ? step.implementation : implementation;
            }
            std::vector<LocalDevice> devices = openDevices(backends, 1);
            WorkerPool pool(std::move(devices), nullptr, true);
            pool.prepare([&](const LocalDevice&) { return std::vector<Program>{program}; });
            initialiseSlots(pool, 5);
            feed(pool, 0, network.graph, 0, [](const std::string&) { return 2; });
            pool.run(0);
            return lossOf(pool, 0, network.graph);
        };
        std::string one;
        std::string general;
        const double loss = lossIn(whole, one);
        QCOMPARE(one, std::string("whole"));
        QVERIFY(std::abs(loss - lossIn(*backends.find("reference"), general)) < 1e-4);
        QCOMPARE(general, std::string("7 iterations of 2 kernels"));
        const std::string refusals = printKernels(served.program);
        QVERIFY2(refusals.find("it: repeat: whole refused: knows one body alone") !=
                     std::string::npos,
                 refusals.c_str());
    }

    void hasTheKernelsOfItsRoundsAgain() {
        const Made made(Sort::everything, 7, "cpu");
        std::vector<LocalDevice> devices;
        const Backend& cpu = *made.backends.find("cpu");
        devices.push_back({DeviceId{0}, "cpu:0", &cpu, cpu.open("cpu:0", 1), 1});
        WorkerPool pool(std::move(devices), nullptr, true);
        pool.prepare([&](const LocalDevice&) { return std::vector<Program>{made.program}; });
        const ProgramSet programSet{
            .members = {{.request = {}, .plan = made.program.plan, .values = {}}}};
        std::string text = selectionText(programSet, pool);
        const auto at = text.find("\"linear\"");
        QVERIFY2(at != std::string::npos, text.c_str());
        const auto from = text.find('"', at + 8) + 1;
        QVERIFY(text.compare(from, 9, "reference") != 0);
        text.replace(from, text.find('"', from) - from, "reference");
        const RecordedSelection kept(text);
        ScheduleRequest wanted = made.wanted;
        wanted.kept = kept.choicesFor("cpu:0", made.program.member, *made.program.plan);
        QVERIFY(wanted.kept != nullptr);
        const Program again = schedule(made.program.plan, DeviceId{0}, cpu, {}, wanted);
        std::vector<std::string> kernels;
        for (const Step& step : again.steps) {
            for (std::size_t k = 0; step.rounds && k < step.rounds->steps.size(); ++k) {
                if (step.rounds->steps[k].name == "linear") {
                    kernels.push_back(step.rounds->steps[k].implementation);
                }
            }
        }
        QVERIFY(!kernels.empty());
        QCOMPARE(kernels.front(), std::string("reference"));
        QCOMPARE(again.steps.size(), made.program.steps.size());
    }

    void ordersAndStreamsChangeNoBit() {
        RepeatNetwork network(Sort::everything, 4, 16, 7);
        network.train();
        const auto graph = std::make_shared<const Graph>(network.graph);
        const auto in = [&](const std::string& order, int streams) {
            Spreading spreading{.devices = 1, .order = order, .streams = streams, .backend = "cpu"};
            spreading.cores = streams;
            return train(graph, network.ops, spreading, 3, 4);
        };
        const Trained one = in("sequential", 1);
        for (const auto& [order, streams] : {std::pair("depth", 2), std::pair("dataflow", 3)}) {
            const Trained other = in(order, streams);
            QVERIFY(other.losses == one.losses && other.slotsAfter == one.slotsAfter);
        }
    }

    void laysOutOnlyWhatCommunicates() {
        const auto repeatsIn = [](AxisWord word, Sort sort) {
            RepeatNetwork network(sort, 4, 6);
            PlacementRequest request{.devices = {"cpu:0", "cpu:1"}};
            request.layers[Origin{LayerId{1}, 0}] = {.devices = {}, .mesh = {}, .words = {word}};
            const auto plan = unrolled(
                std::make_shared<const Plan>(place(network.graph, network.ops, request).plan));
            return std::ranges::count_if(plan->nodes,
                                         [](const PlanNode& node) { return node.body != nullptr; });
        };
        QCOMPARE(repeatsIn(AxisWord::data, Sort::twoOps), 1);
        QCOMPARE(repeatsIn(AxisWord::data, Sort::nested), 1);
        QCOMPARE(repeatsIn(AxisWord::modelAdd, Sort::twoOps), 0);
        // Each of the three rounds has a repeat with a body of one step.
        QCOMPARE(repeatsIn(AxisWord::data, Sort::nestedDropping), 3);
    }
};

std::unique_ptr<QObject> makeTestRounds() { return std::make_unique<TestRounds>(); }
#include "tst_rounds.moc"
