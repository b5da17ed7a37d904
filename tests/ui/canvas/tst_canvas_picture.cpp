// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/canvas_view.h"
#include "canvas/layout/layered_layout.h"
#include "support/places.h"
#include "support/test_main.h"

#include <QtTest>

using namespace weft;
using namespace weft::ui;

class TestCanvasPicture : public QObject {
    Q_OBJECT

private slots:
    void draws() {
        const auto kinds = std::make_shared<const std::vector<LayerKindInfo>>(catalogue());
        DesignDocument document(kinds);
        document.load(QString::fromStdString(
            (test::sourceFolder() / "projects/alexnet-one-weird-trick/design.weft").string()));
        LiveCheck check(document);
        Selection selection(document);
        Look look;
        look.choose(Look::Choice::dark);
        CanvasView view(document, selection, check, look);
        view.resize(1600, 1000);
        view.show();
        QTRY_VERIFY_WITH_TIMEOUT(check.answer()->revision > 0, 20000);
        LayoutGraph graph;
        std::map<std::uint32_t, int> at;
        for (const NodeView& node : view.list().nodes) {
            at[node.id.value] = static_cast<int>(graph.sizes.size());
            graph.sizes.push_back(node.box.size());
            graph.below.push_back(0);
        }
        for (const WireView& wire : view.list().wires) {
            const int from = at[wire.wire.from.layer.value];
            graph.edges.emplace_back(from, at[wire.wire.to.layer.value]);
            if (wire.badge >= 0) graph.below[from] = 48;
        }
        const auto places = layeredLayout(graph);
        std::vector<LayerId> ids;
        std::vector<Point> points;
        for (const NodeView& node : view.list().nodes) {
            ids.push_back(node.id);
            const QPointF p = places[at[node.id.value]];
            points.push_back({p.x(), p.y()});
        }
        document.edit("Lay out", [&](Design& design) { design.network.frames.clear(); return placeLayers(design, {}, ids, points); });
        view.frameAll();
        view.grab().save("/tmp/canvas-all.png");
        view.zoomTo(1, QPointF(800, 300));
        view.grab().save("/tmp/canvas-near.png");
    }
};

std::unique_ptr<QObject> makeTestCanvasPicture() { return std::make_unique<TestCanvasPicture>(); }

#include "tst_canvas_picture.moc"
