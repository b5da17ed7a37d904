// SPDX-License-Identifier: Apache-2.0
// How sure a prediction is, and this machine measured again from its panel, by a measurement that
// the test holds in its hands.
#include "panels/prediction/prediction_panel.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <atomic>
#include <semaphore>

using namespace weft;
using namespace weft::ui;

namespace {

/// A machine whose ops take so much longer or less than measured.
MachineReport machineOf(double flopsPerSecond, TimeDeviation spread) {
    MachineReport report;
    DeviceSheet sheet{.name = "cpu:0", .backend = "cpu", .model = "a model", .cores = 2};
    sheet.flopsPerSecond = flopsPerSecond;
    sheet.bytesPerSecond = 1e10;
    sheet.efficiency = {{"linear", 1}};
    sheet.isMeasured = true;
    sheet.measuredAt = 1'700'000'000;
    sheet.streamSpread = sheet.overheadSpread = spread;
    if (spread.isKnown()) {
        sheet.opSpread = {{"linear", spread}};
    }
    report.machine.devices = {sheet};
    return report;
}

} // namespace

class TestPredictionPanel : public QObject {
    Q_OBJECT

    struct Scene {
        WindowContext context;
        OpenDesign& design;
        PredictionPanel panel{context};
        /// One for each share that is told.
        std::counting_semaphore<64> further{0};
        std::atomic<int> measurements = 0;

        explicit Scene(Look& look)
            : context(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
              design(context.designs.add(
                  std::make_unique<OpenDesign>(context.kinds, context.previewQueue))) {
            context.commands.add(
                {.id = "parallel.recalibrate", .text = "Recalibrate", .help = "Measures again"},
                [this](bool) {
                    context.calibration.isMeasuring() ? context.calibration.stop()
                                                      : context.calibration.start();
                });
            context.calibration.setMeasuring([this](const CalibrationRequest& request) {
                for (const double done : {0.0, 0.25, 0.5, 0.75}) {
                    if (!request.progress(done)) {
                        throw Error(ErrorCode::stopped, {}, "stopped", "start it again");
                    }
                    further.acquire();
                }
                ++measurements;
                return machineOf(2e11, {0.8, 1.5});
            });
            design.document().setDesign(
                loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft",
                           catalogue())
                    .design,
                false);
            context.designs.setCurrent(&design);
            context.setMachine(std::make_shared<const MachineReport>(machineOf(1e11, {})));
            panel.resize(1200, 120);
            panel.show();
            QTRY_VERIFY_WITH_TIMEOUT(
                !panel.figures().empty() && panel.figures()[0].predicted.size() > 2, 60'000);
        }
        ~Scene() {
            context.calibration.stop();
            further.release(8);
        }
        QToolButton& button() {
            return *panel.findChild<QToolButton*>(QStringLiteral("recalibrate"));
        }
        Nanoseconds step() { return design.check().answer()->withStep->step->time; }
    };

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }

    void ratesOfUnknownSpreadHaveNoBand() {
        Scene scene(look_);
        QVERIFY(scene.panel.figures()[0].band.isEmpty());
        QCOMPARE(scene.button().text(), QStringLiteral("Recalibrate"));
        QVERIFY(scene.button().toolTip().contains(QStringLiteral("November")));
    }

