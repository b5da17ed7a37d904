// SPDX-License-Identifier: Apache-2.0
#include "device/published_links.h"
#include "device/sheet_json.h"
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weft;

namespace {

MachineSheet withAChip() {
    MachineSheet machine{.host = "here", .devices = dataSheets()};
    machine.withinHost.bytesPerSecond = 3e9;
    machine.devices.front().peer->isMeasured = true;
    machine.devices.front().bus->bytesSpread = {0.5, 2};
    machine.devices.front().library = "9.19.0";
    machine.devices.front().plans = {"NVIDIA B200", "9.19.0", {{"y", {"1", {7}, {9}, {0.5, 2}}}}};
    return machine;
}

} // namespace

class TestSheetJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMachineIsReadAsItWasWritten() {
        const MachineSheet machine = withAChip();
        QVERIFY(readMachine(asJson(machine).dump(), "a file") == machine);
    }

    /// Runs have kept sheets without links of their own, and without a rate in TF32.
    void whatWasKeptWithoutHasNone() {
        Json kept = asJson(withAChip());
        for (Json& device : kept["devices"]) {
            for (const char* key : {"bus", "peer", "threads", "tf32_flops_per_second",
                                    "bf16_flops_per_second", "library", "plans"}) {
                device.erase(key);
            }
        }
        const DeviceSheet read = readMachine(kept.dump(), "a file").devices.front();
        QCOMPARE(read.name, std::string("b200"));
        QVERIFY(!read.bus && !read.peer);
        QCOMPARE(read.threads, std::int64_t{0});
        QCOMPARE(read.tf32FlopsPerSecond, 0.0);
        QCOMPARE(read.bf16FlopsPerSecond, 0.0);
        QVERIFY(read.library.empty() && read.plans == MeasuredPlans{});
        QVERIFY(read.flopsPerSecond > 0);
    }

    void aLinkThatIsNoneIsRefused() {
        Json kept = asJson(withAChip());
        kept["devices"][0]["bus"] = {{"name", "PCIe 5"}};
        QVERIFY_THROWS_EXCEPTION(Error, (void)readMachine(kept.dump(), "a file"));
    }

    void everyGenerationIsFaster() {
        for (int generation = 2; generation <= 5; ++generation) {
            QVERIFY(pcieLink(generation).bytesPerSecond > pcieLink(generation - 1).bytesPerSecond);
            QVERIFY(nvLink(generation).bytesPerSecond > nvLink(generation - 1).bytesPerSecond);
            QVERIFY(nvLink(generation).bytesPerSecond > pcieLink(generation).bytesPerSecond);
        }
        QCOMPARE(pcieLink(3).name, std::string("PCIe 3"));
        QCOMPARE(nvLink(4).name, std::string("NVLink 4"));
    }
};

std::unique_ptr<QObject> makeTestSheetJson() { return std::make_unique<TestSheetJson>(); }
#include "tst_sheet_json.moc"
