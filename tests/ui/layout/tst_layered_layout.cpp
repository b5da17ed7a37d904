// SPDX-License-Identifier: Apache-2.0
#include "layout/layered_layout.h"
#include "support/test_main.h"

#include <QRectF>
#include <QTest>
#include <random>

using namespace weft::ui;

namespace {

LayoutGraph chain(int count) {
    LayoutGraph graph;
    graph.sizes.assign(static_cast<std::size_t>(count), QSizeF(240, 88));
    for (int i = 0; i + 1 < count; ++i) {
        graph.edges.push_back({i, i + 1});
    }
    return graph;
}

bool overlaps(const LayoutGraph& graph, const std::vector<QPointF>& places) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (QRectF(places[i], graph.sizes[i]).intersects(QRectF(places[k], graph.sizes[k]))) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

class TestLayeredLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aShortChainIsStraight() {
        const LayoutGraph graph = chain(3);
        const auto places = layeredLayout(graph, {.aspect = 0.5});
        QCOMPARE(places[0].x(), places[2].x());
        QVERIFY(places[0].y() < places[1].y() && places[1].y() < places[2].y());
    }

    void aLongChainFoldsToFitAWindow() {
        const LayoutGraph graph = chain(40);
        const auto places = layeredLayout(graph);
        QRectF all;
        for (const QPointF& place : places) {
            all |= QRectF(place, QSizeF(240, 88));
        }
        QVERIFY(all.width() > 0.7 * all.height());
        QVERIFY(all.width() < 3 * all.height());
        QVERIFY(!overlaps(graph, places));
    }

    void branchesStandSideBySide() {
        LayoutGraph graph;
        graph.sizes.assign(4, QSizeF(240, 88));
        graph.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
        const auto places = layeredLayout(graph, {.aspect = 0.5});
        QCOMPARE(places[1].y(), places[2].y());
        QVERIFY(std::abs(places[1].x() - places[2].x()) >= 280);
        QCOMPARE(places[0].x(), places[3].x());
    }

    void whatFeedsOneNodeStandsAsItsPortsDo() {
        for (const bool isSwapped : {false, true}) {
            LayoutGraph graph;
            graph.sizes.assign(4, QSizeF(240, 88));
            graph.edges = {{0, 1}, {1, 3, isSwapped ? 1.0 : 0.0}, {2, 3, isSwapped ? 0.0 : 1.0}};
            const auto places = layeredLayout(graph, {.aspect = 0.5});
            QCOMPARE(places[1].x() > places[2].x(), isSwapped);
        }
    }

    void nothingOverlapsWhateverTheGraph() {
        const unsigned seed = std::random_device()();
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        for (int trial = 0; trial < 30; ++trial) {
            LayoutGraph graph;
            const int count = 1 + static_cast<int>(random() % 60);
            for (int i = 0; i < count; ++i) {
                graph.sizes.emplace_back(240, random() % 2 == 0 ? 28 : 88);
            }
            for (int i = 0; i < 2 * count; ++i) {
                // Circles and loops too.
                const auto any = [&] {
                    return static_cast<int>(random() % static_cast<unsigned>(count));
                };
                const int from = any();
                graph.edges.push_back({from, any()});
            }
            const auto places = layeredLayout(graph);
            QCOMPARE(places.size(), graph.sizes.size());
            QVERIFY(!overlaps(graph, places));
        }
    }

    void stopsWhenAsked() {
        std::stop_source source;
        source.request_stop();
        QVERIFY(layeredLayout(chain(5), {}, source.get_token()).empty());
        QVERIFY(layeredLayout({}).empty());
    }
};

std::unique_ptr<QObject> makeTestLayeredLayout() { return std::make_unique<TestLayeredLayout>(); }

#include "tst_layered_layout.moc"