    void whereStepsDifferItSaysThatItTellsMeans() {
        Scene scene(look_);
        QVERIFY(!scene.panel.accessibleName().contains(QStringLiteral("Means")));
        Design summing = scene.design.document().design();
        summing.training.syncEvery = 3;
        scene.design.document().setDesign(summing, false);
        QTRY_VERIFY_WITH_TIMEOUT(
            scene.panel.accessibleName().contains(QStringLiteral("Means of 3 steps")), 60'000);
    }

    void measuringAgainMakesThePredictionAnewWithItsBand() {
        Scene scene(look_);
        const Nanoseconds before = scene.step();
        QTest::mouseClick(&scene.button(), Qt::LeftButton);
        QVERIFY(scene.context.calibration.isMeasuring());
        QTRY_COMPARE(scene.button().text(), QStringLiteral("Stop"));
        scene.further.release(2);
        QTRY_COMPARE(scene.context.calibration.progress(), 0.5);
        QVERIFY(scene.button().toolTip().contains(QStringLiteral("50")));
        test::saveBothThemes(look_, scene.panel, QStringLiteral("prediction-measuring"));
        scene.further.release(2);
        QTRY_VERIFY(!scene.context.calibration.isMeasuring());
        QCOMPARE(scene.measurements.load(), 1);
        QTRY_VERIFY(!scene.panel.figures()[0].band.isEmpty());
        const auto now = scene.design.check().answer()->withStep;
        const StepPreview& step = *now->step;
        QVERIFY(step.time != before);
        QVERIFY(step.band.low < step.time && step.time < step.band.high);
        QVERIFY(step.band.has(step.time));
        for (const LayerPreview& layer : now->layers) {
            QVERIFY2(layer.step->computeBand.has(layer.step->compute()), layer.name.c_str());
        }
        test::saveBothThemes(look_, scene.panel, QStringLiteral("prediction-band"));
    }

    void stoppedItKeepsWhatWasKnown() {
        Scene scene(look_);
        const Nanoseconds before = scene.step();
        QSignalSpy failed(&scene.context.calibration, &Calibration::failed);
        QTest::mouseClick(&scene.button(), Qt::LeftButton);
        scene.further.release(1);
        QTRY_COMPARE(scene.context.calibration.progress(), 0.25);
        QTest::mouseClick(&scene.button(), Qt::LeftButton);
        scene.further.release(1);
        QTRY_VERIFY(!scene.context.calibration.isMeasuring());
        QCOMPARE(failed.size(), 1);
        QCOMPARE(failed[0][1].toBool(), true);
        QCOMPARE(scene.measurements.load(), 0);
        QCOMPARE(scene.step().count, before.count);
        QVERIFY(scene.panel.figures()[0].band.isEmpty());
        QCOMPARE(scene.button().text(), QStringLiteral("Recalibrate"));
    }

    void theLinkBetweenProcessesIsMeasuredWithTheRest() {
        Scene scene(look_);
        scene.context.calibration.setMeasuring(
            [](const CalibrationRequest&) {
                return machineOf(2e11, {0.8, 1.5});
            },
            [](const std::function<bool()>& goesOn) -> std::optional<LinkSheet> {
                return goesOn() ? std::optional(LinkSheet{"shared-memory", {1234}, 5e9, true})
                                : std::nullopt;
            });
        QTest::mouseClick(&scene.button(), Qt::LeftButton);
        QTRY_VERIFY(!scene.context.calibration.isMeasuring());
        QCOMPARE(scene.context.machine()->machine.withinHost.latency.count, std::int64_t{1234});
        QVERIFY(scene.context.machine()->machine.withinHost.isMeasured);
    }

    void aLinkThatFailsLeavesTheRestMeasured() {
        Scene scene(look_);
        scene.context.calibration.setMeasuring(
            [](const CalibrationRequest&) {
                return machineOf(2e11, {0.8, 1.5});
            },
            [](const std::function<bool()>&) -> std::optional<LinkSheet> {
                throw Error(ErrorCode::peer, {}, "nobody answers", "start two");
            });
        QSignalSpy missed(&scene.context.calibration, &Calibration::linkNotMeasured);
        QSignalSpy failed(&scene.context.calibration, &Calibration::failed);
        QTest::mouseClick(&scene.button(), Qt::LeftButton);
        QTRY_VERIFY(!scene.context.calibration.isMeasuring());
        QCOMPARE(failed.size(), 0);
        QCOMPARE(missed.size(), 1);
        QVERIFY(missed[0][0].toString().contains(QStringLiteral("nobody answers")));
        QTRY_VERIFY(!scene.panel.figures()[0].band.isEmpty());
    }

    void inALowDockTheButtonIsAnIcon() {
        Scene scene(look_);
        scene.panel.resize(1000, tokens().sizes.size.topBar);
        QApplication::processEvents();
        QCOMPARE(scene.button().toolButtonStyle(), Qt::ToolButtonIconOnly);
        QVERIFY(scene.panel.rect().contains(
            QRect(scene.button().mapTo(&scene.panel, QPoint()), scene.button().size())));
        QTest::mouseClick(&scene.button(), Qt::LeftButton);
        QVERIFY(scene.context.calibration.isMeasuring());
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestPredictionPanel() {
    return std::make_unique<TestPredictionPanel>();
}

#include "tst_prediction_panel.moc"
