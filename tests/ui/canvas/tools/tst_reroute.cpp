// SPDX-License-Identifier: Apache-2.0
// Wires led through points, and layers that are pinned: by hand, undone, kept in the file.
#include "canvas/scene/wire_shape.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_fixture.h"

#include <QSignalSpy>

using namespace weft;
using namespace weft::ui;

class TestReroute : public QObject {
    Q_OBJECT

    struct Fixture : test::CanvasFixture {
        /// In the middle of the only wire.
        [[nodiscard]] QPoint middle() const { return (port(input, false) + port(fc, true)) / 2; }
        [[nodiscard]] const std::vector<Point>& via() const { return network().wires[0].via; }
        [[nodiscard]] QPoint point(std::size_t index) const {
            return at({via()[index].x, via()[index].y});
        }
        void lead(QPoint by) { drag(middle(), middle() + by, Qt::AltModifier); }
    };

private Q_SLOTS:
    void altOnAWireLeadsItThroughAPoint() {
        Fixture fixture;
        const int steps = fixture.document.history().count();
        fixture.lead({60, 8});
        QCOMPARE(fixture.via().size(), std::size_t{1});
        QVERIFY((fixture.point(0) - fixture.middle() - QPoint(60, 8)).manhattanLength() <= 2);
        // The line goes there, and is met there.
        const WireView& wire = fixture.view.list().wires[0];
        const QPointF at(fixture.via()[0].x, fixture.via()[0].y);
        QVERIFY(distanceTo(wire.line, at) < 0.01);
        QVERIFY(fixture.view.list().wireAt(at, 2) != nullptr);
        // The press and the drag are one step.
        QCOMPARE(fixture.document.history().count(), steps + 1);
        fixture.undo();
        QVERIFY(fixture.via().empty());
    }

    void aPointIsDraggedAlongTheGrid() {
        Fixture fixture;
        fixture.lead({61, 3});
        fixture.drag(fixture.point(0), fixture.point(0) + QPoint(30, 20));
        QCOMPARE(std::fmod(fixture.via()[0].x, 8.0), 0.0);
        QCOMPARE(std::fmod(fixture.via()[0].y, 8.0), 0.0);
        // A second one on the way to it comes before it.
        const QPoint between = (fixture.port(fixture.input, false) + fixture.point(0)) / 2;
        const WireView& wire = fixture.view.list().wires[0];
        const QPointF on = pointAlong(wire.line, 0.25).at;
        QVERIFY((fixture.at(on) - between).manhattanLength() < 60);
        const Point first = fixture.via()[0];
        QTest::mouseClick(&fixture.view, Qt::LeftButton, Qt::AltModifier, fixture.at(on));
        QCOMPARE(fixture.via().size(), std::size_t{2});
        QCOMPARE(fixture.via()[1], first);
    }

    void pointsAreTakenAway() {
        Fixture fixture;
        fixture.lead({60, 0});
        QTest::mouseClick(&fixture.view, Qt::LeftButton, {}, fixture.point(0));
        QVERIFY(fixture.view.state().item.has_value());
        QTest::keyClick(&fixture.view, Qt::Key_Delete);
        QVERIFY(fixture.via().empty());
        QVERIFY(!fixture.view.state().item.has_value());
        fixture.undo();
        QCOMPARE(fixture.via().size(), std::size_t{1});
        QTest::mouseClick(&fixture.view, Qt::LeftButton, Qt::AltModifier, fixture.point(0));
        QVERIFY(fixture.via().empty());
    }

    void escapeLeavesTheWireAsItWas() {
        Fixture fixture;
        QTest::mousePress(&fixture.view, Qt::LeftButton, Qt::AltModifier, fixture.middle());
        fixture.move(fixture.middle(), fixture.middle() + QPoint(60, 0), Qt::AltModifier);
        QCOMPARE(fixture.via().size(), std::size_t{1});
        QTest::keyClick(&fixture.view, Qt::Key_Escape);
        QVERIFY(fixture.via().empty());
    }

    void aSelectedWireStaysSelectedWhereItIsLed() {
        Fixture fixture;
        QTest::mouseClick(&fixture.view, Qt::LeftButton, {}, fixture.middle());
        QVERIFY(fixture.selection.wire().has_value());
        fixture.document.edit("Lead", [&](Design& design) {
            return setVia(design, {}, {fixture.fc, "x"}, {{300, 60}});
        });
        QCOMPARE(fixture.selection.wire()->via.size(), std::size_t{1});
        QVERIFY(fixture.view.state().wire == fixture.view.list().wires[0].wire);
    }

    void theDesignIsNotCheckedAnewForIt() {
        Fixture fixture;
        QVERIFY(fixture.waitForCheck());
        const QSignalSpy changes(&fixture.document, &DesignDocument::changed);
        fixture.lead({60, 0});
        fixture.document.edit(
            "Pin", [&](Design& design) { return setPinned(design, {}, {fixture.fc}, true); });
        QVERIFY(changes.count() >= 2);
        for (const QList<QVariant>& change : changes) {
            QVERIFY(change[0].value<DesignChange>().isOnlyAppearance);
        }
    }

    void whatIsPinnedIsNotDragged() {
        Fixture fixture;
        fixture.document.edit(
            "Pin", [&](Design& design) { return setPinned(design, {}, {fixture.fc}, true); });
        const Point before = fixture.position(fixture.fc);
        const QPoint from = fixture.centre(fixture.fc);
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, from);
        fixture.move(from, from + QPoint(80, 40));
        QVERIFY(fixture.view.state().tag.has_value());
        QVERIFY(fixture.view.state().tag->text.contains("pinned"));
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, from + QPoint(80, 40));
        QVERIFY(!fixture.view.state().tag.has_value());
        QCOMPARE(fixture.position(fixture.fc), before);
        // With others it stays as well.
        fixture.selection.select({fixture.fc, fixture.relu});
        const Point other = fixture.position(fixture.relu);
        const QPoint relu = fixture.centre(fixture.relu);
        fixture.drag(relu, relu + QPoint(80, 40));
        QCOMPARE(fixture.position(fixture.fc), before);
        QVERIFY(fixture.position(fixture.relu) != other);
    }
};

std::unique_ptr<QObject> makeTestReroute() { return std::make_unique<TestReroute>(); }

#include "tst_reroute.moc"
