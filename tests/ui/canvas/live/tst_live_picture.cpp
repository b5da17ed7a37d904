// SPDX-License-Identifier: Apache-2.0
// The live picture during a run: ticks paint only changes, and the result equals a full repaint.
#include "canvas/view/canvas_view.h"
#include "support/test_main.h"

#include <QPaintEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QTest>
#include <cstdlib>

using namespace weft;
using namespace weft::ui;

class TestLivePicture : public QObject {
    Q_OBJECT

    struct Canvas {
        DesignDocument document{std::make_shared<const std::vector<LayerKindInfo>>(catalogue())};
        PreviewQueue previewQueue;
        LiveCheck check{document, previewQueue};
        Selection selection{document};
        Look look;
        std::vector<LayerId> layers;
        CanvasView view{document, selection, check, look};

        Canvas() {
            for (int i = 0; i < 4; ++i) {
                layers.push_back(document
                                     .edit("Add",
                                           [&](Design& design) {
                                               return addLayer(design, {},
                                                               {.kind = "dense",
                                                                .position = Point{0, 120.0 * i}});
                                           })
                                     .layer());
            }
            view.resize(640, 640);
            view.show();
            (void)QTest::qWaitFor([this] { return check.isWhole(); });
            view.camera().zoomTo(1, {});
            view.camera().frame(view.list().bounds());
        }
        void show(std::vector<double> seconds) {
            std::map<LayerId, LiveNode> nodes;
            for (std::size_t i = 0; i < seconds.size(); ++i) {
                nodes[layers[i]] = {.measured = seconds[i]};
            }
            view.setLive(std::move(nodes));
        }
        /// Besides what is shown of it.
        void mark(std::size_t layer) {
            std::map<LayerId, LiveNode> nodes = view.live().nodes();
            nodes[layers[layer]].isRunning = true;
            view.setLive(std::move(nodes));
        }
        [[nodiscard]] QPoint centre(std::size_t layer) const {
            return view.viewport()
                .toLogical(view.list().node(layers[layer])->box.center())
                .toPoint();
        }
        QImage picture() { return view.grab().toImage(); }
        QImage shown() { return view.screen()->grabWindow(view.winId()).toImage(); }
    };

    /// The regions that were painted.
    class Watch : public QObject {
    public:
        std::vector<QRegion> painted;
        bool eventFilter(QObject* object, QEvent* event) override {
            if (event->type() == QEvent::Paint) {
                painted.push_back(static_cast<QPaintEvent*>(event)->region());
            }
            return QObject::eventFilter(object, event);
        }
    };

    /// Until the canvas below is kept: the view paints itself whole for that, and nobody asks it
    /// to.
    static void rest(Canvas& canvas) {
        // The first paints what was asked for before, by the second the rest begins anew.
        canvas.view.repaint();
        canvas.view.repaint();
        Watch watch;
        canvas.view.installEventFilter(&watch);
        QTRY_VERIFY(!watch.painted.empty());
        QCOMPARE(watch.painted[0], QRegion(canvas.view.rect()));
    }

private Q_SLOTS:
    /// A painter that cannot paint says so, and nothing else does.
    void init() { QTest::failOnWarning(QRegularExpression("QPainter")); }

    void aTickPaintsWhatChanged() {
        Canvas canvas;
        canvas.show({0.001, 0.002, 0.003, 0.004});
        rest(canvas);
        Watch watch;
        canvas.view.installEventFilter(&watch);
        canvas.show({0.001, 0.0025, 0.003, 0.004});
        QTRY_COMPARE(watch.painted.size(), std::size_t{1});
        const QRect box = watch.painted[0].boundingRect();
        QVERIFY(box.height() < 150);
        QVERIFY(box.contains(canvas.centre(1)));
        // The same again is nothing to paint: not with what is painted next either.
        canvas.show({0.001, 0.0025, 0.003, 0.004});
        canvas.mark(3);
        QTRY_COMPARE(watch.painted.size(), std::size_t{2});
        QVERIFY(watch.painted[1].contains(canvas.centre(3)));
        QVERIFY(!watch.painted[1].contains(canvas.centre(1)));
    }

