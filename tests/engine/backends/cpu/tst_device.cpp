// SPDX-License-Identifier: Apache-2.0
#include "backends/backends.h"
#include "backends/cpu/cores.h"
#include <weft/error.h>

#include <sched.h>

#include <QTest>
#include <algorithm>
#include <thread>

using namespace weft;

namespace {

std::vector<int> coresOfThisThread() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cores;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(cpu, &set)) {
                cores.push_back(cpu);
            }
        }
    }
    return cores;
}

bool isWithin(const std::vector<int>& part, const std::vector<int>& whole) {
    return std::ranges::all_of(
        part, [&](int core) { return std::ranges::find(whole, core) != whole.end(); });
}

} // namespace

class TestDevice : public QObject {
    Q_OBJECT

    BackendList backends_;
    const Backend* cpu_ = nullptr;

private Q_SLOTS:
    void initTestCase() {
        backends::fill(backends_);
        cpu_ = backends_.find("cpu");
        QVERIFY(cpu_ != nullptr);
    }

    void saysWhatTheMachineHas() {
        const auto found = cpu_->find();
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found.front().name, std::string("cpu:0"));
        QCOMPARE(found.front().cores, static_cast<std::int64_t>(coresOfThisThread().size()));
        QVERIFY(found.front().memory.count > 0);
        QVERIFY(found.front().flopsPerSecond > 0);
        QVERIFY(!found.front().model.empty());
    }

    void refusesNamesThatAreNoDevices_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("cores");
        QTest::newRow("another backend") << "cuda:0" << 1;
        QTest::newRow("no number") << "cpu:" << 1;
        QTest::newRow("text behind the number") << "cpu:1x" << 1;
        QTest::newRow("negative") << "cpu:-1" << 1;
        QTest::newRow("no cores") << "cpu:0" << 0;
    }
    void refusesNamesThatAreNoDevices() {
        QFETCH(QString, name);
        QFETCH(int, cores);
        try {
            static_cast<void>(cpu_->open(name.toStdString(), cores));
            QFAIL("opened");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::device);
            QVERIFY(!error.remedy().empty());
        }
    }

    void givesZeroedAlignedMemory() {
        const auto device = cpu_->open("cpu:0", 1);
        for (const std::int64_t size :
             {std::int64_t{0}, std::int64_t{1}, std::int64_t{4097}, (std::int64_t{5} << 20) + 3}) {
            const auto arena = device->allocate({size});
            const auto* bytes = static_cast<const std::uint8_t*>(arena->address());
            QCOMPARE(reinterpret_cast<std::uintptr_t>(bytes) % cpu_->alignment, 0U);
            QCOMPARE(arena->size().count, size);
            QCOMPARE(std::count(bytes, bytes + size, 0), size);
        }
    }

    void refusesMoreMemoryThanThereIs() {
        const auto device = cpu_->open("cpu:0", 1);
        try {
            static_cast<void>(device->allocate({device->sheet().memory.count * 4}));
            QFAIL("allocated");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::memory);
        }
    }

    void claimsAllCoresOrNone() {
        const auto all = cpu::usableCores();
        const cpu::CoreClaim claim(static_cast<int>(all.size()) + 1);
        QVERIFY(claim.cores().empty());
    }

    void neverClaimsACoreTwice() {
        const auto all = cpu::usableCores();
        std::vector<std::unique_ptr<cpu::CoreClaim>> claims;
        std::vector<int> taken;
        for (std::size_t k = 0; k < all.size() + 2; ++k) {
            claims.push_back(std::make_unique<cpu::CoreClaim>(1));
            for (const int core : claims.back()->cores()) {
                QVERIFY(std::ranges::find(taken, core) == taken.end());
                QVERIFY(std::ranges::find(all, core) != all.end());
                taken.push_back(core);
            }
        }
        // Other processes may hold some, and let go of them at any time.
        if (taken.size() == all.size()) {
            QVERIFY(cpu::CoreClaim(1).cores().empty());
        }
    }

    void bindsLanesWithinTheCoresOfTheProcess() {
        const auto before = coresOfThisThread();
        std::vector<int> first;
        std::vector<int> second;
        const auto one = cpu_->open("cpu:0", 1);
        const auto two = cpu_->open("cpu:1", 1);
        std::thread([&] {
            const auto stream = one->makeStream(0, 1);
            first = coresOfThisThread();
        }).join();
        std::thread([&] {
            const auto stream = two->makeStream(0, 1);
            second = coresOfThisThread();
        }).join();
        QVERIFY(!first.empty() && isWithin(first, before));
        QVERIFY(!second.empty() && isWithin(second, before));
        const bool areBound = first.size() == 1 && second.size() == 1 && before.size() > 1;
        QVERIFY(!areBound || first != second);
    }

    void copiesInAndOut() {
        const auto device = cpu_->open("cpu:0", 1);
        const auto arena = device->allocate({64});
        const std::vector<int> given{1, 2, 3, 4};
        std::vector<int> found(4);
        device->copyIn(arena->address(), given.data(), {16});
        device->copyOut(found.data(), arena->address(), {16});
        QCOMPARE(found, given);
    }
};

std::unique_ptr<QObject> makeTestDevice() { return std::make_unique<TestDevice>(); }

#include "tst_device.moc"
