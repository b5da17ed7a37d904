// SPDX-License-Identifier: Apache-2.0
// The communicator of workers on one chip: they exchange what they would through their hosts, each
// reads what is ready and nothing is overwritten that is still read.

#include "backends/backends.h"
#include "comm/chip/communicator.h"
#include "comm/threads/threads_communicator.h"
#include "gpu/communicator_training.h"

#include <QTest>
#include <array>
#include <future>
#include <latch>
#include <thread>

using namespace weft;
using namespace weft::test;

namespace {

std::vector<std::string> workers(int count) {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
        names.push_back("sim:0/" + std::to_string(k));
    }
    return names;
}

/// Three elements of a member's tensor: a hundred of member one, ten of its second tensor, ...
std::vector<float> tensorOf(std::size_t member, std::size_t tensor) {
    const auto first = static_cast<float>(100 * (member + 1) + 10 * tensor);
    return {first, first + 1, first + 2};
}

/// Two tensors of three elements from and to places apart.
CollectiveRequest requestOf(std::size_t members) {
    CollectiveRequest request{.name = "what they exchange", .kind = "all-reduce"};
    for (std::uint32_t member = 0; member < members; ++member) {
        request.members.push_back({member});
    }
    request.inputBytes.assign(members, {12, 12});
    request.outputBytes.assign(members, {12, 12});
    return request;
}

/// Returns the contents of each member's tensors after the collective, concatenated.
std::vector<std::vector<float>> exchanged(const CollectiveRequest& request) {
    BackendList backends;
    backends::fill(backends);
    const Backend& backend = *backends.find("sim");
    const std::unique_ptr<Communicator> hosts = makeThreadsCommunicator();
    std::latch all(static_cast<std::ptrdiff_t>(request.members.size()));
    const auto take = [&](std::size_t me) {
        constexpr Bytes size{12};
        constexpr std::size_t apart = 64;
        const auto device = backend.open("sim:0/" + std::to_string(me), 1);
        const auto communicator = chip::openCommunicator(
            {device.get(), &backend.kernels, hosts.get(), std::chrono::minutes(1)});
        const auto stream = device->makeStream(0, 1);
        const auto arena = device->allocate({4 * apart});
        auto* const begin = static_cast<std::byte*>(arena->address());
        const std::array<const void*, 2> inputs{begin, begin + apart};
        const std::array<void*, 2> outputs{begin + 2 * apart, begin + 3 * apart};
        for (std::size_t tensor = 0; tensor < 2; ++tensor) {
            device->copyIn(begin + tensor * apart, tensorOf(me, tensor).data(), size);
        }
        const auto collective =
            communicator->prepare(request, DeviceId{static_cast<std::uint32_t>(me)});
        collective->start(inputs, outputs, stream.get());
        while (!collective->hasFinished()) {
            std::this_thread::yield();
        }
        stream->finish();
        all.arrive_and_wait(); // as workers of a run outlive its steps
        std::vector<float> made(6);
        device->copyOut(made.data(), outputs[0], size);
        device->copyOut(made.data() + 3, outputs[1], size);
        return made;
    };
    std::vector<std::future<std::vector<float>>> takers;
    for (std::size_t me = 0; me < request.members.size(); ++me) {
        takers.push_back(std::async(std::launch::async, take, me));
    }
    std::vector<std::vector<float>> made;
    std::ranges::transform(takers, std::back_inserter(made), [](auto& one) { return one.get(); });
    return made;
}

} // namespace

class TestSimChipCommunicator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exchangesWhatTheHostsWould_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("assigned");
        QTest::newRow("sums of two") << 2 << "data";
        QTest::newRow("sums of three") << 3 << "data";
        QTest::newRow("pieces") << 2 << "model.stack";
        QTest::newRow("pieces of three") << 3 << "model.stack";
        QTest::newRow("sums of pieces") << 3 << "model.add";
    }
    void exchangesWhatTheHostsWould() {
        QFETCH(int, count);
        QFETCH(QString, assigned);
        const CommunicatorTraining direct(workers(count), "devices", assigned.toStdString());
        const CommunicatorTraining staged(workers(count), "host", assigned.toStdString());
        QVERIFY(!direct.programs.front().collectives.empty());
        for (const CollectiveRequest& collective : direct.programs.front().collectives) {
            QCOMPARE(collective.communicator, std::string("chip"));
        }
        const double difference = apart(staged.numbers(), direct.numbers());
        QVERIFY2(difference < 1e-4, std::to_string(difference).c_str());
    }

    void sumsTensorsIntoPlacesApart() {
        CollectiveRequest request = requestOf(3);
        request.isAllReduce = true;
        request.elements = {3, 3};
        for (const std::vector<float>& made : exchanged(request)) {
            QCOMPARE(made, (std::vector<float>{600, 603, 606, 630, 633, 636}));
        }
    }

    /// Sends only a part of the second tensor; elements that nobody writes are zero.
    void sendsSeveralPiecesToOne() {
        CollectiveRequest request = requestOf(2);
        for (int from = 0; from < 2; ++from) {
            request.transfers.push_back({.from = from,
                                         .to = 1 - from,
                                         .tensor = 0,
                                         .source = {.offset = 0, .count = {3}, .stride = {1}},
                                         .target = {.offset = 0, .count = {3}, .stride = {1}}});
            request.transfers.push_back({.from = from,
                                         .to = 1 - from,
                                         .tensor = 1,
                                         .source = {.offset = 1, .count = {2}, .stride = {1}},
                                         .target = {.offset = 0, .count = {2}, .stride = {1}}});
        }
        const auto made = exchanged(request);
        QCOMPARE(made[0], (std::vector<float>{200, 201, 202, 211, 212, 0}));
        QCOMPARE(made[1], (std::vector<float>{100, 101, 102, 111, 112, 0}));
    }

    /// Before what they exchange, and after it.
    void missesEveryWait() {
        CommunicatorTraining training(workers(2), "devices");
        const std::vector<double> whole = training.numbers();
        const Program kept = training.programs.front();
        int foundBeforeSums = 0;
        int foundAfter = 0;
        for (const auto& [s, w] : waitsOf(kept)) {
            Program& program = training.programs.front();
            program = kept;
            auto& all = program.steps[s].waits;
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(w));
            const auto failure = failureOf([&] { QVERIFY(training.numbers() == whole); });
            if (failure) {
                QVERIFY2(failure->code() == ErrorCode::device, failure->what());
                ++(program.steps[s].kind == StepKind::collective ? foundBeforeSums : foundAfter);
            }
        }
        QVERIFY(foundBeforeSums > 0);
        QVERIFY(foundAfter > 0);
    }

    void isEndedFromAnyThread() {
        const CommunicatorTraining training(workers(2), "devices");
        const std::unique_ptr<Communicator> communicator = makeThreadsCommunicator();
        const auto pool = training.pool(*communicator, std::chrono::minutes(1));
        training.prepare(*pool);
        pool->abort(std::make_exception_ptr(Error(ErrorCode::stopped, {}, "that will do", "")));
        const auto failure = failureOf([&] { pool->run(0); });
        QVERIFY(failure && failure->code() == ErrorCode::stopped);
    }
};

std::unique_ptr<QObject> makeTestSimChipCommunicator() {
    return std::make_unique<TestSimChipCommunicator>();
}
#include "tst_sim_chip_communicator.moc"
