// SPDX-License-Identifier: Apache-2.0
#include "base/process/threads.h"
#include "support/test_main.h"
#include <weft/error.h>

#include <sys/resource.h>

#include <QTest>
#include <memory>
#include <vector>

using namespace weft;

namespace {

/// This process gets no more memory for stacks while it lives.
class NoMoreStacks {
public:
    NoMoreStacks() {
        getrlimit(RLIMIT_AS, &before_);
        rlimit none = before_;
        none.rlim_cur = 0;
        setrlimit(RLIMIT_AS, &none);
    }
    ~NoMoreStacks() { setrlimit(RLIMIT_AS, &before_); }
    NoMoreStacks(const NoMoreStacks&) = delete;
    NoMoreStacks& operator=(const NoMoreStacks&) = delete;

private:
    rlimit before_{};
};

} // namespace

class TestThreads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesTheThreadThatTheSystemRefuses() {
        std::vector<std::jthread> threads; // that wait: no stack comes free
        threads.reserve(100);
        QString said;
        for (int k = 0; k < 100 && said.isEmpty(); ++k) {
            const std::string name = "stream " + std::to_string(k);
            const NoMoreStacks none;
            try {
                threads.push_back(startThread(name, [](const std::stop_token& stop) {
                    while (!stop.stop_requested()) {
                        std::this_thread::yield();
                    }
                }));
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::memory);
                said = QString::fromStdString(error.problem());
                QVERIFY2(said.endsWith("cannot start " + QString::fromStdString(name)),
                         qPrintable(said));
            }
        }
        QVERIFY2(!said.isEmpty(), "a hundred threads were started");
    }
};

std::unique_ptr<QObject> makeTestThreads() { return std::make_unique<TestThreads>(); }

#include "tst_threads.moc"
