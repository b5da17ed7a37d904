// SPDX-License-Identifier: Apache-2.0
// The key map of the canvas, gesture by gesture.
#include "canvas/view/in_place_editor.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_fixture.h"

#include <QLabel>
#include <QSignalSpy>

using namespace weft;
using namespace weft::ui;

class TestCanvasGestures : public QObject {
    Q_OBJECT

    using Fixture = test::CanvasFixture;

    static InPlaceEditor* editor(Fixture& fixture) {
        return fixture.view.findChild<InPlaceEditor*>();
    }

    /// A second layer below `fc`, wired to it.
    static void wireRelu(Fixture& fixture) {
        fixture.connect({fixture.fc, "y"}, {fixture.relu, "x"});
    }

    static void addFrame(Fixture& fixture, QRectF box, const std::vector<LayerId>& layers) {
        fixture.document.edit("Frame", [&](Design& design) {
            return weft::addFrame(design, {},
                                  {.title = "Features",
                                   .topLeft = {box.left(), box.top()},
                                   .size = {box.width(), box.height()},
                                   .layers = layers});
        });
        fixture.view.camera().frame(fixture.view.list().bounds());
    }

private Q_SLOTS:
    void aLineDrawnWithYHeldCutsWires() {
        Fixture fixture;
        wireRelu(fixture);
        const int steps = fixture.document.history().count();
        QTest::keyPress(&fixture.view, Qt::Key_Y);
        // Through the wire between the two, and no other.
        const QPoint middle =
            (fixture.port(fixture.fc, false) + fixture.port(fixture.relu, true)) / 2;
        fixture.drag(middle - QPoint(60, 0), middle + QPoint(60, 0));
        QTest::keyRelease(&fixture.view, Qt::Key_Y);
        QCOMPARE(fixture.network().wires.size(), std::size_t{1});
        QVERIFY(fixture.network().wires[0].to.layer == fixture.fc);
        QCOMPARE(fixture.document.history().count(), steps + 1);
        fixture.undo();
        QCOMPARE(fixture.network().wires.size(), std::size_t{2});
    }

    void ctrlAndTheRightButtonCutToo() {
        Fixture fixture;
        const QPoint middle =
            (fixture.port(fixture.input, false) + fixture.port(fixture.fc, true)) / 2;
        QSignalSpy menus(&fixture.view, &QWidget::customContextMenuRequested);
        fixture.drag(middle - QPoint(60, 0), middle + QPoint(60, 0), Qt::ControlModifier,
                     Qt::RightButton);
        QVERIFY(fixture.network().wires.empty());
        QCOMPARE(menus.count(), 0);
    }

    void ctrlDragFromAnOutputMovesItsWires() {
        Fixture fixture;
        const LayerId other = fixture.add("input", {300, 0});
        fixture.view.camera().frame(fixture.view.list().bounds());
        fixture.drag(fixture.port(fixture.input, false), fixture.port(other, false),
                     Qt::ControlModifier);
        QCOMPARE(fixture.network().wires.size(), std::size_t{1});
        QVERIFY(fixture.network().wires[0].from.layer == other);
        QVERIFY(fixture.network().wires[0].to.layer == fixture.fc);
    }

    void altClickOnAPortTakesItsWiresOff() {
        Fixture fixture;
        QTest::mouseClick(&fixture.view, Qt::LeftButton, Qt::AltModifier,
                          fixture.port(fixture.fc, true));
        QVERIFY(fixture.network().wires.empty());
    }

