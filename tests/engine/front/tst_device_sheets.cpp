// SPDX-License-Identifier: Apache-2.0
#include "compile/device_sheets.h"

#include <QTest>
#include <algorithm>
#include <set>

using namespace weft;

namespace {

MachineSheet fourCores() {
    MachineSheet machine;
    DeviceSheet sheet;
    sheet.name = "cpu:0";
    sheet.backend = "cpu";
    sheet.cores = 4;
    sheet.flopsPerSecond = 4e11;
    sheet.bytesPerSecond = 4e10;
    machine.devices = {sheet};
    return machine;
}

MachineSheet withChips(int count) {
    MachineSheet machine = fourCores();
    const std::vector<DeviceSheet> published = dataSheets();
    for (int k = 0; k < count; ++k) {
        machine.devices.push_back(*std::ranges::find(published, "h100", &DeviceSheet::name));
        machine.devices.back().name = "cuda:" + std::to_string(k);
        machine.devices.back().isPresent = true;
    }
    return machine;
}

std::vector<DeviceSheet> sheetsOn(const MachineSheet& machine, const Design& design,
                                  const std::vector<std::string>& devices, int hosts = 1) {
    const auto ranks = static_cast<int>(devices.size());
    const DeviceSpread spread{devices, ranks, hosts};
    return sheetsFor(design, spread, machine, hostSharesFor(design, spread, machine));
}

} // namespace

