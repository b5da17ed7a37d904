// SPDX-License-Identifier: Apache-2.0
#include "layout/arrange.h"
#include "support/test_main.h"
#include "theme/theme.h"
#include <weft/edits.h>

#include <QRectF>
#include <QTest>

using namespace weft;
using namespace weft::ui;

namespace {

/// A chain of layers without places, each of which feeds the next.
Network chainOf(int count) {
    Design design;
    for (int i = 0; i < count; ++i) {
        const Edited added = addLayer(design, {}, {.kind = i == 0 ? "input" : "dense"});
        if (i > 0) {
            connect(design, {}, {design.network.layers[design.network.layers.size() - 2].id, "y"},
                    {added.layer(), "x"});
        }
    }
    return design.network;
}

QRectF boxOf(const Layer& layer) {
    const Sizes::Size& size = tokens().sizes.size;
    const int height = layer.kind == "input" ? size.nodeCompact : size.nodeHeight;
    return {layer.position->x, layer.position->y, double(size.nodeWidth), double(height)};
}

bool overlap(const Network& network) {
    for (const Layer& a : network.layers) {
        for (const Layer& b : network.layers) {
            if (a.id < b.id && boxOf(a).intersects(boxOf(b))) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

class TestArrange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatHasNoPlaceIsGivenOneOfItsOwn() {
        Design design;
        design.network = chainOf(12);
        design.groups.push_back({.name = "block", .network = chainOf(4)});
        design = placed(std::move(design), kinds_, 1.5);
        QVERIFY(!overlap(design.network));
        QVERIFY(!overlap(design.groups[0].network));
        QVERIFY(design == placed(design, kinds_, 1.5));
    }

    void whatHasAPlaceKeepsIt() {
        Network network = chainOf(5);
        network.layers[1].position = Point{300, 40};
        network.layers[3].position = Point{900, 200};
        placeUnplaced(network, kinds_, 1.5);
        QCOMPARE(*network.layers[1].position, (Point{300, 40}));
        QCOMPARE(*network.layers[3].position, (Point{900, 200}));
        QVERIFY(!overlap(network));
    }

    void aFrameIsDrawnAroundWhatItHolds() {
        Network network = chainOf(3);
        network.frames.push_back({.title = "head",
                                  .topLeft = {},
                                  .size = {},
                                  .layers = {network.layers[1].id, network.layers[2].id}});
        placeUnplaced(network, kinds_, 1.5);
        const Frame& frame = network.frames[0];
        const QRectF box(frame.topLeft.x, frame.topLeft.y, frame.size.x, frame.size.y);
        QVERIFY(box.contains(boxOf(network.layers[1])));
        QVERIFY(box.contains(boxOf(network.layers[2])));
        QVERIFY(!box.intersects(boxOf(network.layers[0])));
    }

private:
    std::vector<LayerKindInfo> kinds_ = catalogue();
};

std::unique_ptr<QObject> makeTestArrange() { return std::make_unique<TestArrange>(); }
#include "tst_arrange.moc"
