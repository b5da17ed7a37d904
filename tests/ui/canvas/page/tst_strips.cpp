// SPDX-License-Identifier: Apache-2.0
// The strips over the canvas: a click on a word is a brush, arrows go from device to device.
#include "canvas/page/strips.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_bench.h"

#include <QLabel>
#include <QToolButton>

using namespace weft;
using namespace weft::ui;

class TestStrips : public QObject {
    Q_OBJECT

    using Bench = test::CanvasBench;

    static QToolButton* button(const QWidget& strip, const QString& text) {
        for (QToolButton* one : strip.findChildren<QToolButton*>()) {
            if (one->text() == text) {
                return one;
            }
        }
        return nullptr;
    }
    static void click(QWidget* on) { QTest::mouseClick(on, Qt::LeftButton); }

private Q_SLOTS:
    void aWordOfTheBrushPaints() {
        Bench bench;
        QVERIFY(bench.openSample());
        BrushStrip strip(bench.view, bench.look, &bench.view);
        QVERIFY(strip.isHidden());
        bench.view.setBrush(BrushStrip::brushOf(AxisWord::data));
        QVERIFY(strip.isVisible());
        strip.adjustSize();
        QVERIFY(button(strip, "data")->isChecked());
        click(button(strip, "replicate"));
        QVERIFY(bench.view.brush()->word == AxisWord::replicate);
        QVERIFY(!button(strip, "data")->isChecked());
        QVERIFY(button(strip, "replicate")->isChecked());
        strip.move(0, 500);
        const LayerId layer = bench.named("conv1");
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.centre(layer));
        QVERIFY(findLayer(bench.network(), layer)->assignment->words[0] == AxisWord::replicate);
        // "follow" takes away what was painted.
        click(button(strip, "follow"));
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.centre(layer));
        QVERIFY(!findLayer(bench.network(), layer)->assignment);
        QTest::keyClick(&bench.view, Qt::Key_Escape);
        QVERIFY(strip.isHidden());
    }

    void anotherThemeKeepsTheBrush() {
        Bench bench;
        BrushStrip strip(bench.view, bench.look, &bench.view);
        bench.view.setBrush(BrushStrip::brushOf(AxisWord::batch));
        Q_EMIT bench.look.changed();
        QVERIFY(button(strip, "batch")->isChecked());
        QCOMPARE(strip.findChildren<QToolButton*>().size(), 8);
    }

    void arrowsGoFromDeviceToDevice() {
        Bench bench;
        QVERIFY(bench.openSample());
        RankStrip strip(bench.view, bench.check, bench.look, &bench.view);
        QVERIFY(strip.isHidden());
        bench.view.setRank(0);
        QVERIFY(strip.isVisible());
        const QLabel* text = strip.findChild<QLabel*>();
        QVERIFY(text->text().contains(QStringLiteral("cpu:0")));
        const auto part = [&] { return bench.node("conv1").assignment; };
        QTRY_COMPARE(part(), QStringLiteral("cpu:0"));
        click(button(strip, QStringLiteral("›")));
        QVERIFY(text->text().contains(QStringLiteral("cpu:1")));
        QTRY_COMPARE(part(), QStringLiteral("cpu:1"));
        // Behind the last comes the first, before the first the last.
        click(button(strip, QStringLiteral("›")));
        QCOMPARE(bench.view.rank(), 0);
        click(button(strip, QStringLiteral("‹")));
        QCOMPARE(bench.view.rank(), 1);
        bench.view.setRank(-1);
        QVERIFY(strip.isHidden());
    }
};

std::unique_ptr<QObject> makeTestStrips() { return std::make_unique<TestStrips>(); }

#include "tst_strips.moc"