    void whatRunsIsMarkedUnderEveryLens_data() {
        QTest::addColumn<QString>("lens");
        QTest::newRow("parallelism") << "parallelism";
        QTest::newRow("heat") << "time";
    }
    void whatRunsIsMarkedUnderEveryLens() {
        QFETCH(const QString, lens);
        Canvas canvas;
        canvas.view.live().setLens(lens);
        const auto show = [&](bool isRunning) {
            std::map<LayerId, LiveNode> nodes;
            nodes[canvas.layers[0]] = {.measured = 0.001};
            nodes[canvas.layers[1]] = {.measured = 0.001, .isRunning = isRunning};
            canvas.view.setLive(std::move(nodes));
        };
        show(false);
        rest(canvas);
        const QImage before = canvas.picture();
        rest(canvas);
        Watch watch;
        canvas.view.installEventFilter(&watch);
        show(true);
        QTRY_COMPARE(watch.painted.size(), std::size_t{1});
        const QImage now = canvas.picture();
        const QRectF box = canvas.view.list().node(canvas.layers[1])->box;
        const QPoint corner = canvas.view.viewport().toLogical(box.topRight()).toPoint();
        QVERIFY(watch.painted[0].contains(corner));
        const QRect mark(corner - QPoint(16, 8), QSize(28, 24));
        QVERIFY(now.copy(mark) != before.copy(mark));
        const QRect other(0, 0, now.width(), corner.y() - 16);
        QCOMPARE(now.copy(other), before.copy(other));
        show(false);
        QTRY_COMPARE(canvas.picture(), before);
    }

    void panningPaintsWhatItUncovers_data() {
        QTest::addColumn<QString>("lens");
        QTest::newRow("parallelism") << "parallelism";
        QTest::newRow("heat") << "time";
    }
    void panningPaintsWhatItUncovers() {
        QFETCH(const QString, lens);
        Canvas canvas;
        canvas.view.live().setLens(lens);
        canvas.show({0.001, 0.002, 0.003, 0.004});
        rest(canvas);
        QImage image(canvas.view.size(), QImage::Format_RGB32);
        QPainter painter(&image);
        int pixels = 0;
        const QRegion strips = QRegion(0, 0, 640, 20) + QRegion(0, 20, 20, 620);
        canvas.view.live().paint(
            painter, strips, image.size(),
            {canvas.view.list(), canvas.view.viewport(), canvas.view.state(), canvas.view.theme()},
            [&](QPainter&, const QRect& box) { pixels += box.width() * box.height(); });
        QVERIFY2(pixels < 2 * (640 * 20 + 20 * 620), qPrintable(QString::number(pixels)));
        // By hand, with a tick on the way, it leads to the picture that painting all makes.
        const QPoint from(40, 40);
        QTest::mousePress(&canvas.view, Qt::MiddleButton, {}, from);
        QTest::mouseMove(&canvas.view, from + QPoint(30, 17));
        QCoreApplication::processEvents();
        canvas.show({0.002, 0.0025, 0.001, 0.0045});
        QTest::mouseMove(&canvas.view, from + QPoint(51, -8));
        QTest::mouseRelease(&canvas.view, Qt::MiddleButton, {}, from + QPoint(51, -8));
        QCoreApplication::processEvents();
        const QImage scrolled = canvas.shown();
        canvas.view.redraw();
        QCoreApplication::processEvents();
        QVERIFY(!scrolled.isNull() && scrolled == canvas.shown());
    }

    void heatIsPaintedWhereItSaysSomethingElse() {
        Canvas canvas;
        canvas.view.live().setLens("time");
        canvas.show({0.001, 0.002, 0.003, 0.004});
        rest(canvas);
        Watch watch;
        canvas.view.installEventFilter(&watch);
        // The sum is another, but the shares of the others still read 10, 30 and 40 %.
        canvas.show({0.001, 0.00201, 0.003, 0.004});
        QTRY_COMPARE(watch.painted.size(), std::size_t{1});
        const QRect box = watch.painted[0].boundingRect();
        QVERIFY(box.height() < 150);
        QVERIFY(box.contains(canvas.centre(1)));
        // Changes that do not alter the rounded text are not painted.
        canvas.show({0.001, 0.0020101, 0.003, 0.004});
        canvas.mark(3);
        QTRY_COMPARE(watch.painted.size(), std::size_t{2});
        QVERIFY(watch.painted[1].contains(canvas.centre(3)));
        QVERIFY(!watch.painted[1].contains(canvas.centre(1)));
    }

