// SPDX-License-Identifier: Apache-2.0
// Waiting time and exchange time of a member, the same in every communicator.
#include "comm/simulated/simulated_communicator.h"
#include "comm/threads/threads_communicator.h"
#include "device/backend.h"
#include "support/test_main.h"

#include <QTest>
#include <memory>
#include <vector>

using namespace weft;

namespace {

constexpr std::int64_t small = 100;
constexpr std::int64_t large = 100'000;

/// All of each tensor everywhere, or from the first member to the second.
CollectiveRequest requestOf(bool isAllReduce, std::int64_t elements) {
    CollectiveRequest request;
    request.name = "y";
    request.members = {DeviceId{0}, DeviceId{1}};
    const auto bytes = static_cast<std::size_t>(elements) * sizeof(float);
    request.inputBytes = {{bytes}, {bytes}};
    request.outputBytes = {{bytes}, {bytes}};
    request.isAllReduce = isAllReduce;
    if (isAllReduce) {
        request.elements = {elements};
        request.formats = {""};
    } else {
        const Piece all{.offset = 0, .count = {elements}, .stride = {1}};
        request.transfers = {{.from = 0, .to = 1, .source = all, .target = all}};
        request.inputBytes[1] = {0};
        request.outputBytes[0] = {0};
    }
    return request;
}

} // namespace

class TestMeeting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void waitingEndsWhenTheLastHasCome_data() {
        QTest::addColumn<bool>("isByMessages");
        QTest::addColumn<bool>("isAllReduce");
        QTest::addColumn<qint64>("elements");
        QTest::addColumn<int>("last");
        for (const bool isByMessages : {false, true}) {
            for (const bool isAllReduce : {false, true}) {
                for (const std::int64_t elements : {small, large}) {
                    for (const int last : {0, 1}) {
                        QTest::addRow("%s, %s of %d, member %d comes last",
                                      isByMessages ? "messages" : "threads",
                                      isAllReduce ? "all-reduce" : "transfer",
                                      static_cast<int>(elements), last)
                            << isByMessages << isAllReduce << qint64(elements) << last;
                    }
                }
            }
        }
    }
    void waitingEndsWhenTheLastHasCome() {
        QFETCH(const bool, isByMessages);
        QFETCH(const bool, isAllReduce);
        QFETCH(const qint64, elements);
        QFETCH(const int, last);
        const auto communicator =
            isByMessages ? makeSimulatedCommunicator() : makeThreadsCommunicator();
        const CollectiveRequest request = requestOf(isAllReduce, elements);
        std::vector<float> data(static_cast<std::size_t>(elements));
        std::vector<float> result = data;
        std::unique_ptr<Collective> members[2];
        for (std::uint32_t m = 0; m < 2; ++m) {
            members[m] = communicator->prepare(request, DeviceId{m});
        }
        for (int round = 0; round < 3; ++round) {
            const auto start = [&](int m) {
                const void* inputs[] = {m == 0 || isAllReduce ? data.data() : nullptr};
                void* outputs[] = {m == 1 || isAllReduce ? result.data() : nullptr};
                members[m]->start(inputs, outputs, nullptr);
                return members[m]->hasFinished();
            };
            const int first = 1 - last;
            const std::int64_t begun = nowNanoseconds();
            const bool isOverAtOnce = start(first);
            const std::int64_t came = nowNanoseconds();
            bool isOver[2] = {isOverAtOnce, isOverAtOnce};
            isOver[last] = start(last);
            while (!isOver[0] || !isOver[1]) {
                isOver[0] = isOver[0] || members[0]->hasFinished();
                isOver[1] = isOver[1] || members[1]->hasFinished();
            }
            // Little is sent whoever is there to take it.
            const bool isSentAtOnce =
                isByMessages && !isAllReduce && elements == small && last == 1;
            QCOMPARE(isOverAtOnce, false);
            QVERIFY2(isSentAtOnce ? members[first]->met() < begun : members[first]->met() >= came,
                     qPrintable(QString("%1 after %2").arg(members[first]->met()).arg(came)));
            QVERIFY(members[first]->met() <= nowNanoseconds());
            QVERIFY(members[last]->met() < begun);
        }
    }
};

std::unique_ptr<QObject> makeTestMeeting() { return std::make_unique<TestMeeting>(); }
#include "tst_meeting.moc"
