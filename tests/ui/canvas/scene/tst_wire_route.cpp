// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/wire_route.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft::ui;

class TestWireRoute : public QObject {
    Q_OBJECT

    static WireRouter::Boxes among(const std::vector<QRectF>& all) {
        return [all](const QRectF& area) {
            std::vector<QRectF> found;
            for (const QRectF& box : all) {
                if (box.intersects(area)) {
                    found.push_back(box);
                }
            }
            return found;
        };
    }

private Q_SLOTS:
    void goesStraightWhereNothingIsInTheWay() {
        const auto line =
            WireRouter().route({0, 0}, {0, 300}, {}, {}, among({{200, 100, 240, 88}}));
        QCOMPARE(line.size(), std::size_t{2});
    }

    void goesPastWhatIsInTheWay() {
        const std::vector<QRectF> boxes{{-120, 60, 240, 88}, {-120, 180, 240, 88}};
        const auto line = WireRouter().route({0, 0}, {0, 340}, {}, {}, among(boxes));
        for (const QRectF& box : boxes) {
            QVERIFY(!crosses(line, box.adjusted(-8, -8, 8, 8)));
        }
        QCOMPARE(line.front(), QPointF(0, 0));
        QCOMPARE(line.back(), QPointF(0, 340));
    }

    void keepsClearOfAnEdgeItWouldRunAlong() {
        const QRectF box(2, 60, 240, 88);
        const auto line = WireRouter().route({0, 0}, {0, 240}, {}, {}, among({box}));
        QVERIFY(!crosses(line, box.adjusted(-8, -8, 8, 8)));
    }

    void twoInOneChannelLieBesideEachOther() {
        const std::vector<QRectF> boxes{{-120, 60, 240, 88}};
        WireRouter router;
        const auto first = router.route({0, 0}, {0, 240}, {}, {}, among(boxes));
        const auto second = router.route({0, 0}, {0, 240}, {}, {}, among(boxes));
        QVERIFY(first != second);
    }

    void changesChannelsWhereNoneIsFreeThroughout() {
        const std::vector<QRectF> rows{{-900, 60, 1140, 88}, {-120, 260, 1140, 88}};
        const auto line = WireRouter().route({0, 0}, {0, 460}, {-60, -40, 120, 40},
                                             {-60, 460, 120, 40}, among(rows));
        for (const QRectF& box : rows) {
            QVERIFY(!crosses(line, box.adjusted(-8, -8, 8, 8)));
        }
        QCOMPARE(line.front(), QPointF(0, 0));
        QCOMPARE(line.back(), QPointF(0, 460));
    }

    /// From the foot of one column to the head of another, past a column between them.
    void goesUpToAnotherColumnPastWhatStandsBetween() {
        const QRectF from(0, 600, 240, 60);
        const QRectF to(600, 0, 240, 60);
        std::vector<QRectF> between;
        for (int i = 0; i < 7; ++i) {
            between.emplace_back(300, 100.0 * i, 240, 60);
            between.emplace_back(850, 100.0 * i, 240, 60);
        }
        const auto line = WireRouter().route({120, 660}, {720, 0}, from, to, among(between));
        for (const QRectF& box : between) {
            QVERIFY(!crosses(line, box.adjusted(-8, -8, 8, 8)));
        }
        // It leaves downwards, arrives from above, and passes behind neither of its own layers.
        for (const QRectF& own : {from, to}) {
            QVERIFY(!crosses({line.begin() + 1, line.end() - 1}, own.adjusted(1, 1, -1, -1)));
        }
    }

    void staysPlainWhereNoWayIsFree() {
        const std::vector<QRectF> wall{{-9000, 60, 9000, 88}, {0, 60, 9000, 88}};
        QCOMPARE(WireRouter().route({0, 0}, {0, 240}, {}, {}, among(wall)),
                 wireLine({0, 0}, {0, 240}, Flow::down));
    }
};

std::unique_ptr<QObject> makeTestWireRoute() { return std::make_unique<TestWireRoute>(); }

#include "tst_wire_route.moc"
