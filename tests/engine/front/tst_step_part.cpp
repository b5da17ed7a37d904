// SPDX-License-Identifier: Apache-2.0
#include "base/text/json.h"
#include "support/places.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/explain.h>
#include <weft/preview.h>

#include <nlohmann/json.hpp>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

using namespace weft;

namespace {

Design digits(const std::string& sheet, int devices) {
    Design design =
        loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft", catalogue())
            .design;
    design.devices.clear();
    for (int k = 0; k < devices; ++k) {
        const char* backend = sheet.starts_with("cpu") ? "cpu:" : "cuda:";
        design.devices.push_back({.name = backend + std::to_string(k), .sheet = sheet});
    }
    design.assignment.words = {AxisWord::data};
    return design;
}

/// Neurons that compete, 50 rounds of them, on two devices.
Design dictionary(AxisWord word) {
    Design design =
        loadDesign(test::sourceFolder() / "projects/lca-dictionary/design.weft", catalogue())
            .design;
    design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
    design.assignment.words = {word};
    return design;
}

Preview priced(const Design& design, PreviewRequest request = {}) {
    PreviewCache cache;
    if (request.machine.devices.empty()) {
        request.machine = thisMachine();
    }
    request.until = PreviewPart::run;
    return *preview(design, cache, request);
}

} // namespace

