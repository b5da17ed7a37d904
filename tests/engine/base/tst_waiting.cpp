// SPDX-License-Identifier: Apache-2.0
#include "base/process/threads.h"
#include "base/process/waiting.h"
#include <weft/error.h>

#include <pthread.h>

#include <QTest>
#include <array>
#include <memory>

using namespace weft;
using namespace std::chrono_literals;

class TestWaiting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWaitEndsWhenItsConditionHolds() {
        std::mutex mutex;
        std::condition_variable changed;
        bool isThere = false;
        std::string name(16, '\0');
        const auto thread = startThread("weft-test-with-a-long-name", [&] {
            pthread_getname_np(pthread_self(), name.data(), name.size());
            const std::lock_guard lock(mutex);
            isThere = true;
            changed.notify_one();
        });
        std::unique_lock lock(mutex);
        waitFor(changed, lock, 60s, "the thread of the test", [&] { return isThere; });
        name.erase(name.find('\0'));
        QCOMPARE(name, std::string("weft-test-with-"));
    }

    void aWaitInVainNamesItself() {
        std::mutex mutex;
        std::condition_variable changed;
        std::unique_lock lock(mutex);
        try {
            waitFor(changed, lock, 5ms, "the last write of the log", [] { return false; });
            QFAIL("it came back");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::timeout);
            QVERIFY(error.problem().find("5.00 ms, waiting for the last write of the log") !=
                    std::string::npos);
            QVERIFY(!error.remedy().empty());
        }
        QVERIFY(Deadline(0ns).hasPassed());
        QVERIFY(Deadline(1h).left() > 59min);
    }

    void aThreadIsAskedToStop() {
        std::mutex mutex;
        std::condition_variable_any changed;
        auto thread = startThread("weft-test", [&](const std::stop_token& stop) {
            std::unique_lock lock(mutex);
            QVERIFY(!changed.wait(lock, stop, [] { return false; }));
        });
        thread.request_stop();
        thread.join();
        QVERIFY(!thread.joinable());
    }
};

std::unique_ptr<QObject> makeTestWaiting() { return std::make_unique<TestWaiting>(); }
#include "tst_waiting.moc"
