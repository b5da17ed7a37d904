// SPDX-License-Identifier: Apache-2.0
#include "schedule/predict/price.h"

#include <QTest>
#include <algorithm>
#include <cstdlib>

using namespace weft;

namespace {

Links links() { return {.machine = {}, .places = {{0, 0}, {0, 0}, {1, 0}, {2, 1}}}; }

std::string linkOf(std::vector<DeviceId> members) { return links().linkAmong(members, false).name; }

DeviceSheet named(const std::string& name, const std::string& sheet) {
    const std::vector<DeviceSheet> all = dataSheets();
    DeviceSheet made = *std::ranges::find(all, sheet, &DeviceSheet::name);
    made.name = name;
    made.isPresent = true;
    return made;
}

/// A processor, three workers on two modules, a card of games, another module in another process,
/// one of another model, one on another host.
Links chips() {
    return {.machine = {},
            .places = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0}, {0, 0}, {2, 1}},
            .connections = connectionsOf(
                {named("cpu:0", "cpu16"), named("cuda:0/0", "h100"), named("cuda:0/1", "h100"),
                 named("cuda:1", "h100"), named("cuda:2", "rtx4090"), named("cuda:3", "rtx4090"),
                 named("cuda:4", "h100"), named("cuda:5", "a100"), named("cuda:6", "h100")})};
}

