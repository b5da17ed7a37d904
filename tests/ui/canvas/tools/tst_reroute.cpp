// SPDX-License-Identifier: Apache-2.0
// Wires led through points, and layers that are pinned: by hand, undone, kept in the file.
#include "canvas/scene/wire_shape.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_bench.h"

#include <QSignalSpy>

using namespace weft;
using namespace weft::ui;

class TestReroute : public QObject {
    Q_OBJECT

    struct Bench : test::CanvasBench {
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
        Bench bench;
        const int steps = bench.document.history().count();
        bench.lead({60, 8});
        QCOMPARE(bench.via().size(), std::size_t{1});
        QVERIFY((bench.point(0) - bench.middle() - QPoint(60, 8)).manhattanLength() <= 2);
        // The line goes there, and is met there.
        const WireView& wire = bench.view.list().wires[0];
        const QPointF at(bench.via()[0].x, bench.via()[0].y);
        QVERIFY(distanceTo(wire.line, at) < 0.01);
        QVERIFY(bench.view.list().wireAt(at, 2) != nullptr);
        // The press and the drag are one step.
        QCOMPARE(bench.document.history().count(), steps + 1);
        bench.undo();
        QVERIFY(bench.via().empty());
    }

    void aPointIsDraggedAlongTheGrid() {
        Bench bench;
        bench.lead({61, 3});
        bench.drag(bench.point(0), bench.point(0) + QPoint(30, 20));
        QCOMPARE(std::fmod(bench.via()[0].x, 8.0), 0.0);
        QCOMPARE(std::fmod(bench.via()[0].y, 8.0), 0.0);
        // A second one on the way to it comes before it.
        const QPoint between = (bench.port(bench.input, false) + bench.point(0)) / 2;
        const WireView& wire = bench.view.list().wires[0];
        const QPointF on = pointAlong(wire.line, 0.25).at;
        QVERIFY((bench.at(on) - between).manhattanLength() < 60);
        const Point first = bench.via()[0];
        QTest::mouseClick(&bench.view, Qt::LeftButton, Qt::AltModifier, bench.at(on));
        QCOMPARE(bench.via().size(), std::size_t{2});
        QCOMPARE(bench.via()[1], first);
    }

    void pointsAreTakenAway() {
        Bench bench;
        bench.lead({60, 0});
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.point(0));
        QVERIFY(bench.view.state().item.has_value());
        QTest::keyClick(&bench.view, Qt::Key_Delete);
        QVERIFY(bench.via().empty());
        QVERIFY(!bench.view.state().item.has_value());
        bench.undo();
        QCOMPARE(bench.via().size(), std::size_t{1});
        QTest::mouseClick(&bench.view, Qt::LeftButton, Qt::AltModifier, bench.point(0));
        QVERIFY(bench.via().empty());
    }

    void escapeLeavesTheWireAsItWas() {
        Bench bench;
        QTest::mousePress(&bench.view, Qt::LeftButton, Qt::AltModifier, bench.middle());
        bench.move(bench.middle(), bench.middle() + QPoint(60, 0), Qt::AltModifier);
        QCOMPARE(bench.via().size(), std::size_t{1});
        QTest::keyClick(&bench.view, Qt::Key_Escape);
        QVERIFY(bench.via().empty());
    }

    void aSelectedWireStaysSelectedWhereItIsLed() {
        Bench bench;
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.middle());
        QVERIFY(bench.selection.wire().has_value());
        bench.document.edit("Lead", [&](Design& design) {
            return setVia(design, {}, {bench.fc, "x"}, {{300, 60}});
        });
        QCOMPARE(bench.selection.wire()->via.size(), std::size_t{1});
        QVERIFY(bench.view.state().wire == bench.view.list().wires[0].wire);
    }

    void theDesignIsNotCheckedAnewForIt() {
        Bench bench;
        QVERIFY(bench.waitForCheck());
        const QSignalSpy changes(&bench.document, &DesignDocument::changed);
        bench.lead({60, 0});
        bench.document.edit(
            "Pin", [&](Design& design) { return setPinned(design, {}, {bench.fc}, true); });
        QVERIFY(changes.count() >= 2);
        for (const QList<QVariant>& change : changes) {
            QVERIFY(change[0].value<DesignChange>().isOnlyAppearance);
        }
    }

    void whatIsPinnedIsNotDragged() {
        Bench bench;
        bench.document.edit(
            "Pin", [&](Design& design) { return setPinned(design, {}, {bench.fc}, true); });
        const Point before = bench.position(bench.fc);
        const QPoint from = bench.centre(bench.fc);
        QTest::mousePress(&bench.view, Qt::LeftButton, {}, from);
        bench.move(from, from + QPoint(80, 40));
        QVERIFY(bench.view.state().tag.has_value());
        QVERIFY(bench.view.state().tag->text.contains("pinned"));
        QTest::mouseRelease(&bench.view, Qt::LeftButton, {}, from + QPoint(80, 40));
        QVERIFY(!bench.view.state().tag.has_value());
        QCOMPARE(bench.position(bench.fc), before);
        // With others it stays as well.
        bench.selection.select({bench.fc, bench.relu});
        const Point other = bench.position(bench.relu);
        const QPoint relu = bench.centre(bench.relu);
        bench.drag(relu, relu + QPoint(80, 40));
        QCOMPARE(bench.position(bench.fc), before);
        QVERIFY(bench.position(bench.relu) != other);
    }
};

std::unique_ptr<QObject> makeTestReroute() { return std::make_unique<TestReroute>(); }

#include "tst_reroute.moc"
