// SPDX-License-Identifier: Apache-2.0
// PlacementResult layers through the window: the search after dropping a wire, collapsed layers,
// hidden ports, pinned layers, reroute points.
#include "canvas/scene/wire_shape.h"
#include "shell/files.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "widgets/search_popup.h"

#include <QLineEdit>
#include <QListView>

using namespace weft;
using namespace weft::test;

class TestPlacing : public QObject {
    Q_OBJECT

    struct Story : WindowStory {
        /// From below a layer to where nothing is.
        void letGoBelow(LayerId layer) {
            const QPoint from = port(layer, false);
            drag(from, from + QPoint(330, 60));
        }
        [[nodiscard]] ui::SearchPopup* popup() { return window().findChild<ui::SearchPopup*>(); }
        [[nodiscard]] QStringList offered() {
            const QAbstractItemModel* model = popup()->findChild<QListView*>()->model();
            QStringList rows;
            for (int i = 0; i < model->rowCount(); ++i) {
                rows << model->index(i, 0).data().toString();
            }
            return rows;
        }
        void open() {
            openSample(QStringLiteral("lenet-mnist"));
            page().view().camera().zoomTo(1, {});
            page().view().setFocus();
        }
        [[nodiscard]] int steps() { return page().design().document().history().count(); }
        void select(LayerId layer) {
            page().design().selection().select({layer});
            page().view().camera().reveal(layer);
            page().view().setFocus();
        }
        [[nodiscard]] const ui::NodeView& node(LayerId layer) {
            return *page().view().list().node(layer);
        }
    };

private Q_SLOTS:
    void whatFitsAWireIsOfferedAndWired() {
        Story story;
        story.open();
        const LayerId fc = story.layerNamed("fc1");
        story.page().view().camera().reveal(fc);
        const std::size_t wires = story.design().network.wires.size();
        const int steps = story.steps();
        story.letGoBelow(fc);
        QVERIFY(story.popup() != nullptr && story.popup()->isVisible());
        // Layers without inputs, and layers that take pictures, are not offered.
        const QStringList offered = story.offered();
        QVERIFY(offered.contains(QStringLiteral("relu")));
        QVERIFY(!offered.contains(QStringLiteral("input")));
        QVERIFY(!offered.contains(QStringLiteral("conv2d")));
        story.type(QStringLiteral("dropout"));
        story.key(Qt::Key_Return);
        QVERIFY(!story.popup()->isVisible());
        const LayerId made = story.page().design().selection().current();
        const Network& network = story.design().network;
        QCOMPARE(findLayer(network, made)->kind, std::string("dropout"));
        QCOMPARE(network.wires.size(), wires + 1);
        QVERIFY(network.wires.back().from.layer == fc && network.wires.back().to.layer == made);
        // Layer and wire are one step.
        QCOMPARE(story.steps(), steps + 1);
        story.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(findLayer(story.design().network, made) == nullptr);
        QCOMPARE(story.design().network.wires.size(), wires);
    }

    void escapeOfWhatIsOfferedDoesNothing() {
        Story story;
        story.open();
        const LayerId fc = story.layerNamed("fc1");
        story.page().view().camera().reveal(fc);
        const Design before = story.design();
        const int steps = story.steps();
        story.letGoBelow(fc);
        QVERIFY(story.popup()->isVisible());
        story.type(QStringLiteral("relu"));
        story.key(Qt::Key_Escape);
        QVERIFY(!story.popup()->isVisible());
        QVERIFY(story.design() == before);
        QCOMPARE(story.steps(), steps);
        QVERIFY(!story.page().view().state().drag.has_value());
    }

    void hMakesALayerOneLineHigh() {
        Story story;
        story.open();
        const LayerId fc = story.layerNamed("fc1");
        story.select(fc);
        const double high = story.node(fc).box.height();
        QVERIFY(!story.node(fc).isCompact);
        story.key(Qt::Key_H);
        QTRY_VERIFY(story.node(fc).isCompact);
        QVERIFY(story.node(fc).box.height() < high);
        story.key(Qt::Key_H);
        QTRY_VERIFY(!story.node(fc).isCompact);
    }

    void ctrlHHidesPortsWithoutAWire() {
        Story story;
        story.open();
        const LayerId fc = story.layerNamed("fc1");
        story.page().design().document().edit("Disconnect", [&](Design& design) {
            const auto wire = std::ranges::find_if(
                design.network.wires, [&](const Wire& one) { return one.to.layer == fc; });
            const Wire gone = *wire;
            return weft::disconnect(design, {}, gone.from, gone.to);
        });
        story.select(fc);
        const auto inputs = [&] {
            return std::ranges::count_if(story.node(fc).ports, &ui::PortView::isInput);
        };
        QTRY_COMPARE(inputs(), 1);
        const std::size_t ports = story.node(fc).ports.size();
        story.key(Qt::Key_H, Qt::ControlModifier);
        QTRY_COMPARE(inputs(), 0);
        // Connected ports are visible all the same.
        QCOMPARE(story.node(fc).ports.size(), ports - 1);
        story.key(Qt::Key_H, Qt::ControlModifier);
        QTRY_COMPARE(inputs(), 1);
    }

    void pPinsAgainstALayout() {
        Story story;
        story.open();
        const LayerId fc = story.layerNamed("fc1");
        story.select(fc);
        story.key(Qt::Key_P);
        QVERIFY(findLayer(story.design().network, fc)->pinned);
        const Design before = story.design();
        const auto place = [](const Design& design, LayerId layer) {
            return *findLayer(design.network, layer)->position;
        };
        // Somewhere else they are laid out from there.
        const LayerId conv = story.layerNamed("conv1");
        story.page().design().document().edit("Move", [&](Design& design) {
            return moveLayers(design, {}, {conv, fc}, {400, 40});
        });
        const Point moved = place(story.design(), fc);
        const int steps = story.steps();
        story.key(Qt::Key_L, Qt::ShiftModifier);
        QTRY_COMPARE(story.steps(), steps + 1);
        QCOMPARE(place(story.design(), fc), moved);
        QVERIFY(place(story.design(), conv) !=
                Point({place(before, conv).x + 400, place(before, conv).y + 40}));
        story.select(fc);
        story.key(Qt::Key_P);
        QVERIFY(!findLayer(story.design().network, fc)->pinned);
    }

    void whatIsLedAndPinnedIsInTheFile() {
        Story story;
        story.open();
        const LayerId fc = story.layerNamed("fc1");
        story.select(fc);
        story.key(Qt::Key_P);
        const auto& wires = story.page().view().list().wires;
        const auto wire = std::ranges::find_if(
            wires, [fc](const ui::WireView& one) { return one.wire.to.layer == fc; });
        const QPointF on = ui::pointAlong(wire->line, 0.5).at;
        QTest::mouseClick(&story.page().view(), Qt::LeftButton, Qt::AltModifier,
                          story.page().view().viewport().toLogical(on).toPoint());
        const auto led = std::ranges::find_if(story.design().network.wires,
                                              [](const Wire& wire) { return !wire.via.empty(); });
        QVERIFY(led != story.design().network.wires.end());
        QVERIFY(led->to.layer == fc);
        story.command("file.save");
        const Design saved = story.design();
        const QString file = story.page().design().document().file();
        story.command("file.close");
        QVERIFY(story.window().files().open(file));
        QVERIFY(story.design() == saved);
    }
};

std::unique_ptr<QObject> makeTestPlacing() { return std::make_unique<TestPlacing>(); }

#include "tst_placing.moc"
