// SPDX-License-Identifier: Apache-2.0
// The room of NCCL on chips that are not there: what they exchange is what it is through the hosts,
// every wait around it is missed, and what never comes or fails ends as in any other room.

#include "backends/backends.h"
#include "comm/nccl/room.h"
#include "comm/threads/threads_room.h"
#include "place/place.h"
#include "run/checkpoint.h"
#include "schedule/meeting_room.h"
#include "schedule/schedule.h"
#include "support/fed_pool.h"
#include "support/sim/sim_room.h"
#include "support/small_network.h"
#include <weft/error.h>

#include <QTest>
#include <future>
#include <thread>

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::chrono::milliseconds soon{150};

/// What it throws; none: nothing.
std::optional<Error> failureOf(const std::function<void()>& run) {
    try {
        run();
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

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

/// A network trained by data on so many chips.
class Training {
public:
    Training(std::size_t devices, const std::string& wanted) {
        backends::fill(backends_);
        rooms_.add(sim::simRoom());
        const ValueId x = network_.input("x", {12, 6});
        const ValueId y = network_.op("act", "relu", {network_.dense("one", x, 8)});
        network_.train(network_.meanLoss("loss", network_.dense("two", y, 4)));
        PlacementRequest request = network_.request(devices, {{"", "data"}});
        for (std::size_t k = 0; k < devices; ++k) {
            request.devices[k] = "sim:" + std::to_string(k);
        }
        plan_ = std::make_shared<const Plan>(
            place(std::make_shared<const Graph>(network_.graph()), network_.ops(), request).plan);
        const Backend& backend = *backends_.find("sim");
        const RoomRule rule = roomRule(rooms_, request.devices, wanted);
        for (std::uint32_t d = 0; d < devices; ++d) {
            programs.push_back(schedule(plan_, DeviceId{d}, backend, backend.find().front(),
                                        {.order = "dataflow",
                                         .lanes = 2,
                                         .seed = 3,
                                         .rooms = &rule,
                                         .fallback = &backends_.find("reference")->kernels}));
        }
    }

    [[nodiscard]] std::unique_ptr<WorkerPool> pool(Room& room,
                                                   std::chrono::nanoseconds limit) const {
        return std::make_unique<WorkerPool>(openDevices(backends_, programs.size(), "sim", 1),
                                            &room, false, DevicesMeeting{&rooms_, limit});
    }
    void prepare(WorkerPool& pool) const {
        pool.prepare(
            [this](const LocalDevice& local) { return std::vector{programs[local.id.value]}; });
        initialiseSlots(pool, 5);
        feed(pool, 0, *plan_->graph, 0, [](const std::string&) { return 3; });
    }
    /// The loss and all that is kept, after a step.
    [[nodiscard]] std::vector<double> numbers() const;

    std::vector<Program> programs; ///< by device

private:
    SmallNetwork network_;
    BackendList backends_;
    RoomList rooms_;
    std::shared_ptr<const Plan> plan_;
};

std::vector<double> Training::numbers() const {
    const std::unique_ptr<Room> room = makeThreadsRoom();
    const std::unique_ptr<WorkerPool> made = pool(*room, std::chrono::minutes(1));
    prepare(*made);
    made->setLimit(std::chrono::minutes(1));
    made->run(0);
    std::vector<double> all{lossOf(*made, 0, *plan_->graph)};
    for (std::size_t s = 0; s < plan_->graph->slots.size(); ++s) {
        std::ranges::copy(gather(*made, *plan_->graph, s, {}), std::back_inserter(all));
    }
    return all;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
    double most = a.size() == b.size() ? 0 : 1;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
        most = std::max(most, std::abs(a[k] - b[k]) / std::max(1e-3, std::abs(a[k])));
    }
    return most;
}

/// {step, wait} of every wait of the program.
std::vector<std::pair<std::size_t, std::size_t>> waitsOf(const Program& program) {
    std::vector<std::pair<std::size_t, std::size_t>> waits;
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        for (std::size_t w = 0; w < program.steps[s].waits.size(); ++w) {
            waits.emplace_back(s, w);
        }
    }
    return waits;
}

} // namespace

class TestSimRooms : public QObject {
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
        const Training direct(static_cast<std::size_t>(devices), "devices");
        const Training staged(static_cast<std::size_t>(devices), "host");
        QVERIFY(!direct.programs.front().collectives.empty());
        for (const CollectiveRequest& collective : direct.programs.front().collectives) {
            QCOMPARE(collective.room, std::string("nccl"));
        }
        for (const CollectiveRequest& collective : staged.programs.front().collectives) {
            QVERIFY(collective.room.empty());
        }
        const double difference = apart(staged.numbers(), direct.numbers());
        QVERIFY2(difference < 1e-4, std::to_string(difference).c_str());
    }

    /// Before what devices exchange, and after it.
    void missEveryWait() {
        Training training(2, "devices");
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
        const Training training(2, "devices");
        const std::unique_ptr<Room> room = makeThreadsRoom();
        const auto pool = training.pool(*room, soon);
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
        const Training training(2, "devices");
        QVERIFY2(failure->where().op == training.programs.front().collectives.front().name,
                 failure->what());
    }

    void areEndedFromAnyThread() {
        const Planted planted(sim::meetingFaults().neverArrives, 1);
        const Training training(2, "devices");
        const std::unique_ptr<Room> room = makeThreadsRoom();
        const auto pool = training.pool(*room, std::chrono::minutes(1));
        training.prepare(*pool);
        pool->setLimit(std::chrono::minutes(1));
        auto run = std::async(std::launch::async, [&] { return failureOf([&] { pool->run(0); }); });
        while (pool->stands().empty()) {
            std::this_thread::yield();
        }
        pool->abort(std::make_exception_ptr(Error(ErrorCode::stopped, {}, "that will do", "")));
        const std::optional<Error> failure = run.get();
        QVERIFY(failure && failure->code() == ErrorCode::stopped);
        QCOMPARE(failure->problem(), std::string("that will do"));
    }

    void areEndedWhileMembersJoin() {
        const Planted planted(sim::meetingFaults().neverJoins, 1);
        const Training training(2, "devices");
        const std::unique_ptr<Room> room = makeThreadsRoom();
        const auto pool = training.pool(*room, std::chrono::minutes(1));
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
            Training(2, "devices").programs.front().collectives.front();
        const std::unique_ptr<Room> hosts = makeThreadsRoom();
        const auto join = [&](std::uint32_t member) {
            const auto device = backend.open("sim:0", 1);
            const auto room = nccl::openRoom({device.get(), &backend.kernels, hosts.get(), soon});
            return failureOf([&] { (void)room->prepare(request, DeviceId{member}); });
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
        const Training training(2, "devices");
        const std::unique_ptr<Room> room = makeThreadsRoom();
        const auto pool = training.pool(*room, std::chrono::minutes(1));
        training.prepare(*pool);
        pool->setLimit(limit);
        pool->run(0);
    }
};

std::unique_ptr<QObject> makeTestSimRooms() { return std::make_unique<TestSimRooms>(); }
#include "tst_sim_rooms.moc"
