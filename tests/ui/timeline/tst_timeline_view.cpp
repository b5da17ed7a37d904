// SPDX-License-Identifier: Apache-2.0
// The timeline of a real run folder, under real mouse, wheel and key events.
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/look.h"
#include "theme/quantity.h"
#include "timeline/breakdown.h"
#include "timeline/memory_rows.h"
#include "timeline/run_devices.h"
#include "timeline/timeline_view.h"
#include "ui/runs/run_writer.h"
#include <weft/design_file.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QHelpEvent>
#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

using namespace weft;
using namespace weft::ui;

class TestTimelineView : public QObject {
    Q_OBJECT

    static Design quickstart() {
        return loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft",
                          catalogue())
            .design;
    }
    static Design spread() {
        Design design = quickstart();
        design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
        design.assignment.words = {AxisWord::data};
        return design;
    }

    /// As it was predicted, a little slower and not quite even.
    static Timeline measuredOf(const Timeline& predicted, std::int64_t step, std::int64_t begin) {
        Timeline measured = predicted;
        for (TimelineSpan& span : measured.spans) {
            span.step = step;
            span.begin.count = begin + span.begin.count * 11 / 10;
            span.duration.count = span.duration.count * 11 / 10;
        }
        return measured;
    }

    struct Scene {
        QTemporaryDir folder;
        Design design = spread();
        test::RunWriter writer{(folder.path() + "/run").toStdString(), 1, design};
        Look& look;
        DesignDocument document{std::make_shared<const std::vector<LayerKindInfo>>(catalogue())};
        Selection selection{document};
        RunHub hub;
        PreviewQueue previewQueue;
        RunPrediction prediction{hub, previewQueue};
        TimelineView view{look, hub, prediction};
        RunDevices devices{look, hub, prediction};
        Timeline step;
        std::int64_t last = 0;
        float secondsOfLast = 0.01F;

        explicit Scene(Look& worn) : look(worn) {
            document.setDesign(design, false);
            view.resize(1100, 620);
            devices.resize(400, 300);
            view.follow(&document, &selection);
            view.show();
            connect(&view, &TimelineView::stepShown, &devices, &RunDevices::showStep);
            writer.step(1, {{"loss", 1}});
            writer.flush();
            hub.open(folder.path() + "/run");
            QTRY_VERIFY_WITH_TIMEOUT(prediction.preview() != nullptr && prediction.preview()->run,
                                     120'000);
            step = prediction.spans().ofStep(prediction.spans().steps().front().step);
        }
        void run(int steps) {
            for (int i = 0; i < steps; ++i) {
                ++last;
                if (last > 1) {
                    writer.step(last, {{"loss", 1}}, 0, secondsOfLast);
                }
                const std::int64_t begin = last * 4 * step.length().count;
                writer.spans(measuredOf(step, last, begin));
            }
            writer.flush();
            QTRY_VERIFY_WITH_TIMEOUT(hub.spans().window(last) != nullptr, 60'000);
        }
        TimelineTracks& tracks() { return view.tracks(); }
        void wheel(QPoint at, int clicks) {
            QWheelEvent event(at, tracks().mapToGlobal(at), {}, {0, 120 * clicks}, Qt::NoButton, {},
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(&tracks(), &event);
        }
        /// The middle of the longest span of the first device.
        QPoint longest(std::string& layer) {
            const TrackSpans& track = hub.spans().tracks()[0];
            const TrackSpans::Span* most = nullptr;
            for (const TrackSpans::Span& span : track.spans()) {
                const bool isLonger =
                    most == nullptr || span.end - span.begin > most->end - most->begin;
                most = span.step == last && isLonger ? &span : most;
            }
            layer = hub.spans().sites()[most->site].layer;
            const double x = tracks().picture().view.toPixel((most->begin + most->end) / 2);
            return {timelineNamesWidth + int(x), tracks().picture().rows[0].top + 25};
        }
    };

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }

    void thePredictionIsThereBeforeTheFirstStep() {
        Scene scene(look_);
        QVERIFY(!scene.view.step().has_value());
        QCOMPARE(scene.tracks().picture().rows.size(), std::size_t{4});
        QCOMPARE(scene.devices.breakdown().devices().size(), std::size_t{2});
        QVERIFY(scene.prediction.preview()->run->isDataKnown);
        QVERIFY(scene.devices.breakdown().devices()[0].predicted.length.count > 0);
        QVERIFY(scene.devices.memory().devices()[1].predicted > 0);
        QCOMPARE(scene.devices.memory().devices()[1].name, QStringLiteral("cpu:1"));
        QVERIFY(!scene.view.collectives().rows().empty());
        (void)test::savePicture(scene.view, QStringLiteral("timeline-predicted"));
    }

    void theTipSaysWhatAnOpComputes() {
        Scene scene(look_);
        scene.run(1);
        const std::map<std::string, std::string> helps = opHelps();
        const TrackSpans& track = scene.hub.spans().tracks()[0];
        const TrackSpans::Span* longest = nullptr;
        for (const TrackSpans::Span& span : track.spans()) {
            const auto help = helps.find(scene.hub.spans().sites()[span.site].op);
            const bool isLonger =
                longest == nullptr || span.end - span.begin > longest->end - longest->begin;
            longest = help != helps.end() && !help->second.empty() && isLonger ? &span : longest;
        }
        QVERIFY(longest != nullptr);
        const double x = scene.tracks().picture().view.toPixel((longest->begin + longest->end) / 2);
        const QPoint at{timelineNamesWidth + int(x), scene.tracks().picture().rows[0].top + 25};
        QHelpEvent event(QEvent::ToolTip, at, scene.tracks().mapToGlobal(at));
        QApplication::sendEvent(&scene.tracks(), &event);
        const std::string& op = scene.hub.spans().sites()[longest->site].op;
        QVERIFY2(QToolTip::text().endsWith(QString::fromStdString(helps.at(op))),
                 qPrintable(QToolTip::text()));
    }

    /// A prediction is of the devices' own kernels.
    void aRunOfAnotherBackendIsNotPredicted() {
        const QTemporaryDir folder;
        const QString run = folder.path() + "/run";
        test::RunWriter writer(run.toStdString(), 1, quickstart());
        QFile begin(run + "/begin.json");
        QVERIFY(begin.open(QIODevice::WriteOnly) && begin.write(R"({"backend": "null"})") > 0);
        begin.close();
        writer.step(1, {{"loss", 1}});
        writer.flush();
        RunHub hub;
        PreviewQueue previewQueue;
        RunPrediction prediction(hub, previewQueue);
        TimelineView view(look_, hub, prediction);
        hub.open(run);
        QTRY_VERIFY_WITH_TIMEOUT(!prediction.whyNot().isEmpty(), 30'000);
        QVERIFY(prediction.preview() == nullptr);
        const auto labels = view.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().contains("the backend null runs the step");
        }));
    }

    void eachStepIsShownAsItComes() {
        Scene scene(look_);
        scene.run(3);
        QCOMPARE(scene.view.step().value_or(-1), 3);
        QVERIFY(scene.tracks().isFitted());
        QVERIFY(scene.devices.breakdown().devices()[0].measured.compute.count > 0);
        QCOMPARE(scene.devices.breakdown().devices()[1].measured.step, 3);
        scene.run(1);
        QCOMPARE(scene.view.step().value_or(-1), 4);
        scene.view.showStep(2);
        QCOMPARE(scene.devices.breakdown().devices()[1].measured.step, 2);
        QCOMPARE(scene.tracks().picture().origin, scene.hub.spans().window(2)->begin);
    }

    /// The last step may be a short one: it does not stand for all.
    void whereNoStepIsChosenTheTypicalOneIsShown() {
        Scene scene(look_);
        scene.run(3);
        scene.secondsOfLast = 0.001F;
        scene.run(1);
        QTRY_COMPARE(scene.hub.lastStep(), std::int64_t{4});
        QCOMPARE(scene.view.step().value_or(-1), 3);
        QCOMPARE(scene.devices.breakdown().devices()[1].measured.step, 3);
        auto* steps = scene.view.findChild<QComboBox*>();
        steps->setCurrentIndex(3);
        Q_EMIT steps->activated(3);
        QVERIFY(!scene.view.isFollowing());
        QCOMPARE(scene.view.step().value_or(-1), 4);
        QCOMPARE(scene.devices.breakdown().devices()[1].measured.step, 4);
    }

    void aChosenViewStaysWhereItIs() {
        Scene scene(look_);
        scene.run(3);
        scene.wheel({600, 60}, 4);
        QVERIFY(!scene.view.isFollowing());
        const TimeView view = scene.tracks().picture().view;
        scene.run(2);
        QVERIFY(scene.tracks().picture().view == view);
        QCOMPARE(scene.view.step().value_or(-1), 3);
        QTest::keyClick(&scene.tracks(), Qt::Key_F);
        QVERIFY(scene.tracks().isFitted());
    }

    void theWheelZoomsToMicroseconds() {
        Scene scene(look_);
        scene.run(1);
        const QPoint at(500, 60);
        const std::int64_t under = scene.tracks().picture().view.toTime(500 - timelineNamesWidth);
        for (int i = 0; i < 60; ++i) {
            scene.wheel(at, 1);
        }
        const TimeView& view = scene.tracks().picture().view;
        QVERIFY(view.end() - view.begin < 2'000);
        QVERIFY(std::abs(view.toTime(500 - timelineNamesWidth) - under) < 100);
        scene.view.grab();
    }

    void aClickOnASpanSelectsItsLayer() {
        Scene scene(look_);
        scene.run(1);
        std::string layer;
        const QPoint at = scene.longest(layer);
        QTest::mouseClick(&scene.tracks(), Qt::LeftButton, {}, at);
        QCOMPARE(scene.selection.layers().size(), std::size_t{1});
        const Layer* chosen =
            findLayer(scene.document.design().network, *scene.selection.layers().begin());
        QCOMPARE(chosen->name, layer);
        QVERIFY(!scene.tracks().picture().chosenMeasured.empty());
        QTest::mouseClick(&scene.tracks(), Qt::LeftButton, {}, {timelineNamesWidth + 2, 8});
        QVERIFY(scene.selection.isEmpty());
    }

    void aSelectedLayerIsRingedInTheTracks() {
        Scene scene(look_);
        scene.run(1);
        std::string layer;
        scene.longest(layer);
        scene.selection.select({findLayer(scene.document.design().network, layer)->id});
        for (const std::uint32_t site : scene.tracks().picture().chosenMeasured) {
            QCOMPARE(scene.hub.spans().sites()[site].layer, layer);
        }
        QVERIFY(!scene.tracks().picture().chosenMeasured.empty());
        QVERIFY(!scene.tracks().picture().chosenPredicted.empty());
        const std::int64_t before = scene.tracks().picture().view.begin;
        QTest::keyClick(&scene.tracks(), Qt::Key_Period);
        QVERIFY(scene.tracks().picture().view.begin != before ||
                scene.tracks().picture().chosenMeasured.size() == 1);
    }

    void theTableOfCollectivesIsAProperModel() {
        CollectiveModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setRows(collectivesOf(test::sampleStep(1, 0, 2, 4), {}));
        model.setRows(collectivesOf(test::sampleStep(1, 0, 2, 5), {}));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0, CollectiveModel::kind).data().toString(), QString("all-reduce"));
        model.setRows({});
        QCOMPARE(model.rowCount(), 0);
    }

    /// Device 0 waits seven microseconds for device 1, and then both exchange for one.
    void waitingStandsApartFromCommunicating() {
        const QTemporaryDir folder;
        const std::string run = (folder.path() + "/run").toStdString();
        {
            test::RunWriter writer(run, 1, quickstart()); // for which no collective is predicted
            writer.step(1, {{"loss", 2.0}});
            writer.spans(test::lateStep());
            writer.finish(1);
        }
        RunHub hub;
        PreviewQueue previewQueue;
        RunPrediction prediction(hub, previewQueue);
        TimelineView view(look_, hub, prediction);
        RunDevices devices(look_, hub, prediction);
        view.resize(900, 600);
        devices.resize(900, 600);
        view.show();
        devices.show();
        hub.open(QString::fromStdString(run));
        auto* tracks = view.findChild<TimelineTracks*>();
        QTRY_COMPARE_WITH_TIMEOUT(hub.spans().steps().size(), std::size_t{1}, 30'000);
        const auto* table = view.findChild<QTableView*>()->model();
        QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 1, 30'000);
        const auto said = [&](int column) { return table->index(0, column).data().toString(); };
        QCOMPARE(said(CollectiveModel::measured), quantity::time(1e-6));
        QCOMPARE(said(CollectiveModel::waited), quantity::time(7e-6));
        QCOMPARE(said(CollectiveModel::bytes), quantity::bytes(32'800));
        QCOMPARE(said(CollectiveModel::last), QString("cpu:1"));
        const QString bars = devices.findChild<Breakdown*>()->accessibleName();
        QVERIFY2(bars.contains("cpu:0: compute " + quantity::time(3e-6)), qPrintable(bars));
        QVERIFY2(bars.contains("waiting " + quantity::time(7e-6)), qPrintable(bars));
        // In the tracks it has a colour of its own.
        // A pixel that is waiting throughout may be rounded to all but that.
        const auto isShown = [&](QRgb colour) {
            const auto isNear = [&](QRgb pixel) {
                return std::abs(qRed(pixel) - qRed(colour)) +
                           std::abs(qGreen(pixel) - qGreen(colour)) +
                           std::abs(qBlue(pixel) - qBlue(colour)) <=
                       3;
            };
            const QImage picture = tracks->grab().toImage().convertToFormat(QImage::Format_RGB32);
            for (int y = 0; y < picture.height(); ++y) {
                const auto* line = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
                if (std::any_of(line, line + picture.width(), isNear)) {
                    return true;
                }
            }
            return false;
        };
        QTRY_VERIFY(isShown(waitingColour(look_.theme()).rgb()));
    }

    void picturesOfBothThemes() {
        Scene scene(look_);
        scene.run(3);
        std::string layer;
        scene.longest(layer);
        scene.selection.select({findLayer(scene.document.design().network, layer)->id});
        test::saveBothThemes(look_, scene.view, QStringLiteral("timeline"));
        test::saveBothThemes(look_, scene.devices, QStringLiteral("at-work"));
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestTimelineView() { return std::make_unique<TestTimelineView>(); }
#include "tst_timeline_view.moc"
