// SPDX-License-Identifier: Apache-2.0
// Streams and order: whatever the order, what a task needs has ended before it, on every device,
// and no two devices wait for each other; by depth, nothing of a depth starts before the one above
// it has ended.
#include "schedule/task.h"

#include <QTest>
#include <algorithm>
#include <random>
#include <ranges>

using namespace weft;

namespace {

/// Tasks that read the first results of others; `from` is by task.
LocalPlan planOf(const std::vector<std::vector<int>>& from, const std::vector<bool>& collective) {
    LocalPlan local;
    for (std::size_t t = 0; t < from.size(); ++t) {
        LocalValue made;
        made.bytes = {64};
        local.values.push_back(made);
        Task task;
        task.kind = collective[t] ? StepKind::collective : StepKind::compute;
        task.inputs = from[t];
        task.outputs = {static_cast<int>(t)};
        task.predicted = {static_cast<std::int64_t>(1 + t * 7 % 5)};
        local.tasks.push_back(std::move(task));
    }
    return local;
}

std::vector<int> depthsOf(const LocalPlan& local) {
    std::vector<int> depth(local.tasks.size(), 0);
    int lastCollective = -1;
    const auto before = dependencies(local);
    for (std::size_t t = 0; t < depth.size(); ++t) {
        for (const int b : before[t]) {
            depth[t] = std::max(depth[t], depth[static_cast<std::size_t>(b)] + 1);
        }
        if (local.tasks[t].kind == StepKind::collective) {
            depth[t] = std::max(depth[t], lastCollective + 1);
            lastCollective = depth[t];
        }
    }
    return depth;
}

/// Runs streams of several devices as far as waits and collectives allow; the tasks in the order in
/// which they ended, per device. A collective ends when all devices stand at it.
struct Trial {
    std::vector<std::vector<int>> ended;
    bool isStuck = false;
};

Trial run(const LocalPlan& local, const Ordering& ordering, std::size_t devices,
          std::mt19937& random) {
    Trial trial;
    trial.ended.resize(devices);
    const auto before = dependencies(local, ordering);
    const std::size_t streams = ordering.streams.size();
    std::vector<std::vector<std::vector<int>>> queues(devices,
                                                      std::vector<std::vector<int>>(streams));
    for (auto& device : queues) {
        for (const int task : ordering.sequence) {
            device[ordering.streamOf[static_cast<std::size_t>(task)]].push_back(task);
        }
    }
    std::vector<std::vector<bool>> done(devices, std::vector<bool>(local.tasks.size(), false));
    const auto mayStart = [&](std::size_t d, int task) {
        return std::ranges::all_of(before[static_cast<std::size_t>(task)], [&](int b) {
            return bool(done[d][static_cast<std::size_t>(b)]);
        });
    };
    const auto stands = [&](std::size_t d, std::size_t stream, int task) {
        return !queues[d][stream].empty() && queues[d][stream].front() == task && mayStart(d, task);
    };
    for (std::size_t left = devices * local.tasks.size(); left > 0;) {
        std::vector<std::pair<std::size_t, std::size_t>> able;
        for (std::size_t d = 0; d < devices; ++d) {
            for (std::size_t stream = 0; stream < streams; ++stream) {
                if (queues[d][stream].empty() || !mayStart(d, queues[d][stream].front())) {
                    continue;
                }
                const int task = queues[d][stream].front();
                const bool meets =
                    local.tasks[static_cast<std::size_t>(task)].kind != StepKind::collective ||
                    std::ranges::all_of(std::views::iota(std::size_t{0}, devices),
                                        [&](std::size_t other) {
                                            return done[other][static_cast<std::size_t>(task)] ||
                                                   stands(other, stream, task);
                                        });
                if (meets) {
                    able.emplace_back(d, stream);
                }
            }
        }
        if (able.empty()) {
            trial.isStuck = true;
            return trial;
        }
        const auto [d, stream] = able[random() % able.size()];
        const int task = queues[d][stream].front();
        queues[d][stream].erase(queues[d][stream].begin());
        done[d][static_cast<std::size_t>(task)] = true;
        trial.ended[d].push_back(task);
        --left;
    }
    return trial;
}

LocalPlan randomPlan(std::mt19937& random, std::size_t tasks) {
    std::vector<std::vector<int>> from(tasks);
    std::vector<bool> collective(tasks);
    for (std::size_t t = 1; t < tasks; ++t) {
        for (std::size_t k = 0; k < 1 + random() % 2; ++k) {
            from[t].push_back(static_cast<int>(random() % t));
        }
        collective[t] = random() % 5 == 0;
    }
    return planOf(from, collective);
}

} // namespace

class TestOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void endsWithoutACircleOfWaits_data() {
        QTest::addColumn<QString>("order");
        QTest::addColumn<int>("streams");
        for (const char* order : {"sequential", "depth", "dataflow"}) {
            for (const int streams : {1, 2, 3}) {
                QTest::addRow("%s on %d streams", order, streams) << order << streams;
            }
        }
    }
    void endsWithoutACircleOfWaits() {
        QFETCH(QString, order);
        QFETCH(int, streams);
        for (unsigned seed = 1; seed <= 60; ++seed) {
            std::mt19937 random(seed);
            const LocalPlan local = randomPlan(random, 5 + random() % 40);
            const Ordering ordering = weft::order(local, order.toStdString(), streams, streams);
            const Trial trial = run(local, ordering, 2, random);
            QVERIFY2(!trial.isStuck, std::to_string(seed).c_str());
        }
    }

    void startsNoDepthBeforeTheOneAboveHasEnded() {
        for (unsigned seed = 1; seed <= 60; ++seed) {
            std::mt19937 random(seed);
            const LocalPlan local = randomPlan(random, 30);
            const std::vector<int> depth = depthsOf(local);
            const Ordering ordering = weft::order(local, "depth", 3, 3);
            const Trial trial = run(local, ordering, 1, random);
            int reached = 0;
            for (const int task : trial.ended.front()) {
                const auto t = static_cast<std::size_t>(task);
                if (local.tasks[t].kind == StepKind::compute) {
                    QVERIFY2(depth[t] >= reached, std::to_string(seed).c_str());
                    reached = depth[t];
                }
            }
        }
    }

    void putsTheBranchesOfADepthSideBySide() {
        const LocalPlan local =
            planOf({{}, {0}, {0}, {0}, {1, 2, 3}}, {false, false, false, false, false});
        const Ordering ordering = weft::order(local, "depth", 3, 3);
        std::vector<std::uint32_t> streams(ordering.streamOf.begin() + 1,
                                           ordering.streamOf.begin() + 4);
        std::ranges::sort(streams);
        QCOMPARE(streams, (std::vector<std::uint32_t>{0, 1, 2}));
    }
};

std::unique_ptr<QObject> makeTestOrder() { return std::make_unique<TestOrder>(); }

#include "tst_order.moc"