    void aLayerWithoutInputsSaysWhy() {
        Fixture fixture;
        const QPoint from = fixture.port(fixture.fc, false);
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, from);
        fixture.move(from, fixture.centre(fixture.input));
        QVERIFY(fixture.view.state().drag.has_value());
        QVERIFY(fixture.view.state().drag->refusal.contains("has no inputs"));
        QTest::keyClick(&fixture.view, Qt::Key_Escape);
        QVERIFY(!fixture.view.state().drag.has_value());
        QCOMPARE(fixture.network().wires.size(), std::size_t{1});
    }

    void bookmarksLeadBack() {
        Fixture fixture;
        fixture.view.camera().zoomTo(2, {100, 100});
        const Viewport kept = fixture.view.viewport();
        QTest::keyClick(&fixture.view, Qt::Key_3, Qt::ControlModifier);
        fixture.view.camera().frameAll();
        QVERIFY(fixture.view.viewport().zoom != kept.zoom);
        QTest::keyClick(&fixture.view, Qt::Key_3);
        QCOMPARE(fixture.view.viewport().zoom, kept.zoom);
        QVERIFY(std::abs(fixture.view.viewport().origin.x() - kept.origin.x()) < 1e-6);
        QTest::keyClick(&fixture.view, Qt::Key_4);
        QCOMPARE(fixture.view.viewport().zoom, kept.zoom);
    }

    void ctrlShiftDragZooms() {
        Fixture fixture;
        const double before = fixture.view.viewport().zoom;
        const QPoint nothing(20, 300);
        fixture.drag(nothing, nothing - QPoint(0, 60), Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture.view.viewport().zoom > 1.5 * before);
        QVERIFY(fixture.selection.isEmpty());
    }

    void spaceSelectsAndWithADragPans() {
        Fixture fixture;
        fixture.selection.select({fixture.input});
        QTest::keyClick(&fixture.view, Qt::Key_Down, Qt::ControlModifier);
        // Only the focus moved.
        QVERIFY((fixture.selection.layers() == std::set<LayerId>{fixture.input}));
        QVERIFY(fixture.view.state().focused == fixture.fc);
        QTest::keyClick(&fixture.view, Qt::Key_Space);
        QVERIFY((fixture.selection.layers() == std::set<LayerId>{fixture.input, fixture.fc}));
        const QPointF origin = fixture.view.viewport().origin;
        QTest::keyPress(&fixture.view, Qt::Key_Space);
        fixture.drag({400, 300}, {430, 320});
        QTest::keyRelease(&fixture.view, Qt::Key_Space);
        QVERIFY(fixture.view.viewport().origin != origin);
        QCOMPARE(fixture.selection.layers().size(), std::size_t{2});
    }

    void theFocusRingGoesWhenAButtonIsUsed() {
        Fixture fixture;
        fixture.selection.select({fixture.input});
        QVERIFY(fixture.view.state().focused.isNone());
        QTest::keyClick(&fixture.view, Qt::Key_Down);
        QVERIFY(fixture.view.state().focused == fixture.fc);
        QTest::mouseClick(&fixture.view, Qt::LeftButton, {}, fixture.centre(fixture.relu));
        QVERIFY(fixture.view.state().focused.isNone());
    }

    void theMenuKeyOpensTheMenuAtTheLayer() {
        Fixture fixture;
        fixture.view.setContextMenuPolicy(Qt::CustomContextMenu);
        fixture.selection.select({fixture.fc});
        QSignalSpy menus(&fixture.view, &QWidget::customContextMenuRequested);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {1, 1}, {1, 1});
        QApplication::sendEvent(&fixture.view, &event);
        QCOMPARE(menus.count(), 1);
        QCOMPARE(menus[0][0].toPoint(), fixture.centre(fixture.fc));
    }

    void draggingAtTheBorderPans() {
        Fixture fixture;
        const QPointF origin = fixture.view.viewport().origin;
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, fixture.centre(fixture.fc));
        fixture.move(fixture.centre(fixture.fc), {fixture.view.width() - 2, 300});
        QTRY_VERIFY(fixture.view.viewport().origin.x() > origin.x() + 20);
        QTest::keyClick(&fixture.view, Qt::Key_Escape);
        QCOMPARE(fixture.position(fixture.fc).x, 0.0);
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
        Fixture fixture;
        const Design before = fixture.document.design();
        const Viewport at = fixture.view.viewport();
        const QPoint from = isOnLayer ? fixture.centre(fixture.fc) : QPoint(20, 300);
        const auto keys = Qt::KeyboardModifiers(modifiers);
        const auto with = static_cast<Qt::MouseButton>(button);
        QTest::mousePress(&fixture.view, with, keys, from);
        fixture.move(from, from + QPoint(300, 10), keys, with);
        QTest::keyClick(&fixture.view, Qt::Key_Escape);
        QTest::mouseRelease(&fixture.view, with, keys, from + QPoint(300, 10));
        QVERIFY(fixture.document.design() == before);
        QVERIFY(fixture.selection.isEmpty() || isOnLayer);
        QCOMPARE(fixture.view.viewport().zoom, at.zoom);
        QVERIFY(QLineF(fixture.view.viewport().origin, at.origin).length() < 1e-6);
        QVERIFY(!fixture.view.state().band && fixture.view.state().lasso.isEmpty());
        QVERIFY(fixture.view.state().cut.isEmpty());
    }

    void f2RenamesInPlace() {
        Fixture fixture;
        fixture.selection.select({fixture.fc});
        QTest::keyClick(&fixture.view, Qt::Key_F2);
        QVERIFY(editor(fixture) != nullptr);
        QTest::keyClicks(editor(fixture), "hidden");
        QTest::keyClick(editor(fixture), Qt::Key_Return);
        QCOMPARE(QString::fromStdString(findLayer(fixture.network(), fixture.fc)->name),
                 QStringLiteral("hidden"));
    }

    void aDoubleClickOnTheNameRenamesAndEscapeDoesNot() {
        Fixture fixture;
        const std::string before = findLayer(fixture.network(), fixture.fc)->name;
        const QPoint title = fixture.at(fixture.view.list().node(fixture.fc)->titleBox().center());
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, title);
        QVERIFY(editor(fixture) != nullptr);
        QTest::keyClicks(editor(fixture), "other");
        QTest::keyClick(editor(fixture), Qt::Key_Escape);
        QCOMPARE(findLayer(fixture.network(), fixture.fc)->name, before);
    }

    void commentsAreMovedEditedAndDeleted() {
        Fixture fixture;
        fixture.document.edit("Comment", [](Design& design) {
            return addComment(design, {}, {.text = "one", .position = {300, 10}});
        });
        fixture.view.camera().frame(fixture.view.list().bounds());
        const auto place = [&] {
            return fixture.at(fixture.view.list().comments[0].box().center());
        };
        fixture.drag(place(), place() + QPoint(0, 80));
        QVERIFY(fixture.network().comments[0].position.y > 60);
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, place());
        QVERIFY(editor(fixture) != nullptr);
        QTest::keyClicks(editor(fixture), "two");
        QTest::keyClick(editor(fixture), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(editor(fixture), "lines");
        QTest::keyClick(editor(fixture), Qt::Key_Return);
        QCOMPARE(QString::fromStdString(fixture.network().comments[0].text),
                 QStringLiteral("two\nlines"));
        QTest::keyClick(&fixture.view, Qt::Key_Delete);
        QVERIFY(fixture.network().comments.empty());
        fixture.undo();
        QCOMPARE(fixture.network().comments.size(), std::size_t{1});
    }

    void aFrameIsResizedAndHoldsWhatLiesInIt() {
        Fixture fixture;
        addFrame(fixture, {-24, 64, 290, 180}, {fixture.fc});
        const FrameView& frame = fixture.view.list().frames[0];
        const int steps = fixture.document.history().count();
        const QPoint corner = fixture.at(frame.box.bottomRight());
        fixture.drag(corner, corner + fixture.at({10, 120}) - fixture.at({0, 0}));
        QCOMPARE(fixture.document.history().count(), steps + 1);
        QVERIFY(fixture.network().frames[0].size.y > 250);
        QVERIFY(
            (fixture.network().frames[0].layers == std::vector<LayerId>{fixture.fc, fixture.relu}));
        fixture.undo();
        QCOMPARE(fixture.network().frames[0].size.y, 180.0);
    }

    void aFrameIsNamedByADoubleClickOnItsTitle() {
        Fixture fixture;
        addFrame(fixture, {-24, 64, 290, 180}, {fixture.fc});
        const QPoint title = fixture.at(fixture.view.list().frames[0].titleBox().center());
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, title);
        QVERIFY(editor(fixture) != nullptr);
        QTest::keyClicks(editor(fixture), "Dense part");
        QTest::keyClick(editor(fixture), Qt::Key_Return);
        QCOMPARE(QString::fromStdString(fixture.network().frames[0].title),
                 QStringLiteral("Dense part"));
    }

    void theFixOnALayerMendsIt() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        // A picture into a dense layer: it wants to be flattened.
        fixture.document.edit("Remove", [&](Design& design) {
            return dissolve(design, {}, {fixture.named("flat")}, *fixture.document.kinds());
        });
        QVERIFY(fixture.waitForCheck());
        fixture.view.camera().zoomTo(1, QPointF(fixture.centre(fixture.named("fc1"))));
        QVERIFY(fixture.node("fc1").hasError());
        const QRectF fix = fixture.node("fc1").fixBox();
        QVERIFY(!fix.isEmpty());
        const std::size_t layers = fixture.network().layers.size();
        QTest::mouseClick(&fixture.view, Qt::LeftButton, {}, fixture.at(fix.center()));
        QCOMPARE(fixture.network().layers.size(), layers + 1);
        QVERIFY(fixture.waitForCheck());
        QVERIFY(!fixture.node("fc1").hasError());
    }

    void theBrushPaintsInOneStep() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        const LayerId first = fixture.named("conv1");
        const LayerId second = fixture.named("conv2");
        const int steps = fixture.document.history().count();
        fixture.view.setBrush(
            Brush{"replicate", AxisWord::replicate, Assignment{{}, {}, {AxisWord::replicate}}});
        fixture.drag(fixture.centre(first), fixture.centre(second));
        for (const LayerId id : {first, second}) {
            const Layer* layer = findLayer(fixture.network(), id);
            QVERIFY(layer->assignment && layer->assignment->words[0] == AxisWord::replicate);
        }
        QCOMPARE(fixture.document.history().count(), steps + 1);
        fixture.undo();
        QVERIFY(!findLayer(fixture.network(), first)->assignment);
        // Escape in the middle leaves nothing painted, a second one puts the brush away.
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, fixture.centre(first));
        QVERIFY(findLayer(fixture.network(), first)->assignment);
        QTest::keyClick(&fixture.view, Qt::Key_Escape);
        QVERIFY(!findLayer(fixture.network(), first)->assignment);
        QTest::keyClick(&fixture.view, Qt::Key_Escape);
        QVERIFY(!fixture.view.brush());
    }

    void theBrushSaysWhyItMayNot() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        const LayerId fc = fixture.named("fc1");
        const Assignment rows{{}, {}, {AxisWord::spaceRows}};
        fixture.view.setBrush(Brush{"space.rows", AxisWord::spaceRows, rows});
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, fixture.centre(fc));
        QVERIFY(fixture.view.state().tag.has_value());
        QVERIFY(fixture.view.state().tag->isRefusal);
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, fixture.centre(fc));
        QVERIFY(!findLayer(fixture.network(), fc)->assignment);
    }

    void whatIsKnownOfALayerIsShownBesideIt() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        const LayerId fc = fixture.named("fc1");
        auto* card = fixture.view.findChild<HoverCard*>();
        QVERIFY(card != nullptr && !card->isVisible());
        fixture.move({2, 2}, fixture.centre(fc), {}, Qt::NoButton);
        QTRY_VERIFY(card->isVisible());
        QStringList said;
        for (const QLabel* label : card->findChildren<QLabel*>()) {
            said << label->text();
        }
        QVERIFY(said.contains(QStringLiteral("Out")));
        QVERIFY(said.contains(QStringLiteral("f32 [64, 128]")));
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, fixture.centre(fc));
        QVERIFY(!card->isVisible());
    }

    void aWireSaysWhatItCarries() {
        Fixture fixture;
        QVERIFY(fixture.waitForCheck());
        const QPoint middle =
            (fixture.port(fixture.input, false) + fixture.port(fixture.fc, true)) / 2;
        fixture.move({10, 10}, middle, {}, Qt::NoButton);
        QVERIFY(fixture.view.state().tag.has_value());
        QVERIFY(fixture.view.state().tag->text.startsWith("f32 ["));
        fixture.move(middle, {10, 10}, {}, Qt::NoButton);
        QVERIFY(!fixture.view.state().tag.has_value());
    }
};

std::unique_ptr<QObject> makeTestCanvasGestures() { return std::make_unique<TestCanvasGestures>(); }

#include "tst_canvas_gestures.moc"
