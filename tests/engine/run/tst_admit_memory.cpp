// SPDX-License-Identifier: Apache-2.0
#include "base/process/host_memory.h"
#include "run/train/admit_memory.h"
#include "run/train/open_workers.h"
#include "run/train/training_run.h"
#include <weft/error.h>

#include <QTest>
#include <memory>
#include <optional>

using namespace weft;

namespace {

/// Two devices of two ranks, this one the first.
struct TwoRanks {
    explicit TwoRanks(int hosts, Bytes other) : registry(makeRegistry()) {
        design.data.batch = 64;
        party.links.places = {{0, 0}, {1, hosts - 1}};
        party.ranks = 2;
        party.gatherNumbers = [other](std::int64_t mine) { return std::vector{mine, other.count}; };
        request = {.design = &design, .devices = {"cpu:0", "cpu:1"}, .local = {0}};
        request.party = &party;
        device = {DeviceId{0}, "cpu:0", &backendFor(*registry, "cpu:0"),
                  openDevice(*registry, "cpu:0", 1), 1};
    }
    [[nodiscard]] std::optional<Error> errorWith(ArenaNeed need) const {
        try {
            admitMemory(request, {&device}, {need});
        } catch (const Error& error) {
            return error;
        }
        return std::nullopt;
    }

    std::unique_ptr<const Registry> registry;
    Design design;
    RunParticipant party;
    RunRequest request;
    LocalDevice device;
};

} // namespace

class TestAdmitMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatFitsIsTaken() {
        QVERIFY(!TwoRanks(1, {1000}).errorWith({.slots = {1000}, .work = {1000}}));
    }

    void beyondTheHostIsRefusedWithTheBatchThatFits() {
        const Bytes there = hostMemory();
        const auto error =
            TwoRanks(2, there).errorWith({.slots = {1000}, .work = {4 * there.count}});
        QVERIFY(error.has_value());
        QCOMPARE(error->code(), ErrorCode::memory);
        const std::string text = error->what();
        QVERIFY2(text.find("cpu:0 with data.batch 64 needs " +
                           toString(Bytes{4 * there.count + 1000})) != std::string::npos,
                 text.c_str());
        const std::string advice = "set data.batch to ";
        QVERIFY2(error->remedy().starts_with(advice), text.c_str());
        const int batch = std::stoi(error->remedy().substr(advice.size()));
        QVERIFY(batch <= 16 && Bytes{4 * there.count / 64 * batch} <= freeHostMemory());
    }

    void whatRanksOfOneHostNeedIsSummed() {
        const Bytes most = hostMemory();
        QVERIFY(!TwoRanks(2, most).errorWith({.slots = {1000}, .work = {1000}}));
        const auto error = TwoRanks(1, most).errorWith({.slots = {1000}, .work = {1000}});
        QVERIFY(error.has_value());
        QVERIFY2(error->problem().starts_with("cpu:0 and 1 more with data.batch 64 need "),
                 error->what());
    }

    /// A chip has a name of its own on its host.
    void aChipIsNamedAsItsHostKnowsItToo() {
        TwoRanks ranks(2, {0});
        Backend ofChips = *ranks.device.backend;
        ofChips.space = MemorySpace::device;
        ranks.device.backend = &ofChips;
        ranks.device.name = ranks.request.devices[0] = "sim:4/0";
        const ArenaNeed need{.slots = {2 * hostMemory().count}, .work = {64}};
        for (const auto& [local, said] : {std::pair{"sim:0/0", "sim:4/0 on its sim:0 with "},
                                          std::pair{"sim:4/0", "sim:4/0 with "}}) {
            ranks.device.local = local;
            const auto error = ranks.errorWith(need);
            QVERIFY(error.has_value());
            QVERIFY2(error->problem().starts_with(said), error->what());
        }
    }

    /// Pinned memory for what its host computes and for collectives.
    void whatAChipStagesIsMemoryOfItsHost() {
        TwoRanks ranks(2, {0});
        Backend ofChips = *ranks.device.backend;
        ofChips.space = MemorySpace::device;
        ranks.device.backend = &ofChips;
        const Bytes tooMuch{2 * hostMemory().count};
        QVERIFY(!ranks.errorWith({.slots = {64}, .work = {64}, .staging = {64}}));
        for (const ArenaNeed& need : {ArenaNeed{.slots = {64}, .staging = tooMuch},
                                      ArenaNeed{.slots = {64}, .collectiveStaging = tooMuch}}) {
            const auto error = ranks.errorWith(need);
            QVERIFY(error.has_value());
            QVERIFY2(error->problem().find(" needs " + toString(tooMuch)) != std::string::npos,
                     error->what());
        }
    }

    void weightsThatDoNotFitAreMendedByNoBatch() {
        const auto error =
            TwoRanks(2, {0}).errorWith({.slots = {2 * hostMemory().count}, .work = {64}});
        QVERIFY(error.has_value());
        QVERIFY2(error->remedy().starts_with("a smaller batch does not help: "), error->what());
    }
};

std::unique_ptr<QObject> makeTestAdmitMemory() { return std::make_unique<TestAdmitMemory>(); }
#include "tst_admit_memory.moc"
