// SPDX-License-Identifier: Apache-2.0
#include "support/test_main.h"
#include "widgets/value_drawing.h"

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestValueDrawing : public QObject {
    Q_OBJECT

    using Kind = ValueDrawing::Kind;

private Q_SLOTS:
    void batchRunsDownAndFeaturesAcross() {
        const ValueDrawing batch = drawingOf("S(0)", {8, 6}, {4}, {0, 1, 2, 3});
        QCOMPARE(batch.kind, Kind::split);
        QCOMPARE(batch.rows.size(), std::size_t{4});
        QVERIFY(!batch.cutsColumns());
        const ValueDrawing features = drawingOf("S(1)", {8, 6}, {2}, {0, 1});
        QCOMPARE(features.columns.size(), std::size_t{2});
        QVERIFY(!features.cutsRows());
    }

    void aWeightsFeaturesRunAcrossToo() {
        QVERIFY(drawingOf("S(0)", {1000, 500}, {2}, {0, 1}, true).cutsColumns());
        QVERIFY(drawingOf("S(1)", {1000, 500}, {2}, {0, 1}, true).cutsRows());
    }

    void unevenPartsAreDrawnToScale() {
        const ValueDrawing ten = drawingOf("S(0)", {10, 2}, {4}, {0, 1, 2, 3});
        QCOMPARE(ten.rows[0].end, 0.3);
        QCOMPARE(ten.rows[1].end, 0.6);
        QCOMPARE(ten.rows[2].end, 0.8);
        QCOMPARE(ten.rows[3].end, 1.0);
    }

    void twoAxesCutBothWays() {
        const ValueDrawing mesh = drawingOf("S(0) S(1)", {8, 6}, {2, 2}, {4, 5, 6, 7});
        QVERIFY(mesh.cutsRows() && mesh.cutsColumns());
        QVERIFY((mesh.hues == std::vector<int>{4, 5, 6, 7}));
        const ValueDrawing turned = drawingOf("S(1) S(0)", {8, 6}, {2, 2}, {4, 5, 6, 7});
        QVERIFY((turned.hues == std::vector<int>{4, 6, 5, 7}));
    }

    void otherPlacementsSayWhatTheyAre() {
        QCOMPARE(drawingOf("R", {8, 6}, {2}, {0, 1}).kind, Kind::replicated);
        QCOMPARE(drawingOf("P", {8, 6}, {2}, {0, 1}).kind, Kind::partial);
        QCOMPARE(drawingOf("S(0)", {8, 6}, {1}, {3}).kind, Kind::single);
        QCOMPARE(drawingOf("", {8, 6}, {2}, {0, 1}).kind, Kind::none);
        QCOMPARE(drawingOf("R", {8}, {}, {}).kind, Kind::none);
        QCOMPARE(drawingOf("S(2)", {8, 3, 9, 9}, {2}, {0, 1}).join, ValueDrawing::Join::tiles);
    }

    void pixelPartsFillTheSideWithGapsBetween() {
        const std::vector<Part> parts{{0, 0.25}, {0.25, 0.5}, {0.5, 0.75}, {0.75, 1}};
        const auto pixels = pixelsOf(parts, 10, 80, 1);
        QCOMPARE(pixels.size(), std::size_t{4});
        QCOMPARE(pixels.front().begin, 10);
        QCOMPARE(pixels.front().length, 19);
        QCOMPARE(pixels.back().begin + pixels.back().length, 90);
    }

    void partsUnderTwoPixelsJoinTheirNeighbour() {
        std::vector<Part> parts;
        parts.reserve(12);
        for (int i = 0; i < 12; ++i) {
            parts.push_back({i / 12.0, (i + 1) / 12.0});
        }
        const auto pixels = pixelsOf(parts, 0, 12, 1);
        QVERIFY(pixels.size() < parts.size());
        QCOMPARE(pixels.back().begin + pixels.back().length, 12);
        QCOMPARE(pixels.front().part, 0);
    }
};

std::unique_ptr<QObject> makeTestValueDrawing() { return std::make_unique<TestValueDrawing>(); }

#include "tst_value_drawing.moc"
