// SPDX-License-Identifier: Apache-2.0
// The key map of the canvas, gesture by gesture.
#include "canvas/view/in_place_editor.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_bench.h"

#include <QLabel>
#include <QSignalSpy>

using namespace weft;
using namespace weft::ui;

class TestCanvasGestures : public QObject {
    Q_OBJECT

    using Bench = test::CanvasBench;

    static InPlaceEditor* editor(Bench& bench) { return bench.view.findChild<InPlaceEditor*>(); }

    /// A second layer below `fc`, wired to it.
    static void wireRelu(Bench& bench) { bench.connect({bench.fc, "y"}, {bench.relu, "x"}); }

    static void addFrame(Bench& bench, QRectF box, const std::vector<LayerId>& layers) {
        bench.document.edit("Frame", [&](Design& design) {
            return weft::addFrame(design, {},
                                  {.title = "Features",
                                   .topLeft = {box.left(), box.top()},
                                   .size = {box.width(), box.height()},
                                   .layers = layers});
        });
        bench.view.camera().frame(bench.view.list().bounds());
    }

private Q_SLOTS:
    void aLineDrawnWithYHeldCutsWires() {
        Bench bench;
        wireRelu(bench);
        const int steps = bench.document.history().count();
        QTest::keyPress(&bench.view, Qt::Key_Y);
        // Through the wire between the two, and no other.
        const QPoint middle = (bench.port(bench.fc, false) + bench.port(bench.relu, true)) / 2;
        bench.drag(middle - QPoint(60, 0), middle + QPoint(60, 0));
        QTest::keyRelease(&bench.view, Qt::Key_Y);
        QCOMPARE(bench.network().wires.size(), std::size_t{1});
        QVERIFY(bench.network().wires[0].to.layer == bench.fc);
        QCOMPARE(bench.document.history().count(), steps + 1);
        bench.undo();
        QCOMPARE(bench.network().wires.size(), std::size_t{2});
    }

    void ctrlAndTheRightButtonCutToo() {
        Bench bench;
        const QPoint middle = (bench.port(bench.input, false) + bench.port(bench.fc, true)) / 2;
        QSignalSpy menus(&bench.view, &QWidget::customContextMenuRequested);
        bench.drag(middle - QPoint(60, 0), middle + QPoint(60, 0), Qt::ControlModifier,
                   Qt::RightButton);
        QVERIFY(bench.network().wires.empty());
        QCOMPARE(menus.count(), 0);
    }

    void ctrlDragFromAnOutputMovesItsWires() {
        Bench bench;
        const LayerId other = bench.add("input", {300, 0});
        bench.view.camera().frame(bench.view.list().bounds());
        bench.drag(bench.port(bench.input, false), bench.port(other, false), Qt::ControlModifier);
        QCOMPARE(bench.network().wires.size(), std::size_t{1});
        QVERIFY(bench.network().wires[0].from.layer == other);
        QVERIFY(bench.network().wires[0].to.layer == bench.fc);
    }

    void altClickOnAPortTakesItsWiresOff() {
        Bench bench;
        QTest::mouseClick(&bench.view, Qt::LeftButton, Qt::AltModifier, bench.port(bench.fc, true));
        QVERIFY(bench.network().wires.empty());
    }

    void aLayerWithoutInputsSaysWhy() {
        Bench bench;
        const QPoint from = bench.port(bench.fc, false);
        QTest::mousePress(&bench.view, Qt::LeftButton, {}, from);
        bench.move(from, bench.centre(bench.input));
        QVERIFY(bench.view.state().drag.has_value());
        QVERIFY(bench.view.state().drag->refusal.contains("has no inputs"));
        QTest::keyClick(&bench.view, Qt::Key_Escape);
        QVERIFY(!bench.view.state().drag.has_value());
        QCOMPARE(bench.network().wires.size(), std::size_t{1});
    }

    void bookmarksLeadBack() {
        Bench bench;
        bench.view.camera().zoomTo(2, {100, 100});
        const Viewport kept = bench.view.viewport();
        QTest::keyClick(&bench.view, Qt::Key_3, Qt::ControlModifier);
        bench.view.camera().frameAll();
        QVERIFY(bench.view.viewport().zoom != kept.zoom);
        QTest::keyClick(&bench.view, Qt::Key_3);
        QCOMPARE(bench.view.viewport().zoom, kept.zoom);
        QVERIFY(std::abs(bench.view.viewport().origin.x() - kept.origin.x()) < 1e-6);
        QTest::keyClick(&bench.view, Qt::Key_4);
        QCOMPARE(bench.view.viewport().zoom, kept.zoom);
    }

