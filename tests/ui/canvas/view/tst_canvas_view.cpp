// SPDX-License-Identifier: Apache-2.0
// The canvas under real mouse and key events.
#include "canvas/paint/canvas_painter.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_fixture.h"

#include <QCoreApplication>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestCanvasView : public QObject {
    Q_OBJECT

    using Fixture = test::CanvasFixture;

private Q_SLOTS:
    void clickingSelectsAndNeverMoves() {
        Fixture fixture;
        const Point before = fixture.position(fixture.fc);
        fixture.drag(fixture.centre(fixture.fc), fixture.centre(fixture.fc) + QPoint(3, 2));
        QVERIFY((fixture.selection.layers() == std::set<LayerId>{fixture.fc}));
        QVERIFY(fixture.position(fixture.fc) == before);
        QTest::mouseClick(&fixture.view, Qt::LeftButton, Qt::ShiftModifier,
                          fixture.centre(fixture.relu));
        QCOMPARE(fixture.selection.layers().size(), std::size_t{2});
        QTest::mouseClick(&fixture.view, Qt::LeftButton, {}, {4, 4});
        QVERIFY(fixture.selection.isEmpty());
    }

    void draggingMovesOnTheGridAndIsOneStep() {
        Fixture fixture;
        const int steps = fixture.document.history().count();
        fixture.drag(fixture.centre(fixture.fc), fixture.centre(fixture.fc) + QPoint(100, 41));
        const Point after = fixture.position(fixture.fc);
        QVERIFY(after.x > 80);
        QCOMPARE(std::fmod(after.x, 8.0), 0.0);
        QCOMPARE(std::fmod(after.y, 8.0), 0.0);
        QCOMPARE(fixture.document.history().count(), steps + 1);
        fixture.document.history().undo();
        QCOMPARE(fixture.position(fixture.fc).x, 0.0);
    }

    void escapeTakesADragBack() {
        Fixture fixture;
        const int steps = fixture.document.history().count();
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, fixture.centre(fixture.fc));
        QTest::mouseMove(&fixture.view, fixture.centre(fixture.fc) + QPoint(80, 80));
        QVERIFY(fixture.position(fixture.fc).x > 0);
        QTest::keyClick(&fixture.view, Qt::Key_Escape);
        QCOMPARE(fixture.position(fixture.fc).x, 0.0);
        QCOMPARE(fixture.document.history().count(), steps);
    }

    void aWireIsDrawnFromPortToPort() {
        Fixture fixture;
        fixture.drag(fixture.port(fixture.fc, false),
                     fixture.port(fixture.relu, true) + QPoint(4, 3));
        QCOMPARE(fixture.document.design().network.wires.size(), std::size_t{2});
        const Wire& wire = fixture.document.design().network.wires.back();
        QVERIFY(wire.from.layer == fixture.fc && wire.to.layer == fixture.relu);
    }

    void aWireThatClosesACircleIsRefusedWithTheReason() {
        Fixture fixture;
        fixture.drag(fixture.port(fixture.fc, false), fixture.port(fixture.relu, true));
        const std::size_t wires = fixture.document.design().network.wires.size();
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, fixture.port(fixture.relu, false));
        QTest::mouseMove(&fixture.view, fixture.port(fixture.fc, true));
        QVERIFY(fixture.view.state().drag.has_value());
        QVERIFY(fixture.view.state().drag->refusal.contains("cycle"));
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, fixture.port(fixture.fc, true));
        QCOMPARE(fixture.document.design().network.wires.size(), wires);
        QVERIFY(!fixture.view.state().drag.has_value());
    }

    void aWireLetGoOverNothingAsksForALayer() {
        Fixture fixture;
        QSignalSpy offered(&fixture.view, &CanvasView::offerLayer);
        fixture.drag(fixture.port(fixture.relu, false),
                     fixture.port(fixture.relu, false) + QPoint(150, 40));
        QCOMPARE(offered.count(), 1);
    }

    void ctrlDragTakesAWireOff() {
        Fixture fixture;
        const QPoint from = fixture.port(fixture.fc, true);
        QTest::mousePress(&fixture.view, Qt::LeftButton, Qt::ControlModifier, from);
        QTest::mouseMove(&fixture.view, from + QPoint(200, 20));
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, Qt::ControlModifier,
                            from + QPoint(200, 20));
        QVERIFY(fixture.document.design().network.wires.empty());
    }

    void aBoxSelectsWhatItTouches() {
        Fixture fixture;
        const QPoint from = fixture.view.viewport().toLogical({-20, -20}).toPoint();
        const QPoint to = fixture.view.viewport().toLogical({260, 220}).toPoint();
        fixture.drag(from, to);
        QVERIFY((fixture.selection.layers() == std::set<LayerId>{fixture.input, fixture.fc}));
    }

    void zoomKeepsWhatIsUnderThePointer() {
        Fixture fixture;
        const QPointF at(300, 200);
        const QPointF before = fixture.view.viewport().toScene(at);
        QWheelEvent wheel(at, fixture.view.mapToGlobal(at), {}, {0, 120}, {}, {}, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&fixture.view, &wheel);
        const QPointF after = fixture.view.viewport().toScene(at);
        QVERIFY(std::abs(before.x() - after.x()) < 1e-6 && std::abs(before.y() - after.y()) < 1e-6);
        fixture.view.camera().zoomTo(1000, at);
        QCOMPARE(fixture.view.viewport().zoom, tokens().sizes.zoom.max);
    }

    /// With and without a shown run.
    void aLayerOfOneLineHasNoNameFromAfar() {
        DisplayList list;
        list.nodes.push_back({.id = LayerId{1}, .box = {0, 0, 240, 28}, .isCompact = true});
        list.buildIndices();
        DisplayList named = list;
        named.nodes.front().name = QStringLiteral("relu1");
        const auto picture = [](const DisplayList& shown, double zoom, bool isRun) {
            QImage image(200, 40, QImage::Format_RGB32);
            QPainter painter(&image);
            CanvasState state;
            state.isRun = isRun;
            CanvasPainter().paint(painter, shown, {.origin = {-4, -4}, .zoom = zoom}, state,
                                  tokens().light, image.rect());
            return image;
        };
        for (const bool isRun : {false, true}) {
            QVERIFY(picture(named, 0.56, isRun) != picture(list, 0.56, isRun));
            QCOMPARE(picture(named, 0.52, isRun), picture(list, 0.52, isRun));
            QCOMPARE(picture(named, 0.4, isRun), picture(list, 0.4, isRun));
        }
    }

    void panningScrollsToTheSamePictureAsPaintingAnew() {
        Fixture fixture;
        QVERIFY(QTest::qWaitForWindowExposed(&fixture.view));
        QVERIFY(fixture.waitForCheck()); // or its answer comes between the two pictures
        fixture.view.camera().pan({37, -21});
        QCoreApplication::processEvents();
        const QImage scrolled = fixture.view.grab().toImage();
        fixture.view.redraw();
        QCoreApplication::processEvents();
        QCOMPARE(fixture.view.grab().toImage(), scrolled);
    }

    void piecesPaintedForThemselvesMakeTheWholePicture() {
        Fixture fixture;
        fixture.document.edit("Frame", [&](Design& design) {
            return addFrame(design, {},
                            {.title = "All", .topLeft = {-40, -60}, .size = {400, 500}});
        });
        fixture.view.camera().frameAll();
        QVERIFY(fixture.waitForCheck());
        const auto painted = [&](const QRegion& region) {
            QImage image(fixture.view.size(), QImage::Format_RGB32);
            image.fill(0);
            fixture.view.render(&image, {}, region, QWidget::DrawChildren);
            return image;
        };
        const QRect left(0, 0, fixture.view.width() / 2, fixture.view.height());
        const QRect right(left.right() + 1, 40, left.width(), fixture.view.height() - 40);
        const QImage pieces = painted(QRegion(left) + right);
        const QImage whole = painted(fixture.view.rect());
        QCOMPARE(pieces.copy(left), whole.copy(left));
        QCOMPARE(pieces.copy(right), whole.copy(right));
    }

    void arrowsWalkAlongWires() {
        Fixture fixture;
        fixture.selection.select({fixture.input});
        QTest::keyClick(&fixture.view, Qt::Key_Down);
        QVERIFY(fixture.selection.has(fixture.fc));
        QTest::keyClick(&fixture.view, Qt::Key_Up);
        QVERIFY(fixture.selection.has(fixture.input));
    }

    void tabAsksForALayerAndDoesNotLeave() {
        Fixture fixture;
        QSignalSpy wanted(&fixture.view, &CanvasView::addWanted);
        QTest::keyClick(&fixture.view, Qt::Key_Tab);
        QCOMPARE(wanted.count(), 1);
    }

    void everyZoomPaintsInBothThemes() {
        Fixture fixture;
        for (const Look::Choice choice : {Look::Choice::dark, Look::Choice::light}) {
            fixture.look.choose(choice);
            for (const double zoom : {0.05, 0.2, 0.4, 0.7, 1.0, 2.0, 4.0}) {
                fixture.view.camera().zoomTo(zoom, {400, 300});
                const QImage picture = fixture.view.grab().toImage();
                std::set<QRgb> colours;
                for (int x = 0; x < picture.width(); x += 2) {
                    for (int y = 0; y < picture.height(); y += 2) {
                        colours.insert(picture.pixel(x, y));
                    }
                }
                QVERIFY(colours.contains(fixture.look.theme().surface.canvas.rgb()) || zoom >= 4);
                QVERIFY(colours.size() > 1);
            }
        }
    }
};

std::unique_ptr<QObject> makeTestCanvasView() { return std::make_unique<TestCanvasView>(); }

#include "tst_canvas_view.moc"
