// SPDX-License-Identifier: Apache-2.0
// The canvas under real mouse and key events.
#include "canvas/paint/canvas_painter.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_bench.h"

#include <QCoreApplication>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestCanvasView : public QObject {
    Q_OBJECT

    using Bench = test::CanvasBench;

private Q_SLOTS:
    void clickingSelectsAndNeverMoves() {
        Bench bench;
        const Point before = bench.position(bench.fc);
        bench.drag(bench.centre(bench.fc), bench.centre(bench.fc) + QPoint(3, 2));
        QVERIFY((bench.selection.layers() == std::set<LayerId>{bench.fc}));
        QVERIFY(bench.position(bench.fc) == before);
        QTest::mouseClick(&bench.view, Qt::LeftButton, Qt::ShiftModifier, bench.centre(bench.relu));
        QCOMPARE(bench.selection.layers().size(), std::size_t{2});
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, {4, 4});
        QVERIFY(bench.selection.isEmpty());
    }

    void draggingMovesOnTheGridAndIsOneStep() {
        Bench bench;
        const int steps = bench.document.history().count();
        bench.drag(bench.centre(bench.fc), bench.centre(bench.fc) + QPoint(100, 41));
        const Point after = bench.position(bench.fc);
        QVERIFY(after.x > 80);
        QCOMPARE(std::fmod(after.x, 8.0), 0.0);
        QCOMPARE(std::fmod(after.y, 8.0), 0.0);
        QCOMPARE(bench.document.history().count(), steps + 1);
        bench.document.history().undo();
        QCOMPARE(bench.position(bench.fc).x, 0.0);
    }

    void escapeTakesADragBack() {
        Bench bench;
        const int steps = bench.document.history().count();
        QTest::mousePress(&bench.view, Qt::LeftButton, {}, bench.centre(bench.fc));
        QTest::mouseMove(&bench.view, bench.centre(bench.fc) + QPoint(80, 80));
        QVERIFY(bench.position(bench.fc).x > 0);
        QTest::keyClick(&bench.view, Qt::Key_Escape);
        QCOMPARE(bench.position(bench.fc).x, 0.0);
        QCOMPARE(bench.document.history().count(), steps);
    }

    void aWireIsDrawnFromPortToPort() {
        Bench bench;
        bench.drag(bench.port(bench.fc, false), bench.port(bench.relu, true) + QPoint(4, 3));
        QCOMPARE(bench.document.design().network.wires.size(), std::size_t{2});
        const Wire& wire = bench.document.design().network.wires.back();
        QVERIFY(wire.from.layer == bench.fc && wire.to.layer == bench.relu);
    }

    void aWireThatClosesACircleIsRefusedWithTheReason() {
        Bench bench;
        bench.drag(bench.port(bench.fc, false), bench.port(bench.relu, true));
        const std::size_t wires = bench.document.design().network.wires.size();
        QTest::mousePress(&bench.view, Qt::LeftButton, {}, bench.port(bench.relu, false));
        QTest::mouseMove(&bench.view, bench.port(bench.fc, true));
        QVERIFY(bench.view.state().drag.has_value());
        QVERIFY(bench.view.state().drag->refusal.contains("cycle"));
        QTest::mouseRelease(&bench.view, Qt::LeftButton, {}, bench.port(bench.fc, true));
        QCOMPARE(bench.document.design().network.wires.size(), wires);
        QVERIFY(!bench.view.state().drag.has_value());
    }

    void aWireLetGoOverNothingAsksForALayer() {
        Bench bench;
        QSignalSpy offered(&bench.view, &CanvasView::offerLayer);
        bench.drag(bench.port(bench.relu, false), bench.port(bench.relu, false) + QPoint(150, 40));
        QCOMPARE(offered.count(), 1);
    }

    void ctrlDragTakesAWireOff() {
        Bench bench;
        const QPoint from = bench.port(bench.fc, true);
        QTest::mousePress(&bench.view, Qt::LeftButton, Qt::ControlModifier, from);
        QTest::mouseMove(&bench.view, from + QPoint(200, 20));
        QTest::mouseRelease(&bench.view, Qt::LeftButton, Qt::ControlModifier,
                            from + QPoint(200, 20));
        QVERIFY(bench.document.design().network.wires.empty());
    }

    void aBoxSelectsWhatItTouches() {
        Bench bench;
        const QPoint from = bench.view.viewport().toLogical({-20, -20}).toPoint();
        const QPoint to = bench.view.viewport().toLogical({260, 220}).toPoint();
        bench.drag(from, to);
        QVERIFY((bench.selection.layers() == std::set<LayerId>{bench.input, bench.fc}));
    }

    void zoomKeepsWhatIsUnderThePointer() {
        Bench bench;
        const QPointF at(300, 200);
        const QPointF before = bench.view.viewport().toScene(at);
        QWheelEvent wheel(at, bench.view.mapToGlobal(at), {}, {0, 120}, {}, {}, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&bench.view, &wheel);
        const QPointF after = bench.view.viewport().toScene(at);
        QVERIFY(std::abs(before.x() - after.x()) < 1e-6 && std::abs(before.y() - after.y()) < 1e-6);
        bench.view.camera().zoomTo(1000, at);
        QCOMPARE(bench.view.viewport().zoom, tokens().sizes.zoom.max);
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
        Bench bench;
        QVERIFY(QTest::qWaitForWindowExposed(&bench.view));
        QVERIFY(bench.waitForCheck()); // or its answer comes between the two pictures
        bench.view.camera().pan({37, -21});
        QCoreApplication::processEvents();
        const QImage scrolled = bench.view.grab().toImage();
        bench.view.redraw();
        QCoreApplication::processEvents();
        QCOMPARE(bench.view.grab().toImage(), scrolled);
    }

    void piecesPaintedForThemselvesMakeTheWholePicture() {
        Bench bench;
        bench.document.edit("Frame", [&](Design& design) {
            return addFrame(design, {},
                            {.title = "All", .topLeft = {-40, -60}, .size = {400, 500}});
        });
        bench.view.camera().frameAll();
        QVERIFY(bench.waitForCheck());
        const auto painted = [&](const QRegion& region) {
            QImage image(bench.view.size(), QImage::Format_RGB32);
            image.fill(0);
            bench.view.render(&image, {}, region, QWidget::DrawChildren);
            return image;
        };
        const QRect left(0, 0, bench.view.width() / 2, bench.view.height());
        const QRect right(left.right() + 1, 40, left.width(), bench.view.height() - 40);
        const QImage pieces = painted(QRegion(left) + right);
        const QImage whole = painted(bench.view.rect());
        QCOMPARE(pieces.copy(left), whole.copy(left));
        QCOMPARE(pieces.copy(right), whole.copy(right));
    }

    void arrowsWalkAlongWires() {
        Bench bench;
        bench.selection.select({bench.input});
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QVERIFY(bench.selection.has(bench.fc));
        QTest::keyClick(&bench.view, Qt::Key_Up);
        QVERIFY(bench.selection.has(bench.input));
    }

    void tabAsksForALayerAndDoesNotLeave() {
        Bench bench;
        QSignalSpy wanted(&bench.view, &CanvasView::addWanted);
        QTest::keyClick(&bench.view, Qt::Key_Tab);
        QCOMPARE(wanted.count(), 1);
    }

    void everyZoomPaintsInBothThemes() {
        Bench bench;
        for (const Look::Choice choice : {Look::Choice::dark, Look::Choice::light}) {
            bench.look.choose(choice);
            for (const double zoom : {0.05, 0.2, 0.4, 0.7, 1.0, 2.0, 4.0}) {
                bench.view.camera().zoomTo(zoom, {400, 300});
                const QImage picture = bench.view.grab().toImage();
                std::set<QRgb> colours;
                for (int x = 0; x < picture.width(); x += 2) {
                    for (int y = 0; y < picture.height(); y += 2) {
                        colours.insert(picture.pixel(x, y));
                    }
                }
                QVERIFY(colours.contains(bench.look.theme().surface.canvas.rgb()) || zoom >= 4);
                QVERIFY(colours.size() > 1);
            }
        }
    }
};

std::unique_ptr<QObject> makeTestCanvasView() { return std::make_unique<TestCanvasView>(); }

#include "tst_canvas_view.moc"
