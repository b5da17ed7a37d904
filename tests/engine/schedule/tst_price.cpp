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
        QCOMPARE(computePrice(sheet, "linear", {1000}, {100}).time.count, std::int64_t{2005});
        QCOMPARE(computePrice(sheet, "linear", {10}, {3000}).time.count, std::int64_t{3005});
        QCOMPARE(computePrice(sheet, "linear", {1000}, {100}, 0.5).time.count, std::int64_t{4005});
    }

    void theBandFollowsTheSpreadOfWhatPrices() {
        DeviceSheet sheet;
        sheet.flopsPerSecond = 1e9;
        sheet.bytesPerSecond = 1e9;
        sheet.overhead = {0};
        sheet.efficiency = {{"linear", 1}, {"conv2d", 1}};
        const Price unknown = computePrice(sheet, "linear", {1000}, {100});
        QVERIFY(!unknown.band.isKnown());
        QVERIFY(unknown.band.has(unknown.time));
        sheet.opSpread = {{"linear", {0.9, 1.5}}, {"conv2d", {0.8, 1.25}}};
        sheet.streamSpread = {0.5, 2};
        const TimeBand arithmetic{{800}, {1250}};
        QCOMPARE(computePrice(sheet, "conv2d", {1000}, {100}).band, arithmetic);
        // An op that was not measured is no surer than the product it is priced from.
        const Price other = computePrice(sheet, "sigmoid", {600}, {100});
        QCOMPARE(other.time.count, std::int64_t{1000});
        QCOMPARE(other.band, (TimeBand{{900}, {1500}}));
        // What streams has the spread of streaming.
        QCOMPARE(computePrice(sheet, "conv2d", {10}, {3000}).band, (TimeBand{{1500}, {6000}}));
        const LinkSheet link{.name = "threads",
                             .latency = {100},
                             .bytesPerSecond = 1e9,
                             .isMeasured = true,
                             .latencySpread = {0.9, 1.1},
                             .bytesSpread = {0.5, 3}};
        QCOMPARE(communicationPrice(link, {1000}, 2).band, (TimeBand{{680}, {3220}}));
    }

    void aMessagePaysLatencyPerRoundAndBytesOnce() {
        const LinkSheet link{"threads", {100}, 1e9, true};
        QCOMPARE(communicationPrice(link, {1000}, 2).time.count, std::int64_t{1200});
    }
};

std::unique_ptr<QObject> makeTestPrice() { return std::make_unique<TestPrice>(); }
#include "tst_price.moc"
