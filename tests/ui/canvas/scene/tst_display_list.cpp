// SPDX-License-Identifier: Apache-2.0
// The effect of a check, a proof and a lens on the display list.
#include "canvas/scene/build_display_list.h"
#include "canvas/scene/wire_route.h"
#include "layout/arrange.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_fixture.h"
#include "widgets/value_drawing.h"

using namespace weft;
using namespace weft::ui;

class TestDisplayList : public QObject {
    Q_OBJECT

    using Fixture = test::CanvasFixture;

private Q_SLOTS:
    void aPartIsWhatTheMeshLeavesOfIt() {
        QCOMPARE(partOf("S(0)", {8, 4}, {2}, 1), (Shape{4, 4}));
        QCOMPARE(partOf("S(0)", {5, 4}, {2}, 0), (Shape{3, 4}));
        QCOMPARE(partOf("S(0)", {5, 4}, {2}, 1), (Shape{2, 4}));
        QCOMPARE(partOf("R S(1)", {8, 6}, {2, 3}, 4), (Shape{8, 2}));
        QCOMPARE(partOf("R", {8, 6}, {4}, 2), (Shape{8, 6}));
    }

    void aRankSeesItsOwnPart() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        QCOMPARE(fixture.node("fc1").shape, QString::fromUtf8("64×128"));
        fixture.view.setRank(1);
        const NodeView& node = fixture.node("fc1");
        QCOMPARE(node.shape, QString::fromUtf8("32×128"));
        QCOMPARE(node.assignment, QStringLiteral("cpu:1"));
        QCOMPARE(node.y.hues, (std::vector<int>{-1, 1}));
        QVERIFY(!node.isAway);
        fixture.view.setRank(-1);
        QCOMPARE(fixture.node("fc1").shape, QString::fromUtf8("64×128"));
    }

    void networksOfABatchAreSheets() {
        Fixture fixture;
        QVERIFY(fixture.openDictionary(4));
        const NodeView& node = fixture.node("code");
        QCOMPARE(node.sheets, (std::vector<int>{1, 2, 3}));
        QCOMPARE(node.parameters, QString::fromUtf8("τ 20, λ 0.5"));
        QStringList said;
        for (const auto& [name, value] : node.fields) {
            said << name + ' ' + value;
        }
        QCOMPARE(said.join("; "),
                 QString::fromUtf8("Dictionary 64 atoms of 8; Iterations 50; Threshold λ 0.5; "
                                   "Time constant τ 20"));
        QVERIFY(fixture.node("picture").sheets.empty());
        // A layer on one device has only that device's colour.
        Fixture alone;
        QVERIFY(alone.openDictionary(1));
        QCOMPARE(alone.node("code").sheets, (std::vector<int>{-1, -1, -1}));
    }

    void elementsWithWeightsOfTheirOwnAreSheets() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        QVERIFY(fixture.node("fc1").sheets.empty());
        fixture.document.edit(
            "Set", [](Design& design) { return applySetting(design, "fc1.per_element", "true"); });
        QVERIFY(fixture.waitForCheck());
        QCOMPARE(fixture.node("fc1").sheets.size(), std::size_t{3});
    }

    void whatIsLearntOverAPeriodStandsBesideItsLayer() {
        Fixture fixture;
        QVERIFY(fixture.openDictionary(2));
        const auto only = [&]() -> const SyncView& { return fixture.view.list().syncs.front(); };
        QCOMPARE(fixture.view.list().syncs.size(), std::size_t{1});
        QVERIFY(only().layer == fixture.named("code"));
        QCOMPARE(only().badge.kind, QString("all-reduce"));
        QCOMPARE(only().badge.often, QString("each step"));
        QVERIFY(only().badge.label.startsWith(QString::fromUtf8("16.6\u202fkB · ≈")));
        QVERIFY(only().badge.before.kind == ValueDrawing::Kind::partial);
        QVERIFY(only().badge.after.kind == ValueDrawing::Kind::replicated);
        // Below its layer, over nothing else.
        const QRectF box = fixture.node("code").box; // the list is made anew
        QVERIFY(only().from.y() == box.bottom() && !only().badge.isBare);
        QVERIFY(!only().box().intersects(box));
        // Its dictionary stands at its head, between the layer and the badge.
        QCOMPARE(only().form, QString::fromUtf8("64×1×8×8"));
        QVERIFY(only().tile.top() > box.bottom() && only().tile.bottom() < only().badge.at.y());
        QVERIFY(only().box().contains(only().tile));
        const QImage bare = fixture.view.grab().toImage();
        QImage atoms(16, 16, QImage::Format_RGB32);
        atoms.fill(Qt::red);
        fixture.view.setAtoms({{fixture.named("code"), atoms}});
        const QImage seen = fixture.view.grab().toImage();
        const QPointF middle = fixture.at(only().tile.center());
        const QPoint pixel = (middle * seen.devicePixelRatio()).toPoint();
        QCOMPARE(seen.pixelColor(pixel), QColor(Qt::red));
        QVERIFY(bare.pixelColor(pixel) != QColor(Qt::red));
        QVERIFY(fixture.view.list().bounds().contains(only().box()));
        QVERIFY(fixture.set("training.sync_every", "3") &&
                fixture.set("training.sync", "one period late"));
        QCOMPARE(only().badge.often, QString("once in 3 updates, one period late"));
        // Where something stands below it is at the right; where that is taken too it is bare.
        const auto put = [&](Point at) {
            fixture.add("relu", at);
            return fixture.waitForCheck();
        };
        QVERIFY(put({box.left(), box.bottom() + 110}));
        QVERIFY(only().from.y() == box.bottom() && only().tile.isEmpty()); // room but for the tile
        QVERIFY(put({box.left(), box.bottom() + 20}));
        QCOMPARE(only().from.y(), box.center().y());
        QVERIFY(!only().badge.isBare);
        QVERIFY(put({box.right() + 60, box.top()}));
        QVERIFY(only().badge.isBare);
        // On one device nothing travels; what is learnt in the step that makes it has no picture.
        Fixture alone;
        QVERIFY(alone.openDictionary(1));
        QCOMPARE(alone.view.list().syncs.front().badge.label, QString("nothing is sent"));
        Fixture plain;
        QVERIFY(plain.openSample());
        QVERIFY(plain.view.list().syncs.empty());
        QVERIFY(plain.set("training.sync_every", "4"));
        QCOMPARE(plain.view.list().syncs.size(), std::size_t{4});
        QVERIFY(plain.view.list().syncs.front().form.isEmpty()); // no dictionary
    }

    void aRankThatHasNoPartIsAway() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        fixture.document.edit("One", [&](Design& design) {
            return assign(design, {}, {fixture.named("fc2")}, Assignment{{"cpu:0"}, {}, {}});
        });
        QVERIFY(fixture.waitForCheck());
        fixture.view.setRank(1);
        QVERIFY(fixture.node("fc2").isAway);
        QVERIFY(!fixture.node("fc1").isAway);
    }

    void timesOfBeforeAnEditAreMarkedUntilTheNewAreThere() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        QVERIFY(fixture.node("conv1").predicted > 0 && !fixture.node("conv1").isOlder);
        std::vector<bool> older;
        connect(&fixture.view, &CanvasView::rebuilt, this, [&] {
            QVERIFY(fixture.node("conv1").predicted > 0);
            older.push_back(fixture.node("conv1").isOlder);
        });
        fixture.document.edit("Batch", [](Design& design) {
            design.data.batch *= 2;
            return Edited{};
        });
        QVERIFY(fixture.waitForCheck());
        QCOMPARE(std::ranges::count(older, true), 1);
        QVERIFY(!older.back());
    }

    void aProofIsShownUntilTheNextChange() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        auto proof = std::make_shared<ProofDifferences>();
        proof->differences = {{"fc1", 2e-7}, {"relu2", 0.5}};
        proof->tolerance = 1e-3;
        fixture.view.setProof(proof);
        QVERIFY(fixture.node("fc1").isProved);
        QCOMPARE(fixture.node("fc1").difference, 2e-7);
        QVERIFY(!fixture.node("relu2").isProved);
        QVERIFY(fixture.node("fc2").difference < 0);
        fixture.document.edit("Units", [&](Design& design) {
            return setAttribute(design, {}, fixture.named("fc1"), "units", std::int64_t{12});
        });
        QVERIFY(fixture.node("fc1").difference < 0);
    }

    void aBadgeKeepsClearOfAFramesTitle() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        const LayerId from = fixture.named("fc1");
        const LayerId to = fixture.named("relu2");
        fixture.document.edit("Spread", [&](Design& design) {
            placeLayers(design, {}, {to}, {{720, 460}});
            addFrame(design, {},
                     {.title = "A title that is long", .topLeft = {696, 290}, .size = {290, 230}});
            return assign(design, {}, {from}, Assignment{{}, {}, {AxisWord::modelStack}});
        });
        fixture.document.edit("Data", [&](Design& design) {
            return assign(design, {}, {to}, Assignment{{}, {}, {AxisWord::data}});
        });
        QVERIFY(fixture.waitForCheck());
        const DisplayList& list = fixture.view.list();
        const auto wire = std::ranges::find_if(
            list.wires, [&](const WireView& one) { return one.wire.to.layer == to; });
        QVERIFY(wire != list.wires.end() && wire->badge >= 0);
        const QPointF at = list.badges[static_cast<std::size_t>(wire->badge)].at;
        const double half = tokens().sizes.size.badge / 2.0;
        QVERIFY(!list.frames[0].titleBox().intersects(
            QRectF(at, QSizeF(0, 0)).adjusted(-half, -half, half, half)));
    }

    void aWireGoesPastLayersOnItsWay() {
        Fixture fixture;
        QVERIFY(fixture.openSample());
        for (const WireView& wire : fixture.view.list().wires) {
            for (const NodeView& node : fixture.view.list().nodes) {
                if (node.id != wire.wire.from.layer && node.id != wire.wire.to.layer) {
                    const QString where = QString::fromStdString(wire.wire.from.port) + " " +
                                          fixture.view.list().node(wire.wire.from.layer)->name +
                                          " along " + node.name;
                    QVERIFY2(!crosses(wire.line, node.box.adjusted(-2, -2, 2, 2)),
                             qPrintable(where));
                }
            }
        }
    }

    void aWireGoesPastLayersInEveryShape_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<double>("aspect");
        for (const char* sample : {"alexnet-one-weird-trick", "lenet-mnist", "resnet18-cifar",
                                   "tiny-gpt", "two-tower-fusion", "lca-classify"}) {
            for (const double aspect : {0.6, 1.2, 2.5}) {
                QTest::addRow("%s %g", sample, aspect) << QString::fromUtf8(sample) << aspect;
            }
        }
    }
    /// Laid out for windows of these shapes: columns, between which wires go up.
    void aWireGoesPastLayersInEveryShape() {
        QFETCH(const QString, sample);
        QFETCH(const double, aspect);
        const std::vector<LayerKindInfo> kinds = catalogue();
        const Design design = arranged(
            loadDesign(test::sourceFolder() / "projects" / sample.toStdString() / "design.weft")
                .design,
            kinds, aspect);
        const DisplayList list = buildDisplayList({.design = &design, .kinds = &kinds});
        QVERIFY(!list.wires.empty());
        for (const WireView& wire : list.wires) {
            for (const NodeView& node : list.nodes) {
                if (node.id != wire.wire.from.layer && node.id != wire.wire.to.layer) {
                    QVERIFY2(!crosses(wire.line, node.box),
                             qPrintable(list.node(wire.wire.from.layer)->name + " to " +
                                        list.node(wire.wire.to.layer)->name + " behind " +
                                        node.name));
                }
            }
        }
    }

    void aLargeNetworkIsMadeElsewhereAndThenShown() {
        Fixture fixture;
        fixture.document.edit("Many", [](Design& design) {
            Edited edited;
            for (int i = 0; i < 2100; ++i) {
                const int row = i / 50;
                design.network.layers.push_back(
                    {.id = LayerId{static_cast<std::uint32_t>(100 + i)},
                     .name = "many" + std::to_string(i),
                     .kind = "relu",
                     .position = Point{static_cast<double>(i % 50) * 280, 400.0 + row * 60}});
            }
            return edited;
        });
        QTRY_COMPARE(fixture.view.list().nodes.size(), std::size_t{2103});
    }
};

std::unique_ptr<QObject> makeTestDisplayList() { return std::make_unique<TestDisplayList>(); }

#include "tst_display_list.moc"
