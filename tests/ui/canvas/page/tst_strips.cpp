// SPDX-License-Identifier: Apache-2.0
// The strips over the canvas: a click on a word is a brush, arrows go from device to device.
#include "canvas/page/strips.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_fixture.h"

#include <QLabel>
#include <QToolButton>

using namespace weft;
using namespace weft::ui;

class TestStrips : public QObject {
    Q_OBJECT

    using Fixture = test::CanvasFixture;

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
        Fixture fixture;
        QVERIFY(fixture.openSample());
        BrushStrip strip(fixture.view, fixture.look, &fixture.view);
        QVERIFY(strip.isHidden());
        fixture.view.setBrush(BrushStrip::brushOf(AxisWord::data));
        QVERIFY(strip.isVisible());
        strip.adjustSize();
        QVERIFY(button(strip, "data")->isChecked());
        click(button(strip, "replicate"));
        QVERIFY(fixture.view.brush()->word == AxisWord::replicate);
        QVERIFY(!button(strip, "data")->isChecked());
        QVERIFY(button(strip, "replicate")->isChecked());
        strip.move(0, 500);
        const LayerId layer = fixture.named("conv1");
        QTest::mouseClick(&fixture.view, Qt::LeftButton, {}, fixture.centre(layer));
        QVERIFY(findLayer(fixture.network(), layer)->assignment->words[0] == AxisWord::replicate);
        // "follow" takes away what was painted.
        click(button(strip, "follow"));
        QTest::mouseClick(&fixture.view, Qt::LeftButton, {}, fixture.centre(layer));
        QVERIFY(!findLayer(fixture.network(), layer)->assignment);
        QTest::keyClick(&fixture.view, Qt::Key_Escape);
        QVERIFY(strip.isHidden());
    }

    void anotherThemeKeepsTheBrush() {
        Fixture fixture;
        BrushStrip strip(fixture.view, fixture.look, &fixture.view);
        fixture.view.setBrush(BrushStrip::brushOf(AxisWord::batch));
        Q_EMIT fixture.look.changed();
        QVERIFY(button(strip, "batch")->isChecked());
        QCOMPARE(strip.findChildren<QToolButton*>().size(), 8);
    }

    void arrowsGoFromDeviceToDevice() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        RankStrip strip(fixture.view, fixture.check, fixture.look, &fixture.view);
        QVERIFY(strip.isHidden());
        fixture.view.setRank(0);
        QVERIFY(strip.isVisible());
        const QLabel* text = strip.findChild<QLabel*>();
        QVERIFY(text->text().contains(QStringLiteral("cpu:0")));
        const auto part = [&] { return fixture.node("conv1").assignment; };
        QTRY_COMPARE(part(), QStringLiteral("cpu:0"));
        click(button(strip, QStringLiteral("›")));
        QVERIFY(text->text().contains(QStringLiteral("cpu:1")));
        QTRY_COMPARE(part(), QStringLiteral("cpu:1"));
        // Behind the last comes the first, before the first the last.
        click(button(strip, QStringLiteral("›")));
        QCOMPARE(fixture.view.rank(), 0);
        click(button(strip, QStringLiteral("‹")));
        QCOMPARE(fixture.view.rank(), 1);
        fixture.view.setRank(-1);
        QVERIFY(strip.isHidden());
    }
};

std::unique_ptr<QObject> makeTestStrips() { return std::make_unique<TestStrips>(); }

#include "tst_strips.moc"
