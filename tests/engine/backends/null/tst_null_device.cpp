// SPDX-License-Identifier: Apache-2.0
// The executor, its streams and faults without numbers.
#include "backends/backends.h"
#include "engine/schedule/null_pool.h"
#include <weft/error.h>

#include <QTest>
#include <atomic>

using namespace weft;
using namespace weft::test;

namespace {

/// The first seed whose plan has at least so many devices and a collective.
NullPlan spreadPlan(std::size_t devices) {
    for (std::uint64_t seed = 1;; ++seed) {
        NullPlan made(seed);
        if (made.devices() >= devices && made.communicates()) {
            return made;
        }
    }
}

std::int64_t lengthOf(NullPool& pool) {
    pool.run();
    return pool.measured(0).length().count;
}

} // namespace

class TestNullDevice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isBuiltInButFoundNowhere() {
        BackendList backends;
        backends::fill(backends);
        const Backend* backend = backends.find("null");
        QVERIFY(backend != nullptr);
        QVERIFY(backend->find().empty());
        QCOMPARE(backend->open("null:3", 2)->sheet().cores, std::int64_t{2});
        QVERIFY_THROWS_EXCEPTION(Error, backend->open("cpu:0", 1));
    }

    void holdsAddressesAndNoMemory() {
        const auto device = null::makeDevice({});
        const auto arena = device->allocate({std::int64_t{1} << 38});
        QVERIFY(arena->address() != nullptr);
        float read = 1;
        device->copyOut(&read, arena->address(), {sizeof(read)});
        QCOMPARE(read, 0.0F);
    }

    void anHourPassesAtOnce() {
        constexpr std::int64_t hour = 3'600'000'000'000;
        null::Settings settings;
        settings.delay = [](const std::string&) { return Nanoseconds{hour}; };
        NullPool pool(spreadPlan(2), false, settings);
        QVERIFY(lengthOf(pool) > hour);
    }

    void aStragglerDelaysWhatWaitsForIt() {
        constexpr std::int64_t second = 1'000'000'000;
        const NullPlan made = spreadPlan(2);
        NullPool punctual(made, true);
        const std::int64_t usual = lengthOf(punctual);
        std::atomic<int> calls = 0;
        null::Settings settings;
        settings.delay = [&calls](const std::string&) {
            return Nanoseconds{++calls == 1 ? second : 0};
        };
        NullPool late(made, true, settings);
        const std::int64_t delayed = lengthOf(late);
        QVERIFY(delayed >= second);
        QVERIFY(delayed <= usual + second);
    }

    void aFailureOfOneWorkerEndsAll() {
        std::atomic<int> calls = 0;
        null::Settings settings;
        settings.delay = [&calls](const std::string& op) {
            if (++calls == 20) {
                throw Error(ErrorCode::device, Where{.op = op}, "the device fell off",
                            "put it back");
            }
            return Nanoseconds{};
        };
        NullPool pool(spreadPlan(3), false, settings);
        try {
            for (int run = 0; run < 20; ++run) {
                pool.run();
            }
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::device);
        }
    }

    void anAbortedCommunicatorLetsNobodyWait() {
        NullPool pool(spreadPlan(2), false);
        pool.abort();
        QVERIFY_THROWS_EXCEPTION(Error, pool.run());
    }

    void sendsWhatThePlanCounts() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const NullPlan made(seed);
            NullPool pool(made, true);
            pool.run();
            pool.run();
            QCOMPARE(pool.elementsSent(), 2 * made.elementsSent());
        }
    }

    void waitsByTheHostsClockWhereAsked() {
        NullPlan made = spreadPlan(2);
        made.hurry();
        null::Settings settings;
        settings.time = null::Time::hosts;
        NullPool pool(made, false, settings);
        pool.run();
        QVERIFY(pool.measured(0).length() >= pool.predicted().length());
    }
};

std::unique_ptr<QObject> makeTestNullDevice() { return std::make_unique<TestNullDevice>(); }
#include "tst_null_device.moc"
