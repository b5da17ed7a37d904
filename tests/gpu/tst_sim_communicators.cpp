// SPDX-License-Identifier: Apache-2.0
// The communicator of NCCL on chips that are not there: what they exchange is what it is through
// the hosts, every wait around it is missed, and what never comes or fails ends as in any other
// communicator.

#include "backends/backends.h"
#include "comm/nccl/communicator.h"
#include "comm/threads/threads_communicator.h"
#include "gpu/communicator_training.h"
#include "support/sim/sim_communicator.h"

#include <QTest>
#include <future>
#include <thread>

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::chrono::milliseconds soon{150};

/// For as long as it lives.
class Planted {
public:
    Planted(std::atomic<int>& fault, int member) : fault_(fault) { fault_ = member; }
    ~Planted() { fault_ = -1; }
    Planted(const Planted&) = delete;
    Planted& operator=(const Planted&) = delete;

private:
    std::atomic<int>& fault_;
};

std::vector<std::string> chips(int count) {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
        names.push_back("sim:" + std::to_string(k));
    }
    return names;
}

} // namespace

class TestSimCommunicators : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("WEFT_SIM_CHIPS", "0,1,2"); }

    void sumWhatTheHostsWould_data() {
        QTest::addColumn<int>("devices");
        QTest::newRow("two") << 2;
        QTest::newRow("three") << 3;
    }
    void sumWhatTheHostsWould() {
        QFETCH(int, devices);
        const CommunicatorTraining direct(chips(devices), "devices");
        const CommunicatorTraining staged(chips(devices), "host");
        QVERIFY(!direct.programs.front().collectives.empty());
        for (const CollectiveRequest& collective : direct.programs.front().collectives) {
            QCOMPARE(collective.communicator, std::string("nccl"));
        }
        for (const CollectiveRequest& collective : staged.programs.front().collectives) {
            QVERIFY(collective.communicator.empty());
        }
        const double difference = apart(staged.numbers(), direct.numbers());
        QVERIFY2(difference < 1e-4, std::to_string(difference).c_str());
    }

    /// Before what devices exchange, and after it.
    void missEveryWait() {
        CommunicatorTraining training(chips(2), "devices");
        const std::vector<double> whole = training.numbers();
        const Program kept = training.programs.front();
        int waits = 0;
        int found = 0;
        int foundBeforeSums = 0;
        for (const auto& [s, w] : waitsOf(kept)) {
            Program& program = training.programs.front();
            program = kept;
            auto& all = program.steps[s].waits;
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(w));
            ++waits;
            try {
                QVERIFY2(training.numbers() == whole, program.steps[s].name.c_str());
            } catch (const Error& error) {
                QVERIFY2(error.code() == ErrorCode::device, error.what());
                ++found;
                foundBeforeSums += program.steps[s].kind == StepKind::collective ? 1 : 0;
            }
        }
        qInfo("%d waits, %d of them missed, %d before sums", waits, found, foundBeforeSums);
        QVERIFY(found > 0);
        QVERIFY(foundBeforeSums > 0);
        QVERIFY(found > foundBeforeSums);
    }

    void nameWhoseMembersNeverJoin() {
        const Planted planted(sim::meetingFaults().neverJoins, 1);
        const CommunicatorTraining training(chips(2), "devices");
        const std::unique_ptr<Communicator> communicator = makeThreadsCommunicator();
        const auto pool = training.pool(*communicator, soon);
        const auto failure = failureOf([&] { training.prepare(*pool); });
        QVERIFY(failure && failure->code() == ErrorCode::timeout);
        QVERIFY2(failure->where().op == training.programs.front().collectives.front().name,
                 failure->what());
    }

    void nameWhatAMemberNeverComesTo() {
        const Planted planted(sim::meetingFaults().neverArrives, 1);
        const auto failure = failureOf([&] { runOnce(soon); });
        QVERIFY(failure && failure->code() == ErrorCode::timeout);
        QVERIFY2(failure->where().op.find("all-reduce") != std::string::npos, failure->what());
    }

    void tellWhatFailed() {
        const Planted planted(sim::meetingFaults().fails, 0);
        const auto failure = failureOf([&] { runOnce(std::chrono::minutes(1)); });
        QVERIFY(failure && failure->code() == ErrorCode::peer);
        const CommunicatorTraining training(chips(2), "devices");
        QVERIFY2(failure->where().op == training.programs.front().collectives.front().name,
                 failure->what());
    }

    void areEndedFromAnyThread() {
        const Planted planted(sim::meetingFaults().neverArrives, 1);
        const CommunicatorTraining training(chips(2), "devices");
        const std::unique_ptr<Communicator> communicator = makeThreadsCommunicator();
        const auto pool = training.pool(*communicator, std::chrono::minutes(1));
        training.prepare(*pool);
        pool->setCollectiveLimit(std::chrono::minutes(1));
        auto run = std::async(std::launch::async, [&] { return failureOf([&] { pool->run(0); }); });
        while (pool->streamPositions().empty()) {
            std::this_thread::yield();
        }
        pool->abort(std::make_exception_ptr(Error(ErrorCode::stopped, {}, "that will do", "")));
        const std::optional<Error> failure = run.get();
        QVERIFY(failure && failure->code() == ErrorCode::stopped);
        QCOMPARE(failure->problem(), std::string("that will do"));
    }

    void areEndedWhileMembersJoin() {
        const Planted planted(sim::meetingFaults().neverJoins, 1);
        const CommunicatorTraining training(chips(2), "devices");
        const std::unique_ptr<Communicator> communicator = makeThreadsCommunicator();
        const auto pool = training.pool(*communicator, std::chrono::minutes(1));
        std::atomic<int> making = 0;
        auto prepared = std::async(std::launch::async, [&] {
            return failureOf([&] {
                pool->prepare([&](const LocalDevice& local) {
                    ++making;
                    return std::vector{training.programs[local.id.value]};
                });
            });
        });
        while (making < 2) {
            std::this_thread::yield();
        }
        pool->abort(std::make_exception_ptr(Error(ErrorCode::stopped, {}, "that will do", "")));
        const std::optional<Error> failure = prepared.get();
        QVERIFY(failure && failure->code() == ErrorCode::stopped);
    }

    void refuseTwoMembersOnOneChip() {
        BackendList backends;
        backends::fill(backends);
        const Backend& backend = *backends.find("sim");
        const CollectiveRequest request =
            CommunicatorTraining(chips(2), "devices").programs.front().collectives.front();
        const std::unique_ptr<Communicator> hosts = makeThreadsCommunicator();
        const auto join = [&](std::uint32_t member) {
            const auto device = backend.open("sim:0", 1);
            const auto communicator =
                nccl::openCommunicator({device.get(), &backend.kernels, hosts.get(), soon});
            return failureOf([&] { (void)communicator->prepare(request, DeviceId{member}); });
        };
        auto other = std::async(std::launch::async, join, 1);
        const std::optional<Error> mine = join(0);
        const std::optional<Error> others = other.get();
        QVERIFY(mine && others);
        const Error& refused = mine->code() == ErrorCode::peer ? *mine : *others;
        QVERIFY2(refused.problem().find("one chip") != std::string::npos, refused.what());
    }

private:
    static void runOnce(std::chrono::nanoseconds limit) {
        const CommunicatorTraining training(chips(2), "devices");
        const std::unique_ptr<Communicator> communicator = makeThreadsCommunicator();
        const auto pool = training.pool(*communicator, std::chrono::minutes(1));
        training.prepare(*pool);
        pool->setCollectiveLimit(limit);
        pool->run(0);
    }
};

std::unique_ptr<QObject> makeTestSimCommunicators() {
    return std::make_unique<TestSimCommunicators>();
}
#include "tst_sim_communicators.moc"
