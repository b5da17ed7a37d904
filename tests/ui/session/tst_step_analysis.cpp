// SPDX-License-Identifier: Apache-2.0
#include "run_writer.h"
#include "session/step_analysis.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestStepAnalysis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void collectivesAreMeasuredBesidePredicted() {
        const Timeline predicted = test::sampleStep(0, 0, 2, 4);
        Timeline measured = test::sampleStep(7, 90'000, 2, 4);
        for (TimelineSpan& span : measured.spans) {
            if (span.device == DeviceId{1} && span.lane == 1) {
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

    void withoutMeasurementThePredictionStands() {
        const auto rows = collectivesOf({}, test::sampleStep(0, 0, 2, 4));
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].predicted.count, 1000);
        QCOMPARE(rows[0].measured.count, 0);
        QVERIFY(collectivesOf({}, {}).empty());
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