    void ticksLeadToThePictureThatPaintingAllMakes_data() {
        QTest::addColumn<QString>("lens");
        QTest::addColumn<double>("zoom");
        for (const char* lens : {"parallelism", "time"}) {
            for (const double zoom : {0.2, 0.45, 1.0}) {
                QTest::addRow("lens %s at %g", lens, zoom) << lens << zoom;
            }
        }
    }
    void ticksLeadToThePictureThatPaintingAllMakes() {
        QFETCH(const QString, lens);
        QFETCH(const double, zoom);
        Canvas canvas;
        canvas.view.live().setLens(lens);
        canvas.view.setRun(true);
        canvas.view.camera().zoomTo(zoom, QPointF(320, 320));
        canvas.show({0.001, 0.002, 0.003, 0.004});
        rest(canvas);
        Watch watch;
        canvas.view.installEventFilter(&watch);
        canvas.show({0.002, 0.0025, 0.001, 0.0045});
        QTRY_COMPARE(watch.painted.size(), std::size_t{1});
        canvas.show({0.0011, 0.0032, 0.003, 0.0041});
        QTRY_COMPARE(watch.painted.size(), std::size_t{2});
        const QImage ticked = canvas.shown();
        canvas.view.redraw();
        QTRY_COMPARE(watch.painted.size(), std::size_t{3});
        const QImage whole = canvas.shown();
        QVERIFY(!whole.isNull());
        QVERIFY(ticked == whole);
        QCOMPARE(canvas.picture().convertToFormat(QImage::Format_RGB32),
                 whole.convertToFormat(QImage::Format_RGB32));
    }

    void heatOverHeatIsAsPaintedWhole_data() {
        QTest::addColumn<double>("zoom");
        for (const double zoom : {0.2, 0.37, 0.71, 1.0}) {
            QTest::addRow("at %g", zoom) << zoom;
        }
    }
    /// Boxes that lie over each other, what runs or is past, and names of any script.
    void heatOverHeatIsAsPaintedWhole() {
        QFETCH(const double, zoom);
        Canvas canvas;
        canvas.document.edit("Crowd", [&](Design& design) {
            (void)renameLayer(design, {}, canvas.layers[0], "тепло");
            (void)renameLayer(design, {}, canvas.layers[1], "חום");
            return moveLayers(design, {}, {canvas.layers[2]}, {20, -60});
        });
        QVERIFY(QTest::qWaitFor([&] { return canvas.check.isWhole(); }));
        canvas.view.live().setLens("time");
        canvas.view.camera().zoomTo(zoom, QPointF(320, 320));
        const auto shown = [&] {
            QCoreApplication::processEvents();
            return canvas.shown();
        };
        const auto tick = [&](int number) {
            std::map<LayerId, LiveNode> nodes;
            for (int i = 0; i < 4; ++i) {
                nodes[canvas.layers[static_cast<std::size_t>(i)]] = {
                    .measured = 0.001 * (1 + (number * 7 + i * 5) % 11),
                    .isPast = number % 5 == i,
                    .isRunning = number % 3 == i};
            }
            canvas.view.setLive(std::move(nodes));
        };
        tick(0);
        rest(canvas);
        Watch watch;
        canvas.view.installEventFilter(&watch);
        for (int number = 1; number < 12; ++number) {
            tick(number);
            const QImage ticked = shown();
            if (number % 4 != 0) {
                continue;
            }
            canvas.view.redraw();
            const QImage whole = shown();
            QVERIFY2(ticked == whole, qPrintable(QString::number(number)));
            rest(canvas);
        }
        QVERIFY(watch.painted.size() >= 11);
    }

    /// So many that a tick is the whole view.
    void whatChangesBesideATickIsSeen() {
        Canvas canvas;
        constexpr int more = 240;
        canvas.document.edit("Add many", [&](Design& design) {
            Edited added;
            constexpr int perColumn = 16;
            for (int i = 0; i < more; ++i) {
                const int column = 1 + i / perColumn;
                added = addLayer(
                    design, {},
                    {.kind = "dense", .position = Point{250.0 * column, 120.0 * (i % perColumn)}});
            }
            return added;
        });
        QVERIFY(QTest::qWaitFor([&] { return canvas.check.isWhole(); }));
        canvas.view.live().setLens("time");
        canvas.view.camera().frame(canvas.view.list().bounds());
        const auto tick = [&](int number) {
            std::map<LayerId, LiveNode> nodes;
            int k = 0;
            for (const Layer& layer : canvas.document.design().network.layers) {
                nodes[layer.id] = {.measured = 0.001 * (1 + (number * 7 + k++ * 5) % 11)};
            }
            canvas.view.setLive(std::move(nodes));
        };
        const auto shown = [&] {
            QCoreApplication::processEvents();
            return canvas.shown();
        };
        tick(0);
        rest(canvas);
        tick(1);
        const QImage before = shown();
        tick(2);
        canvas.selection.select({canvas.layers[0]});
        const QImage together = shown();
        canvas.view.redraw();
        QVERIFY(together == shown());
        QVERIFY(together != before);
    }

