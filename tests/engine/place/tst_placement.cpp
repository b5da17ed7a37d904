// SPDX-License-Identifier: Apache-2.0
#include "place/placement.h"

#include <QTest>

using namespace weft;

class TestPlacement : public QObject {
    Q_OBJECT

    using Cuts = std::vector<std::int64_t>;
    using Kind = Placement::Kind;

private Q_SLOTS:
    void cutsDifferByAtMostOneGrain() {
        QCOMPARE(balancedCuts(0, 10, 4), (Cuts{0, 3, 6, 8, 10}));
        QCOMPARE(balancedCuts(0, 1, 2), (Cuts{0, 1, 1}));
        QCOMPARE(balancedCuts(0, 66, 4, 6), (Cuts{0, 18, 36, 54, 66}));
        QCOMPARE(balancedCuts(3, 10, 2), (Cuts{3, 7, 10}));
        QCOMPARE(balancedCuts(0, 7, 2, 2), (Cuts{0, 4, 7}));
    }

    void boxesOfASplitCoverTheWhole() {
        const Mesh mesh{{{0}, {1}, {2}}, {3}};
        const Placements placements{{Kind::split, 1, 1, balancedCuts(0, 10, 3)}};
        QCOMPARE(boxOf({2, 10}, mesh, placements, 0), (Box{{0, 0}, {2, 4}}));
        QCOMPARE(boxOf({2, 10}, mesh, placements, 2), (Box{{0, 7}, {2, 10}}));
    }

    void aSecondAxisSubdividesThePartOfTheFirst() {
        const Mesh mesh{{{0}, {1}, {2}, {3}}, {2, 2}};
        // 7 in parts of 4 and 3, those in 2, 2 and 2, 1.
        const Placements placements{{Kind::split, 0, 1, {0, 4, 7}},
                                    {Kind::split, 0, 1, {0, 2, 4, 4, 6, 7}}};
        QCOMPARE(boxOf({7}, mesh, placements, 0), (Box{{0}, {2}}));
        QCOMPARE(boxOf({7}, mesh, placements, 1), (Box{{2}, {4}}));
        QCOMPARE(boxOf({7}, mesh, placements, 2), (Box{{4}, {6}}));
        QCOMPARE(boxOf({7}, mesh, placements, 3), (Box{{6}, {7}}));
    }

    void axesMaySplitDifferentDims() {
        const Mesh mesh{{{5}, {4}, {3}, {2}, {1}, {0}}, {2, 3}};
        const Placements placements{{Kind::split, 0, 1, {0, 2, 4}},
                                    {Kind::split, 1, 1, {0, 1, 2, 3}}};
        QCOMPARE(boxOf({4, 3}, mesh, placements, 4), (Box{{2, 1}, {4, 2}}));
        QCOMPARE(mesh.coordinate(4, 0), 1);
        QCOMPARE(mesh.coordinate(4, 1), 1);
    }

    void boxesThatDoNotMeetHaveNothingInCommon() {
        QVERIFY(intersection({{0, 0}, {2, 2}}, {{2, 0}, {4, 2}}).isEmpty());
        QCOMPARE(intersection({{0, 0}, {3, 2}}, {{2, 1}, {4, 4}}), (Box{{2, 1}, {3, 2}}));
        QCOMPARE(wholeBox({}).elements(), 1);
    }

    void readsAsWritten() {
        QCOMPARE(toString(Placements{{Kind::split, 0, 1, {}}, {}}), std::string("S(0) R"));
        QCOMPARE(toString(Placements{{Kind::split, 1, 64, {}}}), std::string("S(1/64)"));
        QCOMPARE(toString(Placements{{Kind::partialSum}}), std::string("P"));
        QCOMPARE(toString(Placements{{Kind::partialMax}}), std::string("Pmax"));
    }
};

std::unique_ptr<QObject> makeTestPlacement() { return std::make_unique<TestPlacement>(); }
#include "tst_placement.moc"