class TestDeviceSheets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void devicesShareTheCoresThereAre() {
        const auto sheets = sheetsOn(fourCores(), {}, {"cpu:0", "cpu:1"});
        QCOMPARE(sheets[1].name, std::string("cpu:1"));
        QCOMPARE(sheets[1].cores, std::int64_t{2});
        QCOMPARE(sheets[1].flopsPerSecond, 2e11);
        QVERIFY(sheets[1].isPresent);
    }

    /// Each host is like this one: its second chip is priced as the second here.
    void chipsArePricedAsTheirHostsCountThem() {
        MachineSheet machine = withChips(2);
        machine.devices.back().flopsPerSecond = 5;
        const auto sheets = sheetsOn(machine, {}, {"cuda:0", "cuda:1", "cuda:2", "cuda:3/0"}, 2);
        QCOMPARE(sheets[3].flopsPerSecond, 5.0);
        QCOMPARE(sheets[3].name, std::string("cuda:3/0"));
        QCOMPARE(sheets[2].flopsPerSecond, machine.devices[1].flopsPerSecond);
    }

    void declaredCoresGoFirst() {
        Design design;
        design.devices = {{.name = "cpu:0", .cores = 3}};
        const auto sheets = sheetsOn(fourCores(), design, {"cpu:0", "cpu:1"});
        QCOMPARE(sheets[0].cores, std::int64_t{3});
        QCOMPARE(sheets[1].cores, std::int64_t{1});
    }

    void devicesBeyondTheCoresTakeTurns() {
        const std::vector<std::string> eight{"cpu:0", "cpu:1", "cpu:2", "cpu:3",
                                             "cpu:4", "cpu:5", "cpu:6", "cpu:7"};
        const auto sheets = sheetsOn(fourCores(), {}, eight);
        QCOMPARE(sheets[7].cores, std::int64_t{1});
        QCOMPARE(sheets[7].flopsPerSecond, 4e11 / 8);
        QCOMPARE(sheets[7].bytesPerSecond, 4e10 / 8);
        const auto problems = checkShares(hostSharesFor({}, {eight, 8, 1}, fourCores()), 4);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].code, std::string("W071"));
        QVERIFY2(
            problems[0].text.starts_with("8 devices on one host take 8 cores, but it has only 4"),
            problems[0].text.c_str());
        // Two hosts have cores enough.
        QCOMPARE(sheetsOn(fourCores(), {}, eight, 2)[7].flopsPerSecond, 1e11);
        QVERIFY(checkShares(hostSharesFor({}, {eight, 8, 2}, fourCores()), 4).empty());
    }

    void aDeclaredSheetIsOneWholeDevice() {
        Design design;
        design.devices = {{.name = "cpu:0", .sheet = "cpu16"}, {.name = "cpu:1"}};
        const auto sheets = sheetsOn(fourCores(), design, {"cpu:0", "cpu:1"});
        QCOMPARE(sheets[0].cores, std::int64_t{16});
        QCOMPARE(sheets[1].cores, std::int64_t{4});
    }

    void aDataSheetStandsForADeviceThatIsNotThere() {
        Design design;
        design.devices = {{.name = "cuda:0", .sheet = "h200"}, {.name = "cpu:0"}};
        const auto sheets = sheetsOn(fourCores(), design, {"cuda:0", "cpu:0"});
        QCOMPARE(sheets[0].name, std::string("cuda:0"));
        QCOMPARE(sheets[0].model, std::string("NVIDIA H200 SXM"));
        QVERIFY(!sheets[0].isPresent);
        QCOMPARE(sheets[1].cores, std::int64_t{4});
        QVERIFY(checkSheets(design).empty());
    }

    void aChipThatIsThereTakesNoCores() {
        const auto sheets = sheetsOn(withChips(2), {}, {"cpu:0", "cuda:0", "cuda:1"});
        QCOMPARE(sheets[0].cores, std::int64_t{4});
        QCOMPARE(sheets[0].flopsPerSecond, 4e11);
        QCOMPARE(sheets[1].flopsPerSecond, 67e12);
        QVERIFY(
            checkShares(hostSharesFor({}, {{"cpu:0", "cuda:0", "cuda:1"}, 1, 1}, withChips(2)), 4)
                .empty());
    }

    void workersHaveAPartOfTheirChip() {
        const DeviceSheet whole = sheetsOn(withChips(1), {}, {"cuda:0"})[0];
        const auto sheets = sheetsOn(withChips(1), {}, {"cuda:0/0", "cuda:0/1"});
        QCOMPARE(sheets[1].name, std::string("cuda:0/1"));
        QCOMPARE(sheets[1].flopsPerSecond, whole.flopsPerSecond / 2);
        QVERIFY(whole.tf32FlopsPerSecond > whole.flopsPerSecond);
        QCOMPARE(sheets[1].tf32FlopsPerSecond, whole.tf32FlopsPerSecond / 2);
        QCOMPARE(sheets[1].bytesPerSecond, whole.bytesPerSecond / 2);
        QCOMPARE(sheets[1].threads, whole.threads / 2);
        QCOMPARE(sheets[1].bus->bytesPerSecond, whole.bus->bytesPerSecond / 2);
        QCOMPARE(sheets[1].memory.count, whole.memory.count); // which they take together
        QCOMPARE(sheets[1].overhead.count, whole.overhead.count);
    }

    void moreChipsThanAHostHasAreSaid() {
        const std::vector<std::string> three{"cuda:0", "cuda:1/0", "cuda:1/1", "cuda:2"};
        const auto problems = checkChips({}, {three, 2, 1}, withChips(2));
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].code, std::string("W071"));
        QVERIFY2(problems[0].text.starts_with("cuda:0, cuda:1, cuda:2 on one host need 3 GPUs, but "
                                              "this machine has 2"),
                 problems[0].text.c_str());
        QVERIFY(checkChips({}, {three, 2, 2}, withChips(2)).empty());
        QVERIFY(checkChips({}, {three, 2, 1}, withChips(3)).empty());
        QVERIFY(checkChips({}, {three, 2, 1}, fourCores()).empty()); // it has none to compare with
    }

    void aChipBeyondThoseOfAHostIsSaid() {
        const std::vector<std::string> two{"cuda:0", "cuda:2"};
        const auto problems = checkChips({}, {two, 1, 1}, withChips(2));
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY2(problems[0].text.starts_with("this machine has no cuda:2: it has 2"),
                 problems[0].text.c_str());
        QVERIFY(checkChips({}, {two, 2, 2}, withChips(2)).empty()); // the first of the second
        QVERIFY(checkChips({}, {two, 1, 1}, withChips(3)).empty());
    }

    void ofAnUnknownDeviceNothingIsKnown() {
        const auto sheets = sheetsOn(fourCores(), {}, {"abacus:0"});
        QVERIFY(!sheets[0].isPresent);
        QCOMPARE(sheets[0].flopsPerSecond, 0.0);
    }

    void anUnknownDataSheetIsAProblem() {
        Design design;
        design.devices = {{.name = "cuda:0", .sheet = "h2000"}};
        const auto problems = checkSheets(design);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].code, std::string("E037"));
        QVERIFY(problems[0].fix.text.find("h200") != std::string::npos);
    }

    void whatDescribesAChipDescribesItsWorkers() {
        Design design;
        design.devices = {{.name = "cuda:0", .sheet = "h100"}, {.name = "cuda:1"}};
        const auto sheets = sheetsOn(fourCores(), design, {"cuda:0/0", "cuda:0/1", "cuda:1/0"});
        QCOMPARE(sheets[1].model, std::string("NVIDIA H100 SXM"));
        QCOMPARE(sheets[1].flopsPerSecond, 67e12 / 2);
        QVERIFY(sheets[2].model.empty());
    }

    void aSheetOfAnotherDeviceIsAProblem_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("firstSheet");
        QTest::addColumn<QString>("second");
        QTest::addColumn<QString>("secondSheet");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, std::array<const char*, 5> texts) {
            QTest::newRow(name) << texts[0] << texts[1] << texts[2] << texts[3] << texts[4];
        };
        row("a processor as a chip", {"cpu:0", "h100", "cpu:1", "cpu4", "describes NVIDIA H100"});
        row("a chip as a processor", {"cuda:0", "cpu4", "cpu:1", "cpu4", "describes 4 cores"});
        row("two of a chip",
            {"cuda:0/0", "h100", "cuda:0/1", "a100", "have different data sheets: h100 and a100"});
        row("two of two", {"cuda:0/0", "h100", "cuda:1/1", "a100", ""});
    }
    void aSheetOfAnotherDeviceIsAProblem() {
        QFETCH(const QString, first);
        QFETCH(const QString, firstSheet);
        QFETCH(const QString, second);
        QFETCH(const QString, secondSheet);
        QFETCH(const QString, said);
        Design design;
        design.devices = {{.name = first.toStdString(), .sheet = firstSheet.toStdString()},
                          {.name = second.toStdString(), .sheet = secondSheet.toStdString()}};
        const auto problems = checkSheets(design);
        QCOMPARE(problems.size(), std::size_t{said.isEmpty() ? 0U : 1U});
        QVERIFY(said.isEmpty() || problems[0].text.find(said.toStdString()) != std::string::npos);
    }

    void dataSheetsHaveNamesOfTheirOwn() {
        std::set<std::string> names;
        for (const DeviceSheet& sheet : dataSheets()) {
            QVERIFY2(names.insert(sheet.name).second, sheet.name.c_str());
            QVERIFY(sheet.flopsPerSecond > 0 && sheet.bytesPerSecond > 0 && sheet.memory.count > 0);
            QVERIFY(!sheet.isPresent);
            QCOMPARE(sheet.bus.has_value(), sheet.backend == "cuda");
            QCOMPARE(sheet.threads > 0, sheet.backend == "cuda");
            QCOMPARE(sheet.generation > 0, sheet.backend == "cuda");
        }
    }

    /// Where there are none for it, none is said; and nowhere the one that is for sparse numbers:
    /// none of these does more than 16 times as much as without.
    void onlyChipsWithUnitsForItHaveARateInTf32() {
        const std::set<std::string> without{"v100", "p100", "t4", "k20"};
        for (const DeviceSheet& sheet : dataSheets()) {
            const bool isWithout = sheet.backend == "cpu" || without.contains(sheet.name);
            QVERIFY2((sheet.tf32FlopsPerSecond == 0) == isWithout, sheet.name.c_str());
            QVERIFY2(isWithout || (sheet.tf32FlopsPerSecond >= sheet.flopsPerSecond &&
                                   sheet.tf32FlopsPerSecond < 16 * sheet.flopsPerSecond),
                     sheet.name.c_str());
        }
    }
};

std::unique_ptr<QObject> makeTestDeviceSheets() { return std::make_unique<TestDeviceSheets>(); }
#include "tst_device_sheets.moc"