    void ctrlShiftDragZooms() {
        Bench bench;
        const double before = bench.view.viewport().zoom;
        const QPoint nothing(20, 300);
        bench.drag(nothing, nothing - QPoint(0, 60), Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(bench.view.viewport().zoom > 1.5 * before);
        QVERIFY(bench.selection.isEmpty());
    }

    void spaceSelectsAndWithADragPans() {
        Bench bench;
        bench.selection.select({bench.input});
        QTest::keyClick(&bench.view, Qt::Key_Down, Qt::ControlModifier);
        // Only the focus moved.
        QVERIFY((bench.selection.layers() == std::set<LayerId>{bench.input}));
        QVERIFY(bench.view.state().focused == bench.fc);
        QTest::keyClick(&bench.view, Qt::Key_Space);
        QVERIFY((bench.selection.layers() == std::set<LayerId>{bench.input, bench.fc}));
        const QPointF origin = bench.view.viewport().origin;
        QTest::keyPress(&bench.view, Qt::Key_Space);
        bench.drag({400, 300}, {430, 320});
        QTest::keyRelease(&bench.view, Qt::Key_Space);
        QVERIFY(bench.view.viewport().origin != origin);
        QCOMPARE(bench.selection.layers().size(), std::size_t{2});
    }

    void theFocusRingGoesWhenAButtonIsUsed() {
        Bench bench;
        bench.selection.select({bench.input});
        QVERIFY(bench.view.state().focused.isNone());
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QVERIFY(bench.view.state().focused == bench.fc);
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.centre(bench.relu));
        QVERIFY(bench.view.state().focused.isNone());
    }

