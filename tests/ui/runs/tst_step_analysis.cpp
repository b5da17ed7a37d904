// SPDX-License-Identifier: Apache-2.0
#include "run_writer.h"
#include "runs/step_analysis.h"
#include "support/test_main.h"
#include <weft/runs.h>

#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <set>

using namespace weft;
using namespace weft::ui;

class TestStepAnalysis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void collectivesAreMeasuredBesidePredicted() {
        const Timeline predicted = test::sampleStep(0, 0, 2, 4);
        Timeline measured = test::sampleStep(7, 90'000, 2, 4);
        for (TimelineSpan& span : measured.spans) {
            if (span.device == DeviceId{1} && span.stream == 1) {
                span.begin.count += 300; // it comes last
            }
        }
        const auto rows = collectivesOf(measured, predicted);
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].kind, std::string("all-reduce"));
        QCOMPARE(rows[0].where, std::string("layer1.weight"));
        QCOMPARE(rows[0].bytes.count, 4000);
        QCOMPARE(rows[0].predicted.count, 1000);
        QCOMPARE(rows[0].measured.count, 1000);
        QCOMPARE(rows[0].exposed.count, 800);
        QVERIFY(rows[0].lastToArrive == DeviceId{1});
    }

    void collectivesAreNamedByKindAndPlace_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("where");
        QTest::newRow("of") << "all-reduce of fc.weight"
                            << "all-reduce"
                            << "fc.weight";
        QTest::newRow("bucket") << "gradients 1 (all-reduce)"
                                << "all-reduce"
                                << "gradients 1";
        QTest::newRow("alone") << "halo"
                               << "halo"
                               << "conv1";
    }
    void collectivesAreNamedByKindAndPlace() {
        QFETCH(QString, op);
        QFETCH(QString, kind);
        QFETCH(QString, where);
        Timeline timeline;
        timeline.sites = {
            {.kind = SpanKind::communicate, .layer = "conv1", .op = op.toStdString()}};
        timeline.spans = {{DeviceId{0}, 1, 0, 0, {0}, {10}}};
        const auto rows = collectivesOf(timeline, {});
        QCOMPARE(QString::fromStdString(rows.at(0).kind), kind);
        QCOMPARE(QString::fromStdString(rows.at(0).where), where);
    }

    void whatIteratesLongestIsTold() {
        Timeline step;
        step.sites = {{.layer = "code", .op = "repeat", .rounds = 50},
                      {.layer = "deep", .op = "repeat", .rounds = 20},
                      {.layer = "fc", .op = "matmul"}};
        step.spans = {{DeviceId{0}, 0, 0, 1, {0}, {5000}},
                      {DeviceId{1}, 0, 0, 1, {0}, {6000}}, // the slower device counts
                      {DeviceId{0}, 0, 1, 1, {5000}, {4000}},
                      {DeviceId{0}, 0, 2, 1, {9000}, {90000}}};
        QCOMPARE(iterationsOf(step), (Iterations{"code", 50, {120}}));
        step.spans.erase(step.spans.begin(), step.spans.begin() + 3);
        QVERIFY(!iterationsOf(step));
    }

    void withoutMeasurementThePredictionStands() {
        const auto rows = collectivesOf({}, test::sampleStep(0, 0, 2, 4));
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].predicted.count, 1000);
        QCOMPARE(rows[0].measured.count, 0);
        QVERIFY(collectivesOf({}, {}).empty());
    }

    void waitingIsNotCommunicating() {
        const Timeline step = test::lateStep();
        const auto rows = collectivesOf(step, {});
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].bytes.count, 32'800);
        QCOMPARE(rows[0].measured.count, 1000);
        QCOMPARE(rows[0].exposed.count, 1000);
        QCOMPARE(rows[0].waited.count, 7000);
        QVERIFY(rows[0].lastToArrive == DeviceId{1});
        QCOMPARE(rows[0].begin, 3000);
        const auto totals = totalsOf(step);
        QCOMPARE(totals[0].waiting.count, 7000);
        QCOMPARE(totals[0].idle.count, 0);
        QCOMPARE(totals[1].waiting.count, 0);
        // The step waited for device 1's computation.
        const auto path = criticalPath(step);
        QCOMPARE(path.size(), std::size_t{2});
        QCOMPARE(path[0].layer, std::string("slow"));
        QCOMPARE(path[0].begin.count, 0);
        QVERIFY(path[1].isExposed);
        QCOMPARE(path[1].begin.count, 10'000);
        QCOMPARE(path[1].end.count, 11'000);
    }

    /// The same step, told by one process and by two of which the second reads another clock.
    void ranksAreAnalysedAsThreadsAre() {
        constexpr std::int64_t error = 40;
        const QTemporaryDir together;
        const Timeline step = test::lateStep();
        test::writeStep(together.path().toStdString(), step, {});
        for (const std::int64_t wrong : {-error, std::int64_t{0}, error}) {
            const QTemporaryDir folder;
            test::writeStep(folder.path().toStdString(), step,
                            {.ahead = 987'654'321'000, .wrong = wrong, .error = error});
            const Timeline threads = readTimeline(together.path().toStdString(), 0, 9);
            const Timeline ranks = readTimeline(folder.path().toStdString(), 0, 9);
            verify(ranks);
            QCOMPARE(ranks.clockError.count, error);
            QCOMPARE(ranks.spans.size(), threads.spans.size());
            const auto isNear = [](Nanoseconds a, Nanoseconds b) {
                return std::llabs(a.count - b.count) <= 2 * error;
            };
            const CollectiveRow one = collectivesOf(threads, {}).at(0);
            const CollectiveRow other = collectivesOf(ranks, {}).at(0);
            QVERIFY(other.lastToArrive == one.lastToArrive);
            QVERIFY(isNear(other.measured, one.measured) && isNear(other.exposed, one.exposed) &&
                    isNear(other.waited, one.waited));
            const auto few = totalsOf(threads);
            const auto many = totalsOf(ranks);
            QCOMPARE(many.size(), few.size());
            for (std::size_t d = 0; d < few.size(); ++d) {
                QVERIFY(isNear(many[d].length, few[d].length));
                QVERIFY(isNear(many[d].compute, few[d].compute));
                QVERIFY(isNear(many[d].communicate, few[d].communicate));
                QVERIFY(isNear(many[d].waiting, few[d].waiting));
                QVERIFY(isNear(many[d].idle, few[d].idle));
            }
            const auto path = criticalPath(ranks);
            std::set<std::string> blamed;
            for (const CriticalSpan& one : path) {
                blamed.insert(one.layer);
            }
            QVERIFY(blamed.contains("slow") && !blamed.contains("fast"));
        }
    }

    void theCriticalPathCoversTheStep() {
        const Timeline step = test::sampleStep(0, 0, 2, 4);
        const auto path = criticalPath(step);
        QVERIFY(!path.empty());
        QCOMPARE(path.front().begin.count, 0);
        QCOMPARE(path.back().end.count, 8'500);
        QVERIFY(path.back().isExposed);
        for (std::size_t i = 1; i < path.size(); ++i) {
            QCOMPARE(path[i].begin.count, path[i - 1].end.count);
        }
        QVERIFY2(
            std::ranges::any_of(path, [](const CriticalSpan& one) { return !one.layer.empty(); }),
            "who is to blame is named");
        QVERIFY(criticalPath({}).empty());
    }

    void overlapIsTheShareOfCommunicationThatIsHidden() {
        QCOMPARE(overlapOf(totalsOf(test::sampleStep(0, 0, 2, 4))), 0.5);
        QCOMPARE(overlapOf({}), 0.0);
    }
};

std::unique_ptr<QObject> makeTestStepAnalysis() { return std::make_unique<TestStepAnalysis>(); }
#include "tst_step_analysis.moc"