/// A product of its takes half of its rate, and a call 5 ns.
DeviceSheet plainSheet() {
    DeviceSheet sheet;
    sheet.flopsPerSecond = 1e9;
    sheet.bytesPerSecond = 1e9;
    sheet.overhead = {5};
    sheet.efficiency = {{"linear", 0.5}};
    return sheet;
}

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

    void chipsMeetOverWhatJoinsThem_data() {
        QTest::addColumn<std::vector<std::uint32_t>>("members");
        QTest::addColumn<QString>("link");
        QTest::addColumn<QString>("throughHosts");
        using Members = std::vector<std::uint32_t>;
        QTest::newRow("workers of one") << Members{1, 2} << "one chip"
                                        << "PCIe 5 and threads";
        QTest::newRow("two modules") << Members{1, 3} << "NVLink 4"
                                     << "PCIe 5 and threads";
        QTest::newRow("two modules and a worker") << Members{2, 1, 3} << "PCIe 5 and threads"
                                                  << "PCIe 5 and threads";
        QTest::newRow("boards that refuse each other") << Members{4, 5} << "PCIe 4 and threads"
                                                       << "PCIe 4 and threads";
        QTest::newRow("processor and chip") << Members{0, 3} << "PCIe 5 and threads"
                                            << "PCIe 5 and threads";
        QTest::newRow("processes") << Members{3, 6} << "NVLink 4"
                                   << "PCIe 5 and shared-memory";
        QTest::newRow("models") << Members{3, 7} << "PCIe 4 and threads"
                                << "PCIe 4 and threads";
        QTest::newRow("hosts") << Members{3, 8} << "network"
                               << "network";
    }
    void chipsMeetOverWhatJoinsThem() {
        QFETCH(const std::vector<std::uint32_t>, members);
        std::vector<DeviceId> ids;
        ids.reserve(members.size());
        for (const std::uint32_t member : members) {
            ids.push_back({member});
        }
        for (int turn = 0; turn < 2; ++turn) {
            QTEST(QString::fromStdString(chips().linkAmong(ids, true).name), "link");
            QTEST(QString::fromStdString(chips().linkAmong(ids, false).name), "throughHosts");
            std::ranges::reverse(ids);
        }
    }

    /// Out, across and in, one after the other.
    void theWayThroughTheHostIsPaidThrice() {
        const Links links = chips();
        const std::vector<DeviceId> pair{{4}, {5}};
        const LinkSheet bus = *named("cuda:2", "rtx4090").bus;
        const Nanoseconds parts =
            communicationPrice(bus, {1'000'000}, 1).time * 2 +
            communicationPrice(links.machine.withinProcess, {1'000'000}, 1).time;
        const Nanoseconds whole =
            communicationPrice(links.linkAmong(pair, false), {1'000'000}, 1).time;
        QVERIFY(std::abs((whole - parts).count) < 10);
    }

    void whatIsNotSureOfTheHostIsNotSureThroughIt() {
        Links links = chips();
        links.machine.withinProcess.bytesSpread = {0.5, 2};
        const std::vector<DeviceId> pair{{4}, {5}};
        const Price price = communicationPrice(links.linkAmong(pair, false), {100'000'000}, 1);
        const double host = 1e8 / links.machine.withinProcess.bytesPerSecond * 1e9;
        QVERIFY(std::abs(static_cast<double>((price.band.high - price.time).count) - host) < 1e3);
        QVERIFY(std::abs(static_cast<double>((price.time - price.band.low).count) - host / 2) <
                1e3);
    }

    /// By the reference on one core, whatever the chip could do, and over its own bus.
    void whatIsStagedIsComputedByTheHost() {
        const Price fast =
            hostFallbackPrice(named("cuda:0", "h100"), "relu", {0}, {8000}, {12'000'000});
        const Price slow =
            hostFallbackPrice(named("cuda:0", "t4"), "relu", {0}, {8000}, {12'000'000});
        const Nanoseconds host = computePrice(DeviceSheet{}, "relu", {0}, {8000}).time;
        QCOMPARE((slow.time - host).count, std::int64_t{16'000 + 1'000'000});
        QCOMPARE((fast.time - host).count, std::int64_t{16'000 + 250'000});
    }

    void anOpFillsWhatItHasThreadsFor() {
        DeviceSheet sheet;
        sheet.threads = 1000;
        QCOMPARE(usableShareOf(sheet, 500, {4}), 0.5);
        QCOMPARE(usableShareOf(sheet, 5000, {4}), 1.0);
        QCOMPARE(usableShareOf(sheet, 1, {64 * 250}), 0.25); // a sum is split
        QVERIFY(usableShareOf(sheet, 0, {0}) > 0);
    }

    void devicesWithoutAPlaceAreInTheFirstProcess() {
        QCOMPARE(linkOf({{0}, {7}}), std::string("threads"));
    }

    void aKernelTakesTheLargerOfArithmeticAndMemory() {
        const DeviceSheet sheet = plainSheet();
        QCOMPARE(computePrice(sheet, "linear", {1000}, {100}).time.count, std::int64_t{2005});
        QCOMPARE(computePrice(sheet, "linear", {10}, {3000}).time.count, std::int64_t{3005});
        QCOMPARE(computePrice(sheet, "linear", {1000}, {100}, 0.5).time.count, std::int64_t{4005});
        QCOMPARE(computePrice(sheet, "linear", {1000}, {100}, 1, Precision::exact, 4).time.count,
                 std::int64_t{2020});
    }

    /// Which moves no byte faster, and is nothing to a chip that has no units for it.
    void whatRoundsIsPricedByTheRateForThat() {
        DeviceSheet sheet = plainSheet();
        const auto price = [&sheet](std::int64_t flops, std::int64_t bytes, Precision precision) {
            return computePrice(sheet, "linear", {flops}, {bytes}, 1, precision).time.count;
        };
        QCOMPARE(price(1000, 100, Precision::tf32), std::int64_t{2005});
        sheet.tf32FlopsPerSecond = 8e9;
        QCOMPARE(price(1000, 100, Precision::tf32), std::int64_t{255});
        QCOMPARE(price(1000, 100, Precision::exact), std::int64_t{2005});
        QCOMPARE(price(1000, 1000, Precision::tf32), std::int64_t{1005});
        const DeviceSheet half = slowed(sheet, 0.5);
        QCOMPARE(computePrice(half, "linear", {1000}, {100}, 1, Precision::tf32).time.count,
                 std::int64_t{510});
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
        // Ops limited by memory have the uncertainty of the memory bandwidth.
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
