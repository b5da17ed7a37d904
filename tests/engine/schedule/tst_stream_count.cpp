// SPDX-License-Identifier: Apache-2.0
#include "schedule/select/stream_count.h"

#include <QTest>
#include <memory>
#include <vector>

using namespace weft;

namespace {

/// A task with so many flops per entry, reading what these tasks make.
LocalPlan planOf(const std::vector<std::vector<int>>& from, std::int64_t flops) {
    LocalPlan local;
    for (std::size_t t = 0; t < from.size(); ++t) {
        local.values.emplace_back();
        Task task;
        task.inputs = from[t];
        task.outputs = {static_cast<int>(t)};
        task.flops = {flops};
        local.tasks.push_back(std::move(task));
    }
    return local;
}

/// Two branches of so many tasks each, and what joins them.
LocalPlan branches(int length, std::int64_t flops) {
    std::vector<std::vector<int>> from{{}};
    for (int k = 0; k < 2 * length; ++k) {
        from.push_back({k < 2 ? 0 : k - 1});
    }
    from.push_back({2 * length - 1, 2 * length});
    return planOf(from, flops);
}

} // namespace

class TestStreamCount : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesBranchesOfSmallOpsAStreamEach() {
        QCOMPARE(streamCount(branches(20, 600'000), "dataflow", 2), 2);
        QCOMPARE(streamCount(branches(20, 600'000), "depth", 2), 2);
    }

    /// A core more makes a large op faster, but not twice as fast.
    void givesEqualBranchesOfLargeOpsAStreamEach() {
        QCOMPARE(streamCount(branches(20, 600'000'000), "dataflow", 2), 2);
    }

    void givesALongWayBesideAShortOneAllCores() {
        std::vector<std::vector<int>> from{{}};
        for (int k = 0; k < 40; ++k) {
            from.push_back({k});
        }
        from.push_back({0});
        from.push_back({40, 41});
        QCOMPARE(streamCount(planOf(from, 600'000'000), "dataflow", 2), 1);
    }

    void givesAChainOneStream() {
        QCOMPARE(streamCount(planOf({{}, {0}, {1}, {2}, {3}}, 600'000), "dataflow", 4), 1);
    }

    void keepsToOneWhereThereIsOneCoreOrOneOrder() {
        QCOMPARE(streamCount(branches(20, 600'000), "dataflow", 1), 1);
        QCOMPARE(streamCount(branches(20, 600'000), "sequential", 2), 1);
    }
};

std::unique_ptr<QObject> makeTestStreamCount() { return std::make_unique<TestStreamCount>(); }

#include "tst_stream_count.moc"