class TestStepPart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsMakeTheWhole() {
        Design oneStream = digits("t4", 2); // in which nothing runs beside anything
        oneStream.training.streams = 1;
        const Preview made = priced(oneStream);
        verify(*made.step->timeline);
        QCOMPARE(made.step->time.count, made.step->timeline->length().count);
        QCOMPARE(made.devices.size(), std::size_t{2});
        QVERIFY(!made.collectives.empty());
        for (const DevicePreview& device : made.devices) {
            const StepTotals& totals = device.step->totals;
            QVERIFY(!device.isPresent);
            QCOMPARE(totals.length.count, made.step->time.count);
            const Nanoseconds sum =
                totals.compute + totals.communicate + totals.waiting + totals.idle;
            QCOMPARE(sum.count, (made.step->time + totals.overlapped).count);
        }
        Nanoseconds compute;
        for (const LayerPreview& layer : made.layers) {
            compute += layer.step->compute();
        }
        QVERIFY(compute.count > 0);
        QVERIFY(compute <= made.devices[0].step->totals.compute);
        for (const CollectivePreview& one : made.collectives) {
            QVERIFY2(one.step->hidden <= one.step->time, one.name.c_str());
            QVERIFY2(one.step->time.count > 0, one.name.c_str());
        }
    }

    void isTheMeanOverAPeriod() {
        Design design = digits("t4", 2);
        const Preview every = priced(design);
        QCOMPARE(every.step->period, std::int64_t{1});
        QCOMPARE(every.step->shown, std::string("train"));
        const auto gradients = [](const Preview& preview) {
            Bytes sum;
            for (const CollectivePreview& one : preview.collectives) {
                sum += one.name == "results" ? Bytes{} : one.sentPerDevice;
            }
            return sum;
        };
        design.assignment.words = {AxisWord::batch};
        design.training.syncEvery = 4;
        for (const bool isLate : {false, true}) {
            design.training.sync = isLate ? "one period late" : "at once";
            const Preview mean = priced(design);
            QCOMPARE(mean.step->period, std::int64_t{4});
            QVERIFY(std::abs(4 * gradients(mean).count - gradients(every).count) <= 8);
            QVERIFY(mean.step->time < mean.step->timeline->length());
            QVERIFY(std::ranges::find(mean.run->members, mean.step->shown) !=
                    mean.run->members.end());
            QVERIFY(std::ranges::any_of(mean.collectives, [](const CollectivePreview& one) {
                return one.name.starts_with("sync ") && one.step && one.step->time.count > 0;
            }));
            for (const DevicePreview& device : mean.devices) {
                const StepTotals& totals = device.step->totals;
                const Nanoseconds parts =
                    totals.compute + totals.communicate + totals.waiting + totals.idle;
                QVERIFY(std::abs((mean.step->time + totals.overlapped - parts).count) <= 8);
            }
            QVERIFY(print(mean).find("means over a period of 4") != std::string::npos);
        }
        design.training.updatePeriod = 3;
        const Preview idle = priced(design);
        QCOMPARE(idle.step->period, std::int64_t{12});
        // Two of three steps only go forward.
        QVERIFY(idle.layers[2].step->backward.count * 2 < every.layers[2].step->backward.count);
    }

    /// Devices exchange something in every round: all of it is counted and timed.
    void whatRoundsSendIsPricedTimesTheRounds() {
        const Preview made = priced(dictionary(AxisWord::modelStack));
        std::int64_t sent = 0;
        Nanoseconds time;
        std::set<std::int64_t> rounds;
        for (const CollectivePreview& one : made.collectives) {
            QVERIFY2(one.step && one.step->time.count > 0, one.name.c_str());
            QVERIFY2(one.step->hidden <= one.step->time, one.name.c_str());
            QCOMPARE(one.sentPerDevice.count % one.rounds, 0);
            sent += one.sentPerDevice.count;
            time += one.step->time;
            rounds.insert(one.rounds);
        }
        QVERIFY((rounds == std::set<std::int64_t>{1, 50}));
        // As the programs have it, in which each round is laid out.
        const Timeline& timeline = *made.step->timeline;
        std::int64_t laidOut = 0;
        for (const TimelineSpan& span : timeline.spans) {
            const SpanSite& site = timeline.siteOf(span);
            laidOut += site.kind == SpanKind::communicate && span.device == DeviceId{0}
                           ? site.bytes.count
                           : 0;
        }
        QCOMPARE(sent, laidOut);
        QCOMPARE(time.count, made.devices[0].step->totals.communicate.count);
        const Preview apart = priced(dictionary(AxisWord::batch));
        QVERIFY(apart.sent.count * 50 < made.sent.count);
        QVERIFY(print(made).find("conv2d.x, 50 iterations") != std::string::npos);
    }

    void saysHowALayerLearns() {
        Design design = dictionary(AxisWord::batch);
        const auto syncOf = [](const Design& of, const char* layer = "code") {
            const Preview made = priced(of);
            return std::ranges::find(made.layers, layer, &LayerPreview::name)->sync;
        };
        constexpr std::int64_t atoms = 64;
        constexpr std::int64_t whole = atoms * 8 * 8 * 4;
        const auto each = syncOf(design);
        QVERIFY(each);
        QCOMPARE(each->name, std::string("code.weight sync"));
        QCOMPARE(each->sentPerDevice.count, whole + atoms * 4);
        QCOMPARE(each->applies, std::string("hebb"));
        QCOMPARE(each->renormalises, std::string("unit_length"));
        QVERIFY(each->isCounted && !each->isLate);
        QCOMPARE(each->updates, std::int64_t{1});
        QCOMPARE(each->steps, std::int64_t{1});
        design.training.syncEvery = 3;
        design.training.updatePeriod = 2;
        for (const char* when : {"at once", "one period late"}) {
            design.training.sync = when;
            const auto seldom = syncOf(design);
            const bool isLate = std::string(when) != "at once";
            QCOMPARE(seldom->name, std::string("code.weight sync"));
            QCOMPARE(seldom->kind, std::string("all-reduce"));
            QCOMPARE(seldom->sentPerDevice.count, whole + atoms * 4);
            QCOMPARE(seldom->updates, std::int64_t{3});
            QCOMPARE(seldom->steps, std::int64_t{6});
            QCOMPARE(seldom->period, std::int64_t{6});
            QCOMPARE(seldom->isLate, isLate);
            QVERIFY(seldom->step && seldom->step->time.count > 0);
        }
        design.devices.clear();
        const auto alone = syncOf(design);
        QVERIFY(alone->name.empty());
        QCOMPARE(alone->sentPerDevice.count, std::int64_t{0});
        // Gradients that are applied in the step that makes them are no more than that.
        Design plain = digits("t4", 2);
        QVERIFY(!syncOf(plain, "fc1"));
        plain.training.syncEvery = 4;
        const auto data = syncOf(plain, "fc1");
        QCOMPARE(data->steps, std::int64_t{1}); // by data each update travels
        QCOMPARE(data->period, std::int64_t{4});
        QCOMPARE(data->applies, std::string("sgd_momentum"));
        QVERIFY(!data->isCounted && data->renormalises.empty());
        plain.assignment.words = {AxisWord::batch};
        const auto batch = syncOf(plain, "fc1");
        QCOMPARE(batch->steps, std::int64_t{4});
        QCOMPARE(batch->sentPerDevice.count, data->sentPerDevice.count);
        QVERIFY(batch->name.starts_with("sync "));
    }

    /// In the timeline each of its spans is of the layer, as a trace names it.
    void spansOfASyncAreOfTheirLayer() {
        for (const std::int64_t every : {1, 2}) {
            Design design = dictionary(AxisWord::batch);
            design.training.syncEvery = every;
            const Preview made = priced(design);
            std::string ops;
            for (const TimelineSpan& span : made.step->timeline->spans) {
                const SpanSite& site = made.step->timeline->siteOf(span);
                if (site.layer == "code") {
                    ops += site.op + "\n";
                }
            }
            for (const char* op : {"code.weight sync (all-reduce)", "hebb", "unit_length"}) {
                QVERIFY2(ops.find(std::string(op) + "\n") != std::string::npos, ops.c_str());
            }
        }
    }

    /// Nothing else is sent for it, and what each step tells of itself is a few numbers, however
    /// many rounds there are.
    void sendsASumWithItsCount() {
        for (const auto& [count, numbers] : {std::pair{"activations", 64},
                                             {"per_weight", 64 * 64},
                                             {"elements", 1},
                                             {"positions", 1}}) {
            for (const bool isLate : {false, true}) {
                Design design = dictionary(AxisWord::batch);
                Attributes& layer = design.network.layers.back().attributes;
                layer.set("count", std::string(count));
                layer.set("iterations", std::int64_t{400});
                layer.set("step_rule", std::string("knee"));
                design.training.syncEvery = 10;
                design.training.sync = isLate ? "one period late" : "at once";
                const Preview made = priced(design);
                const auto& sync = made.layers.back().sync;
                QCOMPARE(sync->sentPerDevice.count, std::int64_t{4} * (64 * 64 + numbers));
                const std::int64_t each =
                    made.devices[0].sent.count - sync->sentPerDevice.count / 10;
                QVERIFY2(each > 0 && each <= 32, count);
            }
        }
    }

    void planTellsOfTheSyncBlock() {
        Design design = dictionary(AxisWord::batch);
        design.training.syncEvery = 3;
        design.training.updatePeriod = 2;
        design.training.sync = "one period late";
        PlanRequest request;
        const std::string text = describePlan(design, request);
        QVERIFY2(text.find("dW over elements -> all-reduce 16.6 kB per device -> divided by its "
                           "count -> applied by hebb -> renormalised by unit_length; once in 3 "
                           "updates, 6 steps, one period late\n") != std::string::npos,
                 text.c_str());
        request.form = TextForm::json;
        const Json layers = parseJson(describePlan(design, request), "plan").at("layers");
        QVERIFY(!layers.at(0).contains("sync"));
        const Json& sync = layers.at(1).at("sync");
        QCOMPARE(sync.at("collective").get<std::string>(), std::string("code.weight sync"));
        QCOMPARE(sync.at("bytes_per_device").get<int>(), 16640);
        QCOMPARE(sync.at("period_steps").get<int>(), 6);
        QCOMPARE(sync.at("divided_by").get<std::string>(), std::string("count"));
        QVERIFY(sync.at("late").get<bool>());
        request.form = TextForm::dot;
        const std::string dot = describePlan(design, request);
        QVERIFY2(dot.find("\"code\" -> \"code sync\" [") != std::string::npos, dot.c_str());
        QVERIFY2(dot.find("label=\"sync\\nall-reduce 16.6 kB") != std::string::npos, dot.c_str());
    }

    void saysWhichWordsOfTheSyncBlockComeToNothing() {
        Design design = digits("t4", 2);
        const auto warns = [](const Design& of) {
            const std::vector<Diagnostic> problems = priced(of).problems;
            return std::ranges::count(problems, "W072", &Diagnostic::code);
        };
        QCOMPARE(warns(design), 0);
        design.training.sync = "one period late";
        QCOMPARE(warns(design), 1); // by data nothing travels beside other work
        design.assignment.words = {AxisWord::batch};
        QCOMPARE(warns(design), 0);
        design.training.sync = "at once";
        QCOMPARE(warns(design), 1); // batch is data
        design.training.syncEvery = 2;
        QCOMPARE(warns(design), 0);
        design.training.steps = 5;
        design.training.firstUpdate = 6;
        QCOMPARE(warns(design), 1); // nothing is ever applied
        design.training.firstUpdate = 1;
        design.training.schedule = "cosine";
        QCOMPARE(warns(design), 0);
        design.training.steps = 0;
        design.training.epochs = 0;
        design.training.seconds = 9;
        QCOMPARE(warns(design), 1); // it has no end to fall to
    }

    void namesWhatMakesThePeak() {
        const DevicePreview device = priced(digits("t4", 1)).devices.front();
        const DeviceStep& step = *device.step;
        QVERIFY(!step.peak.empty());
        QVERIFY(!step.peakAt.empty());
        Bytes sum;
        for (const PeakPart& part : step.peak) {
            sum += part.bytes;
        }
        QVERIFY(sum.count > 0);
        QVERIFY(sum <= step.work);
        QVERIFY(step.kept.count >= 4 * (8 * 25 + 8 + 16 * 8 * 25 + 16 + 128 * 256 + 128 + 1290));
        QCOMPARE(device.available.count, std::int64_t{16'000'000'000});
    }

    void theMapIsOfTheSameMemory() {
        const Preview made = priced(digits("t4", 2));
        for (const DevicePreview& device : made.devices) {
            const MemoryMap& map = *device.step->memory;
            QCOMPARE(map.size.count, device.step->holds().count);
            QCOMPARE(map.available.count, device.available.count);
            QVERIFY(map.overflow() == nullptr);
            QCOMPARE(map.steps[map.peakStep].name, device.step->peakAt);
            Bytes sum;
            for (const PeakPart& part : device.step->peak) {
                sum += part.bytes;
            }
            const auto held = map.heldAt(map.peakStep);
            // Persistent memory is in the map, but not among the peak's parts.
            QCOMPARE((map.peak - sum).count,
                     (held[std::size_t(BlockKind::weights)] + held[std::size_t(BlockKind::state)])
                         .count);
            for (const MemoryStep& step : map.steps) {
                QVERIFY(step.begin <= step.end && step.end <= made.step->time);
            }
        }
    }

    void theBandHoldsThePredictionAndFollowsTheSpread() {
        Design design = digits("", 2);
        design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
        QVERIFY(!priced(design).step->band.isKnown());
        const auto bandOf = [&](TimeDeviation spread) {
            MachineSheet machine = thisMachine();
            DeviceSheet& here = *std::ranges::find(machine.devices, "cpu", &DeviceSheet::backend);
            here.streamSpread = here.overheadSpread = spread;
            here.opSpread = {{"linear", spread}};
            machine.withinProcess.latencySpread = machine.withinProcess.bytesSpread = spread;
            return priced(design, {.machine = machine});
        };
        const Preview narrow = bandOf({0.9, 1.2});
        const Preview wide = bandOf({0.5, 2});
        for (const Preview* made : {&narrow, &wide}) {
            QVERIFY(made->step->band.isKnown());
            QVERIFY(made->step->band.has(made->step->time));
            for (const LayerPreview& layer : made->layers) {
                QVERIFY2(layer.step->computeBand.has(layer.step->compute()), layer.name.c_str());
            }
        }
        QCOMPARE(narrow.step->time.count, wide.step->time.count);
        QVERIFY(wide.step->band.low < narrow.step->band.low);
        QVERIFY(wide.step->band.high > narrow.step->band.high);
        // All rates half as fast: all takes twice as long, but for what is rounded.
        const auto twice = static_cast<double>(wide.step->band.high.count) /
                           static_cast<double>(wide.step->time.count);
        QVERIFY(std::abs(twice - 2) < 0.01);
        const Json read = parseJson(jsonOf(wide), "estimate");
        QCOMPARE(read.at("step_high_ns").get<std::int64_t>(), wide.step->band.high.count);
        QVERIFY(print(wide).find("given the spread of the rates") != std::string::npos);
    }

    void devicesThatTakeTurnsAreNeitherFasterNorSlowerForIt() {
        MachineSheet machine = thisMachine();
        std::ranges::find(machine.devices, "cpu", &DeviceSheet::backend)->cores = 2;
        const auto computedOn = [&](int devices) {
            Design design = digits("", devices);
            for (int k = 0; k < devices; ++k) {
                design.devices[static_cast<std::size_t>(k)] = {.name = "cpu:" + std::to_string(k)};
            }
            const DevicePreview first = priced(design, {.machine = machine}).devices.front();
            return static_cast<double>(first.step->totals.compute.count);
        };
        // Four devices have half a core each and half of the work, plus the overhead of each
        // kernel.
        const double ratio = computedOn(4) / computedOn(2);
        QVERIFY2(ratio > 0.9 && ratio < 1.5, std::to_string(ratio).c_str());
    }

    void whatNoKernelsAreForIsNotGroupedAndThatIsSaid() {
        Design design = digits("t4", 1);
        design.devices = {{.name = "hip:0", .sheet = "t4"}};
        const Preview foreign = priced(design);
        QVERIFY(print(foreign).find("so that no ops are fused") != std::string::npos);
        // One that is not here either, of a backend that this build has.
        design.devices = {{.name = "cpu:7", .sheet = "cpu64"}};
        const Preview known = priced(design);
        QVERIFY(!known.devices.front().isPresent);
        QVERIFY(print(known).find("so that no ops are fused") == std::string::npos);
        QVERIFY(known.step->timeline->sites.size() < foreign.step->timeline->sites.size());
    }

    void anAbsentDeviceIsPricedByItsSheet() {
        QVERIFY(priced(digits("h200", 1)).step->time < priced(digits("cpu4", 1)).step->time);
    }

    void morePlacesMakeLinksDearer() {
        const MachineSheet usual{.host = "a machine", .devices = {DeviceSheet{}}};
        const auto stepOf = [&](const char* sheet, int ranks, int hosts) {
            return priced(digits(sheet, 4), {.machine = usual, .ranks = ranks, .hosts = hosts})
                .step->time;
        };
        QVERIFY(stepOf("cpu4", 1, 1) < stepOf("cpu4", 4, 1));
        QVERIFY(stepOf("cpu4", 4, 1) < stepOf("cpu4", 4, 2));
        // Chips meet over their own links, in however many processes.
        QCOMPARE(stepOf("t4", 4, 1).count, stepOf("t4", 1, 1).count);
        QVERIFY(stepOf("t4", 4, 1) < stepOf("t4", 4, 2));
    }

    void isReadAsJson() {
        const Preview made = priced(digits("t4", 2));
        const Json read = parseJson(jsonOf(made), "estimate");
        QCOMPARE(read.at("step_ns").get<std::int64_t>(), made.step->time.count);
        QCOMPARE(read.at("layers").size(), made.layers.size());
        QCOMPARE(read.at("devices").size(), std::size_t{2});
        QVERIFY(print(made).find("a step takes about") != std::string::npos);
    }

    void whatErrorsDoNotReachIsPriced() {
        Design design = digits("t4", 1);
        const LayerId fc2 = findLayer(design.network, std::string_view("fc2"))->id;
        std::erase_if(design.network.wires, [&](const Wire& wire) { return wire.to.layer == fc2; });
        const Preview part = priced(design);
        QVERIFY(hasErrors(part.problems) && !part.isComplete);
        QCOMPARE(part.planned, Planned::forward);
        QVERIFY(part.step && part.step->time.count > 0);
        QVERIFY(!part.run);
        for (const LayerPreview& layer : part.layers) {
            const bool isBehind =
                layer.name == "fc2" || layer.name == "loss" || layer.name == "accuracy";
            QCOMPARE(layer.step.has_value(), !isBehind);
            QCOMPARE(layer.devices.empty(), isBehind);
        }
        QVERIFY(priced(digits("t5", 1)).planned == Planned::nothing);
    }

    /// Statistics of a norm are written in each step, but are not learned.
    void statisticsAreNotLearning() {
        Design design =
            loadDesign(test::sourceFolder() / "projects/resnet18-cifar/design.weft", catalogue())
                .design;
        const LayerId head = findLayer(design.network, std::string_view("loss"))->id;
        std::erase_if(design.network.wires,
                      [&](const Wire& wire) { return wire.to.layer == head; });
        design.training.clipNorm = 1;
        const Preview part = priced(design);
        QVERIFY(hasErrors(part.problems));
        QCOMPARE(part.planned, Planned::forward);
        QCOMPARE(std::ranges::count(part.problems, "W072", &Diagnostic::code), 0);
    }
};

std::unique_ptr<QObject> makeTestStepPart() { return std::make_unique<TestStepPart>(); }
#include "tst_step_part.moc"
