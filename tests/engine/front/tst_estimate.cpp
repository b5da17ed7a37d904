// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"
#include "support/places.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/estimate.h>

#include <nlohmann/json.hpp>

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace weft;

namespace {

Design digits(const std::string& sheet, int devices) {
    Design design =
        loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft", catalogue())
            .design;
    design.devices.clear();
    for (int k = 0; k < devices; ++k) {
        design.devices.push_back({.name = "cuda:" + std::to_string(k), .sheet = sheet});
    }
    design.assignment.words = {AxisWord::data};
    return design;
}

} // namespace

class TestEstimate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsMakeTheWhole() {
        const Estimate made = estimate(digits("t4", 2));
        verify(made.timeline);
        QCOMPARE(made.step.count, made.timeline.length().count);
        QCOMPARE(made.devices.size(), std::size_t{2});
        QVERIFY(!made.wires.empty());
        for (const DeviceEstimate& device : made.devices) {
            QVERIFY(!device.isPresent);
            QCOMPARE(device.totals.length.count, made.step.count);
            const Nanoseconds sum = device.totals.compute + device.totals.communicate +
                                    device.totals.waiting + device.totals.idle;
            QCOMPARE(sum.count, (made.step + device.totals.overlapped).count);
        }
        Nanoseconds compute;
        for (const LayerEstimate& layer : made.layers) {
            compute += layer.compute();
        }
        QVERIFY(compute.count > 0);
        QVERIFY(compute <= made.devices[0].totals.compute);
        for (const WireEstimate& wire : made.wires) {
            QVERIFY2(wire.hidden <= wire.time, wire.name.c_str());
        }
    }

    void namesWhatMakesThePeak() {
        const DeviceEstimate device = estimate(digits("t4", 1)).devices.front();
        QVERIFY(!device.peak.empty());
        QVERIFY(!device.peakAt.empty());
        Bytes sum;
        for (const PeakPart& part : device.peak) {
            sum += part.bytes;
        }
        QVERIFY(sum.count > 0);
        QVERIFY(sum <= device.work);
        QVERIFY(device.kept.count >= 4 * (8 * 25 + 8 + 16 * 8 * 25 + 16 + 128 * 256 + 128 + 1290));
        QCOMPARE(device.available.count, std::int64_t{16'000'000'000});
    }

    void theMapIsOfTheSameMemory() {
        const Estimate made = estimate(digits("t4", 2));
        for (const DeviceEstimate& device : made.devices) {
            const MemoryMap& map = device.memory;
            QCOMPARE(map.size.count, (device.kept + device.work).count);
            QCOMPARE(map.available.count, device.available.count);
            QVERIFY(map.overflow() == nullptr);
            QCOMPARE(map.steps[map.peakStep].name, device.peakAt);
            Bytes sum;
            for (const PeakPart& part : device.peak) {
                sum += part.bytes;
            }
            const auto held = map.heldAt(map.peakStep);
            // What is kept is in the map, and not among the peak's parts.
            QCOMPARE((map.peak - sum).count,
                     (held[std::size_t(BlockKind::weights)] + held[std::size_t(BlockKind::state)])
                         .count);
            for (const MemoryStep& step : map.steps) {
                QVERIFY(step.begin <= step.end && step.end <= made.step);
            }
        }
    }

    void theBandHoldsThePredictionAndFollowsTheSpread() {
        Design design = digits("", 2);
        design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
        QVERIFY(!estimate(design).stepBand.isKnown());
        const auto bandOf = [&](TimeSpread spread) {
            MachineSheet machine = thisMachine();
            DeviceSheet& here = *std::ranges::find(machine.devices, "cpu", &DeviceSheet::backend);
            here.streamSpread = here.overheadSpread = spread;
            here.opSpread = {{"linear", spread}};
            machine.withinProcess.latencySpread = machine.withinProcess.bytesSpread = spread;
            return estimate(design, {.machine = machine});
        };
        const Estimate narrow = bandOf({0.9, 1.2});
        const Estimate wide = bandOf({0.5, 2});
        for (const Estimate* made : {&narrow, &wide}) {
            QVERIFY(made->stepBand.isKnown());
            QVERIFY(made->stepBand.has(made->step));
            for (const LayerEstimate& layer : made->layers) {
                QVERIFY2(layer.computeBand.has(layer.compute()), layer.name.c_str());
            }
        }
        QCOMPARE(narrow.step.count, wide.step.count);
        QVERIFY(wide.stepBand.low < narrow.stepBand.low);
        QVERIFY(wide.stepBand.high > narrow.stepBand.high);
        // All rates half as fast: all takes twice as long, but for what is rounded.
        const auto twice =
            static_cast<double>(wide.stepBand.high.count) / static_cast<double>(wide.step.count);
        QVERIFY(std::abs(twice - 2) < 0.01);
        const Json read = parseJson(jsonOf(wide), "estimate");
        QCOMPARE(read.at("step_high_ns").get<std::int64_t>(), wide.stepBand.high.count);
        QVERIFY(print(wide).find("by the spread of the rates") != std::string::npos);
    }

    void devicesThatTakeTurnsAreNeitherFasterNorSlowerForIt() {
        MachineSheet machine = thisMachine();
        std::ranges::find(machine.devices, "cpu", &DeviceSheet::backend)->cores = 2;
        const auto computedOn = [&](int devices) {
            Design design = digits("", devices);
            for (int k = 0; k < devices; ++k) {
                design.devices[static_cast<std::size_t>(k)] = {.name = "cpu:" + std::to_string(k)};
            }
            const DeviceEstimate first = estimate(design, {.machine = machine}).devices.front();
            return static_cast<double>(first.totals.compute.count);
        };
        // Of four with half a core each and half of the work, beside what each kernel costs.
        const double ratio = computedOn(4) / computedOn(2);
        QVERIFY2(ratio > 0.9 && ratio < 1.5, std::to_string(ratio).c_str());
    }

    void whatNoKernelsAreForIsNotGroupedAndThatIsSaid() {
        Design design = digits("t4", 1);
        const Estimate foreign = estimate(design);
        QVERIFY(print(foreign).find("so nothing is grouped") != std::string::npos);
        // One that is not here either, of a backend that this build has.
        design.devices = {{.name = "cpu:7", .sheet = "cpu64"}};
        const Estimate known = estimate(design);
        QVERIFY(!known.devices.front().isPresent);
        QVERIFY(print(known).find("so nothing is grouped") == std::string::npos);
        QVERIFY(known.timeline.sites.size() < foreign.timeline.sites.size());
    }

    void anAbsentDeviceIsPricedByItsSheet() {
        QVERIFY(estimate(digits("h200", 1)).step < estimate(digits("cpu4", 1)).step);
    }

    void morePlacesMakeLinksDearer() {
        const Design design = digits("t4", 4);
        const MachineSheet usual{.host = "a machine", .devices = {DeviceSheet{}}};
        const Nanoseconds threads = estimate(design, {.machine = usual}).step;
        const Nanoseconds ranks = estimate(design, {.ranks = 4, .machine = usual}).step;
        const Nanoseconds hosts = estimate(design, {.ranks = 4, .hosts = 2, .machine = usual}).step;
        QVERIFY(threads < ranks);
        QVERIFY(ranks < hosts);
    }

    void isReadAsJson() {
        const Estimate made = estimate(digits("t4", 2));
        const Json read = parseJson(jsonOf(made), "estimate");
        QCOMPARE(read.at("step_ns").get<std::int64_t>(), made.step.count);
        QCOMPARE(read.at("layers").size(), made.layers.size());
        QCOMPARE(read.at("devices").size(), std::size_t{2});
        QVERIFY(print(made).find("a step takes about") != std::string::npos);
    }

    void errorsOfTheDesignAreSaid() {
        Design design = digits("t4", 1);
        design.network.wires.pop_back();
        design.network.wires.erase(design.network.wires.begin());
        try {
            (void)estimate(design);
            QFAIL("a broken design was estimated");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::design);
        }
        design = digits("t5", 1);
        QVERIFY_THROWS_EXCEPTION(Error, (void)estimate(design));
    }
};

std::unique_ptr<QObject> makeTestEstimate() { return std::make_unique<TestEstimate>(); }
#include "tst_estimate.moc"
