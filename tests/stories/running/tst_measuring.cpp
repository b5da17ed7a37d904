// SPDX-License-Identifier: Apache-2.0
// Memory and the sureness of predictions, from the menus and panels of the whole window.
#include "shell/bars/run_strip.h"
#include "shell/docks/docks.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/quantity.h"
#include "timeline/memory_view.h"
#include <weft/error.h>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QToolTip>
#include <QTreeWidget>
#include <atomic>

using namespace weft;
using namespace weft::test;

class TestMeasuring : public QObject {
    Q_OBJECT

    static ui::MemoryView& memory(WindowStory& story) {
        return *static_cast<ui::MemoryView*>(
            story.window().docks().panel(QStringLiteral("memory")));
    }
    /// The command, and what is asked then answered with the button of these words; the question.
    static QString recalibrateAnd(WindowStory& story, const QString& answer) {
        story.command("parallel.recalibrate");
        auto* question = story.window().findChild<QMessageBox*>();
        if (question == nullptr) {
            return {};
        }
        QString asked = question->text() + '\n' + question->informativeText();
        (void)savePicture(*question, QStringLiteral("recalibrate-question"));
        for (QAbstractButton* button : question->buttons()) {
            if (button->text().remove('&') == answer) {
                QTest::mouseClick(button, Qt::LeftButton);
                QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
                return asked;
            }
        }
        return {};
    }

    static void theStripTellsHowSureItIs(WindowStory& story) {
        ui::WindowContext& context = story.window().context();
        // The run's own, of rates whose spread nobody knows, comes first.
        QTRY_VERIFY_WITH_TIMEOUT(context.prediction.preview() != nullptr, 120'000);
        Design spread = story.design();
        spread.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
        spread.assignment.words = {AxisWord::data};
        PreviewRequest request;
        request.machine = context.machine()->machine;
        LinkSheet& link = request.machine.withinProcess;
        link.latencySpread = link.bytesSpread = {0.8, 1.4};
        context.prediction.predict(spread, request);
        auto* line = story.window().strip().findChild<QWidget*>(QStringLiteral("runLine"));
        QVERIFY(line != nullptr);
        QTRY_VERIFY2_WITH_TIMEOUT(
            line->toolTip().contains(QStringLiteral("uncertainty of the rates")),
            qPrintable(line->toolTip()), 120'000);
        const QPoint at = line->rect().center();
        QTest::mouseMove(line, at);
        QHelpEvent help(QEvent::ToolTip, at, line->mapToGlobal(at));
        QApplication::sendEvent(line, &help);
        const TimeBand band = context.prediction.preview()->step->band;
        const QString words = ui::quantity::timeBand(static_cast<double>(band.low.count) / 1e9,
                                                     static_cast<double>(band.high.count) / 1e9);
        QVERIFY2(QToolTip::text().contains(words), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

private Q_SLOTS:
    void theMemoryOfADeviceIsSeenFromItsPanel() {
        for (const QSize size : {QSize(1600, 1000), QSize(1366, 768)}) {
            WindowStory story(size);
            story.openSample(QStringLiteral("alexnet-one-weird-trick"));
            story.command("dock.devices");
            auto* panel = story.window().docks().panel(QStringLiteral("devices"));
            auto* list = panel->findChild<QTreeWidget*>();
            QTRY_COMPARE(list->topLevelItemCount(), 4);
            list->scrollToItem(list->topLevelItem(2)); // the dock is low
            const QRect row = list->visualItemRect(list->topLevelItem(2));
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, row.center());
            for (auto* button : panel->findChildren<QPushButton*>()) {
                if (button->text() == QStringLiteral("Memory map")) {
                    QTest::mouseClick(button, Qt::LeftButton);
                }
            }
            ui::MemoryView& view = memory(story);
            QVERIFY(view.isVisible());
            QTRY_COMPARE_WITH_TIMEOUT(view.devices().count(), 4, 240'000);
            QCOMPARE(view.devices().currentText(), list->topLevelItem(2)->text(0));
            QTRY_VERIFY2(view.plot().height() > 120,
                         qPrintable(QString::number(view.plot().height())));
            story.page().design().selection().select({story.layerNamed("fc6")});
            QTRY_VERIFY(!view.plot().picture().chosen.empty());
            for (const auto choice : {ui::Look::Choice::dark, ui::Look::Choice::light}) {
                story.look().choose(choice);
                story.picture(QStringLiteral("memory-%1-%2")
                                  .arg(size.width())
                                  .arg(choice == ui::Look::Choice::dark ? "dark" : "light"));
            }
            QCOMPARE(story.window().size(), size);
        }
    }

    void theMachineIsMeasuredAgainAndNotBesideARunUnsaid() {
        WindowStory story;
        story.openSample(QStringLiteral("quickstart-digits"));
        ui::WindowContext& context = story.window().context();
        QTRY_VERIFY_WITH_TIMEOUT(context.machine() != nullptr, 20'000);
        std::atomic<int> measurements = 0;
        context.calibration.setMeasuring(
            [&measurements, machine = context.machine()](const CalibrationRequest& request) {
                ++measurements;
                (void)request.progress(0.5);
                MachineReport measured = *machine;
                for (DeviceSheet& sheet : measured.machine.devices) {
                    sheet.opSpread = {{"linear", {0.8, 1.4}}};
                    sheet.streamSpread = sheet.overheadSpread = {0.8, 1.4};
                    sheet.isMeasured = true;
                    sheet.measuredAt = 1'700'000'000;
                }
                return measured;
            });
        QCOMPARE(recalibrateAnd(story, {}), QString()); // nothing runs, nothing is asked
        QTRY_VERIFY(!context.calibration.isMeasuring());
        QCOMPARE(measurements.load(), 1);
        QTRY_VERIFY(story.page().design().check().answer()->withStep &&
                    story.page().design().check().answer()->withStep->step->band.isKnown());
        for (const QSize size : {QSize(1600, 1000), QSize(1366, 768)}) {
            story.window().resize(size);
            QCoreApplication::processEvents();
            story.window().docks().reset();
            for (const auto choice : {ui::Look::Choice::dark, ui::Look::Choice::light}) {
                story.look().choose(choice);
                story.picture(QStringLiteral("bands-%1-%2")
                                  .arg(size.width())
                                  .arg(choice == ui::Look::Choice::dark ? "dark" : "light"));
            }
        }

        story.page().design().document().edit("steps", [](Design& design) {
            design.training.epochs = 0;
            design.training.steps = 1'000'000;
            return Edited{};
        });
        story.command("run.start");
        QTRY_VERIFY_WITH_TIMEOUT(context.hub.isLiving(), 120'000);
        theStripTellsHowSureItIs(story);
        const QString asked = recalibrateAnd(story, QStringLiteral("Cancel"));
        QVERIFY2(asked.contains(QStringLiteral("too slow")), qPrintable(asked));
        QVERIFY(!context.calibration.isMeasuring());
        QCOMPARE(measurements.load(), 1);
        QVERIFY(!recalibrateAnd(story, QStringLiteral("Measure anyway")).isEmpty());
        QTRY_COMPARE(measurements.load(), 2);
        story.command("run.stop");
        QTRY_VERIFY_WITH_TIMEOUT(!context.control.isBusy(), 120'000);
    }
};

std::unique_ptr<QObject> makeTestMeasuring() { return std::make_unique<TestMeasuring>(); }

#include "tst_measuring.moc"
