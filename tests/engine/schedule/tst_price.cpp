// SPDX-License-Identifier: Apache-2.0
#include "schedule/price.h"

#include <QTest>

using namespace weft;

namespace {

Links links() { return {.machine = {}, .places = {{0, 0}, {0, 0}, {1, 0}, {2, 1}}}; }

std::string linkOf(std::vector<DeviceId> members) { return links().among(members).name; }

} // namespace

class TestPrice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGroupIsPricedByItsSlowestLink() {
        QCOMPARE(linkOf({{0}, {1}}), std::string("threads"));
        QCOMPARE(linkOf({{0}, {1}, {2}}), std::string("shared-memory"));
        QCOMPARE(linkOf({{2}, {0}}), std::string("shared-memory"));
        QCOMPARE(linkOf({{0}, {2}, {3}}), std::string("network"));
        QCOMPARE(linkOf({{3}}), std::string("threads"));
        QCOMPARE(linkOf({}), std::string("threads"));
    }

    void devicesWithoutAPlaceAreInTheFirstProcess() {
        QCOMPARE(linkOf({{0}, {7}}), std::string("threads"));
    }

    void aKernelTakesTheLargerOfArithmeticAndMemory() {
        DeviceSheet sheet;
        sheet.flopsPerSecond = 1e9;
        sheet.bytesPerSecond = 1e9;
        sheet.overhead = {5};
        sheet.efficiency = {{"linear", 0.5}};
        QCOMPARE(computeTime(sheet, "linear", {1000}, {100}).count, std::int64_t{2005});
        QCOMPARE(computeTime(sheet, "linear", {10}, {3000}).count, std::int64_t{3005});
        QCOMPARE(computeTime(sheet, "linear", {1000}, {100}, 0.5).count, std::int64_t{4005});
    }

    void aMessagePaysLatencyPerRoundAndBytesOnce() {
        const LinkSheet link{"threads", {100}, 1e9, true};
        QCOMPARE(communicationTime(link, {1000}, 2).count, std::int64_t{1200});
    }
};

std::unique_ptr<QObject> makeTestPrice() { return std::make_unique<TestPrice>(); }
#include "tst_price.moc"