    void theMenuKeyOpensTheMenuAtTheLayer() {
        Bench bench;
        bench.view.setContextMenuPolicy(Qt::CustomContextMenu);
        bench.selection.select({bench.fc});
        QSignalSpy menus(&bench.view, &QWidget::customContextMenuRequested);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {1, 1}, {1, 1});
        QApplication::sendEvent(&bench.view, &event);
        QCOMPARE(menus.count(), 1);
        QCOMPARE(menus[0][0].toPoint(), bench.centre(bench.fc));
    }

    void draggingAtTheBorderPans() {
        Bench bench;
        const QPointF origin = bench.view.viewport().origin;
        QTest::mousePress(&bench.view, Qt::LeftButton, {}, bench.centre(bench.fc));
        bench.move(bench.centre(bench.fc), {bench.view.width() - 2, 300});
        QTRY_VERIFY(bench.view.viewport().origin.x() > origin.x() + 20);
        QTest::keyClick(&bench.view, Qt::Key_Escape);
        QCOMPARE(bench.position(bench.fc).x, 0.0);
    }

    void escapeCancelsEveryDrag_data() {
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<int>("button");
        QTest::addColumn<bool>("isOnLayer");
        const auto row = [](const char* name, Qt::KeyboardModifiers modifiers,
                            Qt::MouseButton button, bool isOnLayer) {
            QTest::newRow(name) << static_cast<int>(modifiers) << static_cast<int>(button)
                                << isOnLayer;
        };
        row("move", {}, Qt::LeftButton, true);
        row("band", {}, Qt::LeftButton, false);
        row("lasso", Qt::ControlModifier | Qt::AltModifier, Qt::LeftButton, false);
        row("cut", Qt::ControlModifier, Qt::RightButton, false);
        row("pan", {}, Qt::MiddleButton, false);
        row("zoom", Qt::ControlModifier | Qt::ShiftModifier, Qt::LeftButton, false);
    }
    void escapeCancelsEveryDrag() {
        QFETCH(const int, modifiers);
        QFETCH(const int, button);
        QFETCH(const bool, isOnLayer);
        Bench bench;
        const Design before = bench.document.design();
        const Viewport at = bench.view.viewport();
        const QPoint from = isOnLayer ? bench.centre(bench.fc) : QPoint(20, 300);
        const auto keys = Qt::KeyboardModifiers(modifiers);
        const auto with = static_cast<Qt::MouseButton>(button);
        QTest::mousePress(&bench.view, with, keys, from);
        bench.move(from, from + QPoint(300, 10), keys, with);
        QTest::keyClick(&bench.view, Qt::Key_Escape);
        QTest::mouseRelease(&bench.view, with, keys, from + QPoint(300, 10));
        QVERIFY(bench.document.design() == before);
        QVERIFY(bench.selection.isEmpty() || isOnLayer);
        QCOMPARE(bench.view.viewport().zoom, at.zoom);
        QVERIFY(QLineF(bench.view.viewport().origin, at.origin).length() < 1e-6);
        QVERIFY(!bench.view.state().band && bench.view.state().lasso.isEmpty());
        QVERIFY(bench.view.state().cut.isEmpty());
    }

    void f2RenamesInPlace() {
        Bench bench;
        bench.selection.select({bench.fc});
        QTest::keyClick(&bench.view, Qt::Key_F2);
        QVERIFY(editor(bench) != nullptr);
        QTest::keyClicks(editor(bench), "hidden");
        QTest::keyClick(editor(bench), Qt::Key_Return);
        QCOMPARE(QString::fromStdString(findLayer(bench.network(), bench.fc)->name),
                 QStringLiteral("hidden"));
    }

    void aDoubleClickOnTheNameRenamesAndEscapeDoesNot() {
        Bench bench;
        const std::string before = findLayer(bench.network(), bench.fc)->name;
        const QPoint title = bench.at(bench.view.list().node(bench.fc)->titleBox().center());
        QTest::mouseDClick(&bench.view, Qt::LeftButton, {}, title);
        QVERIFY(editor(bench) != nullptr);
        QTest::keyClicks(editor(bench), "other");
        QTest::keyClick(editor(bench), Qt::Key_Escape);
        QCOMPARE(findLayer(bench.network(), bench.fc)->name, before);
    }

    void commentsAreMovedEditedAndDeleted() {
        Bench bench;
        bench.document.edit("Comment", [](Design& design) {
            return addComment(design, {}, {.text = "one", .position = {300, 10}});
        });
        bench.view.camera().frame(bench.view.list().bounds());
        const auto place = [&] { return bench.at(bench.view.list().comments[0].box().center()); };
        bench.drag(place(), place() + QPoint(0, 80));
        QVERIFY(bench.network().comments[0].position.y > 60);
        QTest::mouseDClick(&bench.view, Qt::LeftButton, {}, place());
        QVERIFY(editor(bench) != nullptr);
        QTest::keyClicks(editor(bench), "two");
        QTest::keyClick(editor(bench), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(editor(bench), "lines");
        QTest::keyClick(editor(bench), Qt::Key_Return);
        QCOMPARE(QString::fromStdString(bench.network().comments[0].text),
                 QStringLiteral("two\nlines"));
        QTest::keyClick(&bench.view, Qt::Key_Delete);
        QVERIFY(bench.network().comments.empty());
        bench.undo();
        QCOMPARE(bench.network().comments.size(), std::size_t{1});
    }

    void aFrameIsResizedAndHoldsWhatLiesInIt() {
        Bench bench;
        addFrame(bench, {-24, 64, 290, 180}, {bench.fc});
        const FrameView& frame = bench.view.list().frames[0];
        const int steps = bench.document.history().count();
        const QPoint corner = bench.at(frame.box.bottomRight());
        bench.drag(corner, corner + bench.at({10, 120}) - bench.at({0, 0}));
        QCOMPARE(bench.document.history().count(), steps + 1);
        QVERIFY(bench.network().frames[0].size.y > 250);
        QVERIFY((bench.network().frames[0].layers == std::vector<LayerId>{bench.fc, bench.relu}));
        bench.undo();
        QCOMPARE(bench.network().frames[0].size.y, 180.0);
    }

    void aFrameIsNamedByADoubleClickOnItsTitle() {
        Bench bench;
        addFrame(bench, {-24, 64, 290, 180}, {bench.fc});
        const QPoint title = bench.at(bench.view.list().frames[0].titleBox().center());
        QTest::mouseDClick(&bench.view, Qt::LeftButton, {}, title);
        QVERIFY(editor(bench) != nullptr);
        QTest::keyClicks(editor(bench), "Dense part");
        QTest::keyClick(editor(bench), Qt::Key_Return);
        QCOMPARE(QString::fromStdString(bench.network().frames[0].title),
                 QStringLiteral("Dense part"));
    }

    void theFixOnALayerMendsIt() {
        Bench bench;
        QVERIFY(bench.openSample());
        // A picture into a dense layer: it wants to be flattened.
        bench.document.edit("Remove", [&](Design& design) {
            return dissolve(design, {}, {bench.named("flat")}, *bench.document.kinds());
        });
        QVERIFY(bench.waitForCheck());
        bench.view.camera().zoomTo(1, QPointF(bench.centre(bench.named("fc1"))));
        QVERIFY(bench.node("fc1").hasError());
        const QRectF fix = bench.node("fc1").fixBox();
        QVERIFY(!fix.isEmpty());
        const std::size_t layers = bench.network().layers.size();
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.at(fix.center()));
        QCOMPARE(bench.network().layers.size(), layers + 1);
        QVERIFY(bench.waitForCheck());
        QVERIFY(!bench.node("fc1").hasError());
    }

    void theBrushPaintsInOneStep() {
        Bench bench;
        QVERIFY(bench.openSample());
        const LayerId first = bench.named("conv1");
        const LayerId second = bench.named("conv2");
        const int steps = bench.document.history().count();
        bench.view.setBrush(
            Brush{"replicate", AxisWord::replicate, Assignment{{}, {}, {AxisWord::replicate}}});
        bench.drag(bench.centre(first), bench.centre(second));
        for (const LayerId id : {first, second}) {
            const Layer* layer = findLayer(bench.network(), id);
            QVERIFY(layer->assignment && layer->assignment->words[0] == AxisWord::replicate);
        }
        QCOMPARE(bench.document.history().count(), steps + 1);
        bench.undo();
        QVERIFY(!findLayer(bench.network(), first)->assignment);
        // Escape in the middle leaves nothing painted, a second one puts the brush away.
        QTest::mousePress(&bench.view, Qt::LeftButton, {}, bench.centre(first));
        QVERIFY(findLayer(bench.network(), first)->assignment);
        QTest::keyClick(&bench.view, Qt::Key_Escape);
        QVERIFY(!findLayer(bench.network(), first)->assignment);
        QTest::keyClick(&bench.view, Qt::Key_Escape);
        QVERIFY(!bench.view.brush());
    }

    void theBrushSaysWhyItMayNot() {
        Bench bench;
        QVERIFY(bench.openSample());
        const LayerId fc = bench.named("fc1");
        const Assignment rows{{}, {}, {AxisWord::spaceRows}};
        bench.view.setBrush(Brush{"space.rows", AxisWord::spaceRows, rows});
        QTest::mousePress(&bench.view, Qt::LeftButton, {}, bench.centre(fc));
        QVERIFY(bench.view.state().tag.has_value());
        QVERIFY(bench.view.state().tag->isRefusal);
        QTest::mouseRelease(&bench.view, Qt::LeftButton, {}, bench.centre(fc));
        QVERIFY(!findLayer(bench.network(), fc)->assignment);
    }

    void whatIsKnownOfALayerIsShownBesideIt() {
        Bench bench;
        QVERIFY(bench.openSample());
        const LayerId fc = bench.named("fc1");
        auto* card = bench.view.findChild<HoverCard*>();
        QVERIFY(card != nullptr && !card->isVisible());
        bench.move({2, 2}, bench.centre(fc), {}, Qt::NoButton);
        QTRY_VERIFY(card->isVisible());
        QStringList said;
        for (const QLabel* label : card->findChildren<QLabel*>()) {
            said << label->text();
        }
        QVERIFY(said.contains(QStringLiteral("Out")));
        QVERIFY(said.contains(QStringLiteral("f32 [64, 128]")));
        QTest::mousePress(&bench.view, Qt::LeftButton, {}, bench.centre(fc));
        QVERIFY(!card->isVisible());
    }

    void aWireSaysWhatItCarries() {
        Bench bench;
        QVERIFY(bench.waitForCheck());
        const QPoint middle = (bench.port(bench.input, false) + bench.port(bench.fc, true)) / 2;
        bench.move({10, 10}, middle, {}, Qt::NoButton);
        QVERIFY(bench.view.state().tag.has_value());
        QVERIFY(bench.view.state().tag->text.startsWith("f32 ["));
        bench.move(middle, {10, 10}, {}, Qt::NoButton);
        QVERIFY(!bench.view.state().tag.has_value());
    }
};

std::unique_ptr<QObject> makeTestCanvasGestures() { return std::make_unique<TestCanvasGestures>(); }

#include "tst_canvas_gestures.moc"
