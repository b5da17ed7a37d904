// SPDX-License-Identifier: Apache-2.0
#include "comm/simulated/simulated_communicator.h"
#include "comm/threads/threads_communicator.h"
#include "support/test_main.h"

#include <QTest>
#include <algorithm>
#include <memory>
#include <numeric>

using namespace weft;

namespace {

/// Tensors of one member: shares that go by themselves, small ones, and more members than elements.
struct Member {
    std::vector<std::vector<float>> tensors;
    std::vector<std::vector<float>> sums;
    std::unique_ptr<Collective> collective;
};

using Sizes = std::vector<std::int64_t>;
const Sizes mixed{3, 100'003, 1, 70'000, 5000, 131'072};
const Sizes little{3, 1, 512, 512}; // as the statistics of a normalisation

float drawn(int round, std::size_t member, std::size_t tensor, std::size_t element) {
    return static_cast<float>(
        (element * 7 + member * 131 + tensor * 17 + static_cast<std::size_t>(round) * 29) % 1009);
}

} // namespace

class TestAllReduce : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMemberHasTheSum_data() {
        QTest::addColumn<bool>("isByMessages");
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("isInPlace");
        QTest::addColumn<bool>("isLittle");
        for (const bool isByMessages : {false, true}) {
            for (const int count : {1, 2, 3, 5}) {
                for (const bool isInPlace : {false, true}) {
                    for (const bool isLittle : {false, true}) {
                        QTest::addRow("%s, %d members%s%s", isByMessages ? "messages" : "threads",
                                      count, isInPlace ? ", in place" : "",
                                      isLittle ? ", little" : "")
                            << isByMessages << count << isInPlace << isLittle;
                    }
                }
            }
        }
    }
    void everyMemberHasTheSum() {
        QFETCH(const bool, isByMessages);
        QFETCH(const int, count);
        QFETCH(const bool, isInPlace);
        QFETCH(const bool, isLittle);
        const auto communicator =
            isByMessages ? makeSimulatedCommunicator() : makeThreadsCommunicator();
        std::vector<Member> members =
            prepared(*communicator, static_cast<std::size_t>(count), isLittle ? little : mixed);
        for (int round = 0; round < 3; ++round) {
            for (std::size_t m = 0; m < members.size(); ++m) {
                begin(members[m], round, m, isInPlace);
            }
            finish(members);
            for (const Member& member : members) {
                QVERIFY(hasSums(isInPlace ? member.tensors : member.sums, round, members.size()));
                QCOMPARE(member.collective->arrived().size(), members.size());
            }
        }
    }

    void twoWithLittleToSumNeedOneRound() {
        const auto communicator = makeSimulatedCommunicator();
        std::vector<Member> members = prepared(*communicator, 2, little);
        for (std::size_t m = 0; m < members.size(); ++m) {
            begin(members[m], 0, m, true);
        }
        // The first has all it needs though the second has not looked yet.
        QVERIFY(members[0].collective->hasFinished());
        QVERIFY(hasSums(members[0].tensors, 0, 2));
        QVERIFY(members[1].collective->hasFinished());
        QVERIFY(hasSums(members[1].tensors, 0, 2));
        // As many elements as in two rounds.
        const std::int64_t all = std::accumulate(little.begin(), little.end(), std::int64_t{0});
        QCOMPARE(members[0].collective->elementsSent(), all);
        QCOMPARE(members[1].collective->elementsSent(), all);
    }

private:
    static std::vector<Member> prepared(Communicator& communicator, std::size_t count,
                                        const Sizes& sizes) {
        CollectiveRequest request;
        request.name = "gradients";
        request.isAllReduce = true;
        request.elements = sizes;
        request.formats.resize(sizes.size());
        std::vector<std::size_t> bytes;
        bytes.reserve(sizes.size());
        for (const std::int64_t size : sizes) {
            bytes.push_back(static_cast<std::size_t>(size) * sizeof(float));
        }
        request.inputBytes.assign(count, bytes);
        request.outputBytes.assign(count, bytes);
        for (std::uint32_t m = 0; m < count; ++m) {
            request.members.push_back(DeviceId{m});
        }
        std::vector<Member> members(count);
        for (std::size_t m = 0; m < count; ++m) {
            for (const std::int64_t size : sizes) {
                members[m].tensors.emplace_back(size);
                members[m].sums.emplace_back(size, -1.0F);
            }
            members[m].collective = communicator.prepare(request, request.members[m]);
        }
        return members;
    }

    static void begin(Member& member, int round, std::size_t m, bool isInPlace) {
        std::vector<const void*> inputs;
        std::vector<void*> outputs;
        inputs.reserve(member.tensors.size());
        outputs.reserve(member.tensors.size());
        for (std::size_t t = 0; t < member.tensors.size(); ++t) {
            for (std::size_t k = 0; k < member.tensors[t].size(); ++k) {
                member.tensors[t][k] = drawn(round, m, t, k);
            }
            inputs.push_back(member.tensors[t].data());
            outputs.push_back(isInPlace ? member.tensors[t].data() : member.sums[t].data());
        }
        member.collective->start(inputs, outputs, nullptr);
    }

    static void finish(std::vector<Member>& members) {
        std::vector<bool> ended(members.size());
        for (int look = 0; look < 1000 && std::ranges::find(ended, false) != ended.end(); ++look) {
            for (std::size_t m = 0; m < members.size(); ++m) {
                ended[m] = ended[m] || members[m].collective->hasFinished();
            }
        }
        QVERIFY(std::ranges::find(ended, false) == ended.end());
    }

    static bool hasSums(const std::vector<std::vector<float>>& tensors, int round,
                        std::size_t count) {
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            for (std::size_t k = 0; k < tensors[t].size(); ++k) {
                float sum = 0;
                for (std::size_t m = 0; m < count; ++m) {
                    sum += drawn(round, m, t, k);
                }
                if (tensors[t][k] != sum) {
                    return false;
                }
            }
        }
        return true;
    }
};

std::unique_ptr<QObject> makeTestAllReduce() { return std::make_unique<TestAllReduce>(); }
#include "tst_all_reduce.moc"
