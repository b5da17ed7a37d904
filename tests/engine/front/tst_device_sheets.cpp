// SPDX-License-Identifier: Apache-2.0
#include "front/device_sheets.h"

#include <QTest>
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

} // namespace

class TestDeviceSheets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void devicesShareTheCoresThereAre() {
        const auto sheets = sheetsFor({}, {"cpu:0", "cpu:1"}, fourCores());
        QCOMPARE(sheets[1].name, std::string("cpu:1"));
        QCOMPARE(sheets[1].cores, std::int64_t{2});
        QCOMPARE(sheets[1].flopsPerSecond, 2e11);
        QVERIFY(sheets[1].isPresent);
    }

    void declaredCoresGoFirst() {
        Design design;
        design.devices = {{.name = "cpu:0", .cores = 3}};
        QCOMPARE(sheetsFor(design, {"cpu:0", "cpu:1"}, fourCores())[0].cores, std::int64_t{3});
    }

    void aDataSheetStandsForADeviceThatIsNotThere() {
        Design design;
        design.devices = {{.name = "cuda:0", .sheet = "h200"}, {.name = "cpu:0"}};
        const auto sheets = sheetsFor(design, {"cuda:0", "cpu:0"}, fourCores());
        QCOMPARE(sheets[0].name, std::string("cuda:0"));
        QCOMPARE(sheets[0].model, std::string("NVIDIA H200 SXM"));
        QVERIFY(!sheets[0].isPresent);
        QCOMPARE(sheets[1].cores, std::int64_t{4});
        QVERIFY(checkSheets(design).empty());
    }

    void ofAnUnknownDeviceNothingIsKnown() {
        const auto sheets = sheetsFor({}, {"abacus:0"}, fourCores());
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

    void dataSheetsHaveNamesOfTheirOwn() {
        std::set<std::string> names;
        for (const DeviceSheet& sheet : dataSheets()) {
            QVERIFY2(names.insert(sheet.name).second, sheet.name.c_str());
            QVERIFY(sheet.flopsPerSecond > 0 && sheet.bytesPerSecond > 0 && sheet.memory.count > 0);
            QVERIFY(!sheet.isPresent);
        }
    }
};

std::unique_ptr<QObject> makeTestDeviceSheets() { return std::make_unique<TestDeviceSheets>(); }
#include "tst_device_sheets.moc"