    void theCriticalPathIsInkAndTheRestStepsBack() {
        Canvas canvas;
        canvas.document.edit("Wire", [&](Design& design) {
            (void)weft::connect(design, {}, {canvas.layers[0], "y"}, {canvas.layers[1], "x"});
            return weft::connect(design, {}, {canvas.layers[1], "y"}, {canvas.layers[2], "x"});
        });
        canvas.view.live().setLens("critical");
        const auto show = [&](const std::vector<std::size_t>& critical) {
            std::map<LayerId, LiveNode> nodes;
            for (const std::size_t one : critical) {
                nodes[canvas.layers[one]].isCritical = true;
            }
            canvas.view.setLive(std::move(nodes));
            return canvas.picture();
        };
        const QColor ink = canvas.look.theme().accent.ink;
        const auto border = [&](const QImage& picture, std::size_t layer) {
            const QRectF box = canvas.view.list().node(canvas.layers[layer])->box;
            const QPointF left = canvas.view.viewport().toLogical(box.center()) -
                                 QPointF(box.width() / 2 * canvas.view.viewport().zoom, 0);
            return picture.pixelColor((left + QPointF(1, 0)).toPoint());
        };
        const auto wire = [&](const QImage& picture, std::size_t layer) {
            const QRectF box = canvas.view.list().node(canvas.layers[layer])->box;
            const QPointF below(box.center().x(), box.bottom() + 12);
            return picture.pixelColor(canvas.view.viewport().toLogical(below).toPoint());
        };
        // Wires are antialiased: their middle is ink but for a shade.
        const auto fromInk = [&](const QColor& one) {
            return std::abs(one.red() - ink.red()) + std::abs(one.green() - ink.green()) +
                   std::abs(one.blue() - ink.blue());
        };
        const QImage first = show({0, 1});
        QCOMPARE(border(first, 0), ink);
        QCOMPARE(border(first, 1), ink);
        QVERIFY(border(first, 2) != ink);
        QVERIFY(fromInk(wire(first, 0)) < 48);
        QVERIFY(fromInk(wire(first, 1)) > 200);
        rest(canvas);
        const QImage second = show({1, 2});
        QVERIFY(border(second, 0) != ink);
        QCOMPARE(border(second, 2), ink);
        QVERIFY(fromInk(wire(second, 1)) < 48);
        QVERIFY(fromInk(wire(second, 0)) > 200);
    }

    void whatIsPastStepsBack() {
        Canvas canvas;
        canvas.show({0.001, 0.002, 0.003, 0.004});
        const QImage before = canvas.picture();
        std::map<LayerId, LiveNode> nodes = canvas.view.live().nodes();
        nodes[canvas.layers[0]].isPast = true;
        canvas.view.setLive(nodes);
        QVERIFY(canvas.picture() != before);
    }

    void heatLeavesTheBrightestToTheSlowest() {
        Canvas canvas;
        canvas.view.live().setLens("time");
        canvas.view.camera().zoomTo(0.25, QPointF(320, 320));
        canvas.show({0.0001, 0.001, 0.002, 0.009});
        const QImage picture = canvas.picture();
        const auto brightness = [&](LayerId layer) {
            const QPointF centre = canvas.view.list().node(layer)->box.center();
            return picture.pixelColor(canvas.view.viewport().toLogical(centre).toPoint())
                .lightness();
        };
        // On dark ground ink is bright.
        QVERIFY(canvas.look.theme().isDark);
        QVERIFY(brightness(canvas.layers[3]) > brightness(canvas.layers[2]));
        QVERIFY(brightness(canvas.layers[2]) > brightness(canvas.layers[0]));
    }
};

std::unique_ptr<QObject> makeTestLivePicture() { return std::make_unique<TestLivePicture>(); }

#include "tst_live_picture.moc"
