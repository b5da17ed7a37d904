// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "device/backend.h"
#include "device/kept_rates.h"
#include <weft/error.h>

#include <QTemporaryDir>
#include <QTest>
#include <string>
#include <thread>
#include <vector>

using namespace weft;

namespace {

DeviceSheet measuredSheet() {
    DeviceSheet sheet;
    sheet.name = "cpu:0";
    sheet.backend = "cpu";
    sheet.model = "a model";
    sheet.cores = 4;
    sheet.flopsPerSecond = 4e11;
    sheet.bytesPerSecond = 2e10;
    sheet.overhead = {700};
    sheet.efficiency = {{"conv2d", 0.75}, {"gelu", 0.1}};
    return sheet;
}

DeviceSheet unmeasured(std::int64_t cores) {
    DeviceSheet sheet;
    sheet.name = "cpu:1";
    sheet.backend = "cpu";
    sheet.model = "a model";
    sheet.cores = cores;
    return sheet;
}

} // namespace

class TestKeptRates : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    [[nodiscard]] std::filesystem::path path(const char* name) const {
        return std::filesystem::path(folder_.path().toStdString()) / "deeper" / name;
    }

private Q_SLOTS:
    void givesBackWhatWasKept() {
        const auto file = path("kept.json");
        keepRates(measuredSheet(), file);
        const DeviceSheet found = withKeptRates(unmeasured(4), file);
        QCOMPARE(found.name, std::string("cpu:1"));
        QCOMPARE(found.flopsPerSecond, 4e11);
        QCOMPARE(found.bytesPerSecond, 2e10);
        QCOMPARE(found.overhead.count, std::int64_t{700});
        QCOMPARE(found.efficiency, measuredSheet().efficiency);
    }

    void givesBackHowFarMeasurementsLayApart() {
        const auto file = path("spread.json");
        DeviceSheet sheet = measuredSheet();
        sheet.measuredAt = 1'700'000'000;
        sheet.streamSpread = {0.9, 1.25};
        sheet.overheadSpread = {0.75, 2};
        sheet.opSpread = {{"linear", {0.5, 1.5}}};
        keepRates(sheet, file);
        const DeviceSheet found = withKeptRates(unmeasured(4), file);
        QCOMPARE(found.measuredAt, sheet.measuredAt);
        QCOMPARE(found.streamSpread, sheet.streamSpread);
        QCOMPARE(found.overheadSpread, sheet.overheadSpread);
        QCOMPARE(found.opSpread, sheet.opSpread);
        LinkSheet link{"threads", {700}, 3e9, true};
        link.bytesSpread = {0.5, 1.5};
        keepLink(link, "here", file);
        MachineSheet machine;
        machine.host = "here";
        QCOMPARE(withKeptLinks(machine, file).withinProcess, link);
    }

    void readsRatesKeptWithoutSpread() {
        const auto file = path("older.json");
        makeFolder(file.parent_path());
        writeFileWhole(file, std::string_view(R"({"rates": [{"backend": "cpu",
            "model": "a model", "cores": 4, "flops_per_second": 4e11, "bytes_per_second": 2e10,
            "overhead_ns": 700, "efficiency": {"conv2d": 0.75}}], "links": [{"name": "threads",
            "host": "here", "latency_ns": 5, "bytes_per_second": 1e9}]})"));
        const DeviceSheet found = withKeptRates(unmeasured(4), file);
        QCOMPARE(found.flopsPerSecond, 4e11);
        QVERIFY(found.isMeasured);
        QVERIFY(found.opSpread.empty());
        QVERIFY(!found.streamSpread.isKnown());
        MachineSheet machine;
        machine.host = "here";
        QCOMPARE(withKeptLinks(machine, file).withinProcess,
                 (LinkSheet{"threads", {5}, 1e9, true}));
    }

    /// If rounded precisions were not measured, their rates keep the ratio of the device's own
    /// sheet.
    void givesBackRatesOfWhatIsRounded() {
        const auto file = path("rounded.json");
        DeviceSheet sheet = measuredSheet();
        sheet.tf32FlopsPerSecond = 7e11;
        sheet.bf16FlopsPerSecond = 9e11;
        keepRates(sheet, file);
        QCOMPARE(withKeptRates(unmeasured(4), file).tf32FlopsPerSecond, 7e11);
        QCOMPARE(withKeptRates(unmeasured(2), file).tf32FlopsPerSecond, 3.5e11);
        QCOMPARE(withKeptRates(unmeasured(2), file).bf16FlopsPerSecond, 4.5e11);
        const auto older = path("unrounded.json");
        writeFileWhole(older, std::string_view(R"({"rates": [{"backend": "cpu",
            "model": "a model", "cores": 4, "flops_per_second": 4e11, "bytes_per_second": 2e10,
            "overhead_ns": 700, "efficiency": {}}]})"));
        sheet = unmeasured(4);
        sheet.flopsPerSecond = 5e11;
        sheet.tf32FlopsPerSecond = 4e12;
        sheet.bf16FlopsPerSecond = 8e12;
        QCOMPARE(withKeptRates(sheet, older).tf32FlopsPerSecond, 3.2e12);
        QCOMPARE(withKeptRates(sheet, older).bf16FlopsPerSecond, 6.4e12);
        QCOMPARE(withKeptRates(unmeasured(4), older).tf32FlopsPerSecond, 0.0);
    }

    /// One that was measured; a published one stays what the device's own sheet says.
    void givesBackABusThatWasMeasured() {
        const auto file = path("bus.json");
        DeviceSheet own = unmeasured(4);
        own.bus = LinkSheet{"PCIe 5", {2000}, 48e9};
        DeviceSheet sheet = measuredSheet();
        sheet.bus = LinkSheet{"PCIe 5", {9000}, 21e9};
        keepRates(sheet, file);
        QCOMPARE(*withKeptRates(own, file).bus, *own.bus);
        sheet.bus->isMeasured = true;
        keepRates(sheet, file);
        QCOMPARE(*withKeptRates(own, file).bus, *sheet.bus);
    }

    void spreadsThatCannotBeAreNotKnown() {
        const auto file = path("odd.json");
        makeFolder(file.parent_path());
        writeFileWhole(file, std::string_view(R"({"rates": [{"backend": "cpu",
            "model": "a model", "cores": 4, "flops_per_second": 4e11, "bytes_per_second": 2e10,
            "overhead_ns": 700, "efficiency": {}, "spread": {"streaming": [1.5, 1.7],
            "overhead": [0.9], "ops": {"linear": [-1, 2], "gelu": [0.5, 1]}}}]})"));
        const DeviceSheet found = withKeptRates(unmeasured(4), file);
        QCOMPARE(found.flopsPerSecond, 4e11);
        QVERIFY(!found.streamSpread.isKnown());
        QVERIFY(!found.overheadSpread.isKnown());
        QVERIFY(!found.opSpread.at("linear").isKnown());
        QVERIFY(found.opSpread.at("gelu").isKnown());
    }

    /// Restores plans for the chip's model and library, in addition to measured rates; without own
    /// plans, those of other chips are offered, which do not fit it.
    void givesBackPlans() {
        const auto file = path("plans.json");
        DeviceSheet chip = unmeasured(1);
        chip.library = "9.19.0";
        const auto kept = [&](const char* model, const char* library, const char* name,
                              const char* engine) {
            DeviceSheet sheet = chip;
            sheet.plans = {model, library, {{name, {engine, {7}, {1000}, {0.5, 2}}}}};
            keepPlans(sheet, file);
        };
        keepRates(measuredSheet(), file);
        QVERIFY(withKeptRates(chip, file).plans.best.empty());
        kept("another", "9.19.0", "y", "1");
        QCOMPARE(withKeptRates(chip, file).plans.model, std::string("another"));
        QVERIFY(!hasMatchingPlans(withKeptRates(chip, file)));
        kept("a model", "9.18.0", "y", "2");
        QCOMPARE(withKeptRates(chip, file).plans.library, std::string("9.18.0"));
        QVERIFY(!hasMatchingPlans(withKeptRates(chip, file)));
        QVERIFY(chipKindOf(withKeptRates(chip, file)).plans == nullptr);
        kept("a model", "9.19.0", "y", "3");
        kept("a model", "9.19.0", "dx", "4");
        kept("a model", "9.19.0", "y", "5"); // in place of the first
        const DeviceSheet found = withKeptRates(chip, file);
        QVERIFY(hasMatchingPlans(found));
        QVERIFY(*chipKindOf(found).plans == found.plans.best);
        QCOMPARE(found.plans.best.size(), std::size_t{2});
        QVERIFY((found.plans.best.at("y") == MeasuredPlan{"5", {7}, {1000}, {0.5, 2}}));
        QCOMPARE(found.flopsPerSecond, 1e11);
        keepRates(found, file);
        keepLink({"threads", {800}, 4e9, true}, "here", file);
        QVERIFY(withKeptRates(chip, file).plans == found.plans);
        DeviceSheet half = found;
        half.scaleRates(0.5);
        QCOMPARE(half.plans.best.at("dx").time.count, std::int64_t{2000});
    }

    /// One chip may have thousands of plans, which take several MiB.
    void keepsAsMuchAsThereIs() {
        const auto file = path("much.json");
        constexpr int many = 10000;
        DeviceSheet sheet = unmeasured(1);
        sheet.plans = {"a model", "", {}};
        for (int k = 0; k < many; ++k) {
            sheet.plans.best["y in exact: number " + std::to_string(k)] = {"1", {7}, {1000}};
        }
        keepPlans(sheet, file);
        QVERIFY(std::filesystem::file_size(file) > std::uintmax_t{1} << 20U);
        QCOMPARE(withKeptRates(unmeasured(1), file).plans.best.size(), std::size_t{many});
        sheet.plans.best = {{"dx", {"2", {7}, {1000}}}};
        keepPlans(sheet, file);
        keepRates(measuredSheet(), file);
        QCOMPARE(withKeptRates(unmeasured(4), file).plans.best.size(), std::size_t{many + 1});
    }

    /// Which would lose what it holds.
    void writesNothingInPlaceOfWhatIsTooLarge() {
        const auto file = path("huge.json");
        makeFolder(file.parent_path());
        writeFileWhole(file, std::string_view("{}"));
        std::filesystem::resize_file(file, std::uintmax_t{1} << 30U); // takes no blocks
        QVERIFY_EXCEPTION_THROWN(keepRates(measuredSheet(), file), Error);
        QCOMPARE(std::filesystem::file_size(file), std::uintmax_t{1} << 30U);
        QVERIFY(!withKeptRates(unmeasured(4), file).isMeasured);
    }

    void losesNothingOfWhoKeepsAtTheSameTime() {
        const auto file = path("shared.json");
        constexpr int writers = 3;
        constexpr int each = 3;
        std::vector<std::jthread> threads;
        for (int writer = 0; writer < writers; ++writer) {
            threads.emplace_back([&file, writer] {
                for (int k = 0; k < each; ++k) {
                    const std::string name = std::to_string(writer) + " " + std::to_string(k);
                    DeviceSheet sheet = unmeasured(1);
                    sheet.plans = {"a model", "", {{name, {"1", {7}, {1000}}}}};
                    keepPlans(sheet, file);
                    keepLink({"threads", {800}, 4e9, true}, name, file);
                }
            });
        }
        threads.clear();
        QCOMPARE(withKeptRates(unmeasured(1), file).plans.best.size(),
                 static_cast<std::size_t>(writers) * each);
        const std::string text = readFile(file, std::size_t{1} << 20U);
        QCOMPARE(QByteArray::fromStdString(text).count("\"host\""), writers * each);
    }

    void passesOverPlansThatAreNone() {
        const auto file = path("spoilt-plans.json");
        makeFolder(file.parent_path());
        writeFileWhole(file, std::string_view(R"({"plans": [7, {"backend": "cpu", "best": 3},
            {"backend": "cpu", "model": "a model", "library": "", "best": {"y": {"engine": "1"}}},
            {"backend": "cpu", "model": "a model", "library": "", "best": {"y": {"engine": "1",
             "workspace_bytes": -1, "time_ns": 5}}}]})"));
        QVERIFY(withKeptRates(unmeasured(1), file).plans.best.empty());
        DeviceSheet sheet = unmeasured(1);
        sheet.plans = {"a model", "", {{"y", {"2", {7}, {1000}}}}};
        keepPlans(sheet, file);
        QCOMPARE(withKeptRates(unmeasured(1), file).plans.best.at("y").engine, std::string("2"));
    }

    void givesBackLinksOfTheSameHost() {
        const auto file = path("links.json");
        keepRates(measuredSheet(), file);
        keepLink({"threads", {700}, 3e9, true}, "here", file);
        keepLink({"network", {9000}, 1e8, true}, "there", file);
        keepLink({"threads", {800}, 4e9, true}, "here", file); // in place of the first
        MachineSheet machine;
        machine.host = "here";
        machine = withKeptLinks(std::move(machine), file);
        QCOMPARE(machine.withinProcess, (LinkSheet{"threads", {800}, 4e9, true}));
        QCOMPARE(machine.betweenHosts, MachineSheet{}.betweenHosts);
        QCOMPARE(withKeptRates(unmeasured(4), file).flopsPerSecond, 4e11);
        QVERIFY(withKeptRates(unmeasured(4), file).isMeasured);
    }

    void passesOverLinksThatAreNone() {
        const auto file = path("spoilt-links.json");
        makeFolder(file.parent_path());
        writeFileWhole(file, std::string_view(R"({"links": [7, {"name": "threads", "host": "here"},
            {"name": "network", "host": "here", "latency_ns": 1, "bytes_per_second": 0}]})"));
        MachineSheet machine;
        machine.host = "here";
        QCOMPARE(withKeptLinks(machine, file), machine);
    }

    void scalesForAnotherNumberOfCores() {
        const auto file = path("scaled.json");
        keepRates(measuredSheet(), file);
        const DeviceSheet found = withKeptRates(unmeasured(1), file);
        QCOMPARE(found.flopsPerSecond, 1e11);
        QCOMPARE(found.overhead.count, std::int64_t{700});
    }

    void prefersTheSameNumberOfCores() {
        const auto file = path("exact.json");
        DeviceSheet one = measuredSheet();
        one.cores = 1;
        one.flopsPerSecond = 3e11;
        keepRates(measuredSheet(), file);
        keepRates(one, file);
        QCOMPARE(withKeptRates(unmeasured(1), file).flopsPerSecond, 3e11);
        QCOMPARE(withKeptRates(unmeasured(4), file).flopsPerSecond, 4e11);
    }

    void replacesWhatWasKeptBefore() {
        const auto file = path("replaced.json");
        keepRates(measuredSheet(), file);
        DeviceSheet again = measuredSheet();
        again.flopsPerSecond = 5e11;
        keepRates(again, file);
        QCOMPARE(withKeptRates(unmeasured(4), file).flopsPerSecond, 5e11);
    }

    void knowsNothingOfOtherModels() {
        const auto file = path("model.json");
        keepRates(measuredSheet(), file);
        DeviceSheet other = unmeasured(4);
        other.model = "another model";
        QVERIFY(withKeptRates(other, file) == other);
    }

    void holdsNothingWhereTheFileIsSpoilt_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("{\"rates\": [");
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("numbers for entries") << QByteArray("{\"rates\": [1, 2]}");
        QTest::newRow("texts for numbers")
            << QByteArray("{\"rates\": [{\"backend\": \"cpu\", \"model\": \"a model\", "
                          "\"cores\": 4, \"flops_per_second\": \"fast\"}]}");
        QTest::newRow("names that are numbers") << QByteArray(R"({"rates": [{"backend": 7}]})");
    }
    void holdsNothingWhereTheFileIsSpoilt() {
        QFETCH(QByteArray, text);
        const auto file = path("spoilt.json");
        makeFolder(file.parent_path());
        writeFileWhole(file,
                       std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
        QVERIFY(withKeptRates(unmeasured(4), file) == unmeasured(4));
        keepRates(measuredSheet(), file);
        QCOMPARE(withKeptRates(unmeasured(4), file).flopsPerSecond, 4e11);
    }

    void holdsNothingWhereThereIsNoFile() {
        QVERIFY(withKeptRates(unmeasured(4), path("absent.json")) == unmeasured(4));
        QVERIFY(withKeptRates(unmeasured(4), {}) == unmeasured(4));
    }
};

std::unique_ptr<QObject> makeTestKeptRates() { return std::make_unique<TestKeptRates>(); }

#include "tst_kept_rates.moc"
