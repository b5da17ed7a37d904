// SPDX-License-Identifier: Apache-2.0
#include "compile/host_share.h"

#include <QTest>
#include <memory>

using namespace weft;

namespace {

using Computes = HostedDevice::Computes;

std::vector<HostShare> sharesOf(const std::vector<int>& hosts, int cores,
                                const Design& design = {}) {
    std::vector<HostedDevice> devices;
    devices.reserve(hosts.size());
    for (const int host : hosts) {
        devices.push_back({"cpu:" + std::to_string(devices.size()), host,
                           host == noHost ? Computes::apart : Computes::onCores});
    }
    return hostShares(design, devices, cores);
}

} // namespace

class TestHostShare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coresAreSharedOut_data() {
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("cores");
        QTest::addColumn<int>("each");
        QTest::addColumn<double>("share");
        QTest::newRow("one has all") << 1 << 4 << 4 << 1.0;
        QTest::newRow("evenly") << 2 << 4 << 2 << 1.0;
        QTest::newRow("rounded down") << 3 << 4 << 1 << 1.0;
        QTest::newRow("one each") << 4 << 4 << 1 << 1.0;
        QTest::newRow("more than there are") << 8 << 2 << 1 << 0.25;
    }
    void coresAreSharedOut() {
        QFETCH(const int, devices);
        QFETCH(const int, cores);
        double all = 0;
        for (const HostShare& share :
             sharesOf(std::vector<int>(static_cast<std::size_t>(devices), 0), cores)) {
            QTEST(share.cores, "each");
            QTEST(share.share, "share");
            all += share.cores * share.share;
        }
        QVERIFY(all <= cores);
    }

    void whatOthersDeclareIsNotThere() {
        Design design;
        design.devices = {{.name = "cpu:0", .cores = 3}};
        const auto shares = sharesOf({0, 0}, 4, design);
        QCOMPARE(shares[0].cores, 3);
        QCOMPARE(shares[1].cores, 1);
        QCOMPARE(shares[1].share, 1.0);
        design.devices.front().cores = 7;
        const auto beyond = sharesOf({0, 0}, 4, design);
        QCOMPARE(beyond[0].cores, 7);
        QCOMPARE(beyond[0].taken, 8);
        QCOMPARE(beyond[1].share, 0.5);
        design.devices.front().cores = std::int64_t{1} << 40;
        QVERIFY(sharesOf({0, 0}, 4, design)[1].share > 0);
    }

    void hostsShareNothingWithEachOther() {
        const auto shares = sharesOf({0, 0, 1, noHost}, 2);
        QCOMPARE(shares[0].cores, 1);
        QCOMPARE(shares[2].cores, 2);
        QCOMPARE(shares[2].taken, 2);
        QCOMPARE(shares[1].memory, std::size_t{0});
        QCOMPARE(shares[2].memory, std::size_t{2});
        QCOMPARE(shares[3], HostShare{.memory = 3});
    }

    /// The thread that drives a chip is nothing to share out.
    void aChipTakesNoCores() {
        const auto shares = hostShares({},
                                       {{"cpu:0", 0, Computes::onCores},
                                        {"cuda:0", 0, Computes::onChip},
                                        {"cuda:1", 0, Computes::onChip},
                                        {"cpu:1", 0, Computes::onCores}},
                                       4);
        QCOMPARE(shares[0].cores, 2);
        QCOMPARE(shares[3].cores, 2);
        QCOMPARE(shares[0].taken, 4);
        QCOMPARE(shares[1], HostShare{.memory = 1});
        QCOMPARE(shares[2], HostShare{.memory = 2});
        QCOMPARE(shares[3].memory, std::size_t{0});
        QVERIFY(checkShares(shares, 4).empty());
    }

    void workersShareTheirChip() {
        const auto shares = hostShares({},
                                       {{"cuda:0/0", 0, Computes::onChip},
                                        {"cuda:0/1", 0, Computes::onChip},
                                        {"cuda:1", 0, Computes::onChip},
                                        {"cuda:0/2", 1, Computes::onChip}},
                                       4);
        QCOMPARE(shares[1], (HostShare{.share = 0.5, .workers = 2, .memory = 0}));
        QCOMPARE(shares[2], HostShare{.memory = 2});
        QCOMPARE(shares[3], HostShare{.memory = 3}); // another host's
        const auto problems = checkShares(shares, 4);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems.front().code, std::string("W071"));
        QVERIFY2(problems.front().text.starts_with("2 devices are on one GPU"),
                 problems.front().text.c_str());
    }

    void devicesLieInBlocks() {
        const auto places = evenPlaces(8, 4, 2);
        QCOMPARE(places[1], (DevicePlace{0, 0}));
        QCOMPARE(places[3], (DevicePlace{1, 0}));
        QCOMPARE(places[4], (DevicePlace{2, 1}));
        QCOMPARE(places[7], (DevicePlace{3, 1}));
    }
};

std::unique_ptr<QObject> makeTestHostShare() { return std::make_unique<TestHostShare>(); }
#include "tst_host_share.moc"
