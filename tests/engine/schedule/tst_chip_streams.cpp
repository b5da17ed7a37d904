// SPDX-License-Identifier: Apache-2.0
#include "schedule/predict/chip_streams.h"
#include "schedule/select/stream_count.h"

#include <QTest>
#include <memory>

using namespace weft;

namespace {

ChipStep step(std::uint32_t stream, std::int64_t work, double fills,
              std::vector<StepWait> waits = {}) {
    return {
        .stream = stream, .waits = std::move(waits), .launch = 10, .work = work, .fills = fills};
}

/// Tasks of so much work, by what each reads; each fills that share of a chip.
LocalPlan planOf(const std::vector<std::vector<int>>& from, std::int64_t work, double fills) {
    LocalPlan local;
    for (std::size_t t = 0; t < from.size(); ++t) {
        local.values.emplace_back();
        Task task;
        task.inputs = from[t];
        task.outputs = {static_cast<int>(t)};
        task.predicted = {4000 + work};
        task.chip = {.launch = {4000}, .fills = fills};
        local.tasks.push_back(std::move(task));
    }
    return local;
}

/// Four branches of so many tasks each, from one and into one.
LocalPlan branches(int length, std::int64_t work, double fills) {
    std::vector<std::vector<int>> from{{}};
    for (int k = 0; k < 4 * length; ++k) {
        from.push_back({k < 4 ? 0 : k - 3});
    }
    const int last = 4 * length;
    from.push_back({last - 3, last - 2, last - 1, last});
    return planOf(from, work, fills);
}

} // namespace

class TestChipStreams : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// All but the first launch is hidden.
    void launchesGoAheadOfWhatRuns() {
        QCOMPARE(endAlone({step(0, 100, 1), step(0, 100, 1), step(0, 100, 1)}, 1), 310);
        QCOMPARE(endAlone({step(0, 3, 1), step(0, 3, 1), step(0, 3, 1)}, 1), 33);
    }

    void oneThreadLaunchesForAllStreams() {
        QCOMPARE(endAlone({step(0, 3, 0.1), step(1, 3, 0.1), step(2, 3, 0.1)}, 3), 33);
    }

    void whatFitsBesideEachOtherTakesItsOwnTime() {
        QCOMPARE(endAlone({step(0, 100, 0.5), step(1, 100, 0.5)}, 2), 120);
    }

    /// From the second's begin on each has half, until the first has done the 90 it lacked.
    void beyondTheChipAllAreSlowedAlike() {
        QCOMPARE(endAlone({step(0, 100, 1), step(1, 100, 1)}, 2), 210);
        QCOMPARE(endAlone({step(0, 100, 0.75), step(1, 100, 0.75)}, 2), 10 + 10 + 135 + 10);
    }

    /// Streams cannot make more of a chip than it is.
    void streamsDoNotMakeAFullChipFaster() {
        std::vector<ChipStep> one;
        std::vector<ChipStep> four;
        for (std::uint32_t k = 0; k < 20; ++k) {
            one.push_back(step(0, 1000, 1));
            four.push_back(step(k % 4, 1000, 1));
        }
        QVERIFY(endAlone(four, 4) >= endAlone(one, 1));
    }

    void whatFillsNothingSlowsNobody() {
        QCOMPARE(endAlone({step(0, 100, 1), step(1, 100, 0)}, 2), 120);
    }

    void waitsAreForTheEndAndLaunchesForTheLaunch() {
        const std::vector<ChipStep> steps{step(0, 100, 1), step(1, 50, 1, {{0, 1}})};
        QCOMPARE(endAlone(steps, 2), 160); // launched at 20, begun at 110
    }

    /// Steps after a collective are launched once it has ended.
    void aMeetingHoldsUpTheLaunch() {
        std::vector<ChipStep> steps{step(0, 100, 1), step(1, 30, 0, {{0, 1}}),
                                    step(0, 5, 1, {{1, 1}})};
        steps[1].meets = true;
        steps[1].launch = 0;
        QCOMPARE(endAlone(steps, 2), 10 + 100 + 30 + 10 + 5);
    }

    /// Two chips, of which one comes late to the meeting: what the other does meanwhile is slowed
    /// by nothing that has not begun.
    void goesOnAsFarAsIsKnownWhatOthersDo() {
        std::int64_t end = 0;
        std::vector<ChipStep> steps{step(0, 20, 1), step(1, 0, 0, {{0, 1}}), step(0, 20, 1),
                                    step(0, 100, 1, {{1, 1}}), step(2, 300, 1)};
        steps[1].meets = true;
        steps[1].launch = 0;
        ChipStreams streams(steps, 3, [&](std::size_t, std::int64_t come) {
            return CollectiveTime{end, end == 0 ? come + 5 : end, end > 0};
        });
        QVERIFY(streams.advance());
        QVERIFY(!streams.advance());
        QVERIFY(!streams.isDone());
        end = 1000;
        QVERIFY(streams.advance());
        QVERIFY(streams.isDone());
        QCOMPARE(streams.times()[1].end, 1000);
        QCOMPARE(streams.times()[3].begin, 1000); // its launch is waited for
        QCOMPARE(streams.times()[3].end, 1110);
        QVERIFY(streams.times()[4].end < 1000);
    }

    void branchesThatFillLittleGetStreams() {
        const LocalPlan local = branches(10, 40'000, 0.2);
        const ChipStreamCount chosen = streamsOfChip(local, "dataflow", 0);
        QCOMPARE(chosen.count, 4);
        QVERIFY(chosen.end < streamsOfChip(local, "dataflow", 1).end);
        QCOMPARE(streamsOfChip(local, "dataflow", 2).count, 2);
        QCOMPARE(streamsOfChip(local, "sequential", 0).count, 1);
    }

    void branchesThatFillTheChipGetOne() {
        QCOMPARE(streamsOfChip(branches(10, 40'000, 1), "dataflow", 0).count, 1);
    }

    /// They are launched one after the other, whatever the streams.
    void branchesOfNextToNothingGetOne() {
        QCOMPARE(streamsOfChip(branches(10, 500, 0.01), "dataflow", 0).count, 1);
    }
};

std::unique_ptr<QObject> makeTestChipStreams() { return std::make_unique<TestChipStreams>(); }
#include "tst_chip_streams.moc"
