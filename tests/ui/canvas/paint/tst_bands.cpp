// SPDX-License-Identifier: Apache-2.0
// How sure a prediction is, as a node tells it: a whisker on the predicted bar, a tip behind a
// measured bar that ends outside, and the words of the card.
#include "canvas/paint/node_parts.h"
#include "canvas/view/card_text.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/quantity.h"
#include "ui/canvas/canvas_fixture.h"

#include <QLabel>

using namespace weft;
using namespace weft::test;
using namespace weft::ui;

class TestBands : public QObject {
    Q_OBJECT

    static MachineSheet machineWith(TimeDeviation spread) {
        DeviceSheet sheet{.name = "cpu:0", .backend = "cpu", .model = "a model", .cores = 4};
        sheet.streamSpread = sheet.overheadSpread = spread;
        sheet.opSpread = {{"linear", spread}};
        MachineSheet machine{.host = "a machine", .devices = {sheet}};
        machine.withinProcess.latencySpread = machine.withinProcess.bytesSpread = spread;
        return machine;
    }

    struct Scene {
        CanvasFixture fixture;
        explicit Scene(TimeDeviation spread = {0.7, 1.6}) {
            QVERIFY(fixture.openSample());
            fixture.check.setMachine(machineWith(spread));
            QTRY_VERIFY(conv().predictedHigh > conv().predicted);
            fixture.view.camera().zoomTo(1, conv().box.center());
        }
        [[nodiscard]] const NodeView& conv() const { return fixture.node("conv2"); }
        [[nodiscard]] QRect box() const { return fixture.view.viewport().toDevice(conv().box); }
        /// Returns the box of the measured bar and the drawn picture.
        QRect measure(double seconds) {
            fixture.view.setLive({{conv().id, {.measured = seconds}}});
            const double longest =
                std::max(fixture.view.list().longest, fixture.view.state().longest);
            return timeBarBox(box(), seconds / longest, true, fixture.view.viewport());
        }
        QColor at(const QImage& picture, QPoint place) { return picture.pixelColor(place); }
    };

private Q_SLOTS:
    void aNodeHasTheBandOfItsLayer() {
        Scene scene;
        const auto checked = scene.fixture.check.answer();
        const auto& layers = checked->preview->layers;
        const auto known = std::ranges::find(layers, "conv2", &LayerPreview::name);
        QCOMPARE(scene.conv().predictedLow,
                 static_cast<double>(known->step->computeBand.low.count) / 1e9);
        QVERIFY(scene.conv().predictedLow < scene.conv().predicted);
        QVERIFY(scene.conv().predicted < scene.conv().predictedHigh);
        double most = 0;
        for (const NodeView& node : scene.fixture.view.list().nodes) {
            most = std::max(most, node.predictedHigh);
        }
        QCOMPARE(scene.fixture.view.list().longest, most); // no whisker leaves its node
    }

    void whiskersReachFromEndToEnd() {
        Scene scene;
        const Viewport& viewport = scene.fixture.view.viewport();
        const double longest = scene.fixture.view.list().longest;
        const NodeView& node = scene.conv();
        const auto whisker = whiskerOf(scene.box(), node.predictedLow / longest,
                                       node.predictedHigh / longest, viewport);
        QVERIFY(whisker.has_value());
        const QRect bar = timeBarBox(scene.box(), node.predicted / longest, false, viewport);
        QVERIFY(whisker->low.left() < bar.right() && bar.right() < whisker->high.left());
        QCOMPARE(whisker->line.left(), whisker->low.left());
        QCOMPARE(whisker->line.right(), whisker->high.right());
        QVERIFY(!whiskerOf(scene.box(), 0.5, 0.5, viewport).has_value());
        const QImage picture = scene.fixture.view.grab().toImage();
        const QColor ink = scene.fixture.look.theme().text.secondary;
        QCOMPARE(scene.at(picture, whisker->high.center()), ink);
        QCOMPARE(scene.at(picture, whisker->low.center()), ink);
    }

    void ratesOfUnknownSpreadMakeNoWhisker() {
        CanvasFixture fixture;
        QVERIFY(fixture.openSample());
        const NodeView& node = fixture.node("conv2");
        QVERIFY(node.predicted > 0);
        QVERIFY(!node.isOutside(node.predicted * 100));
        QVERIFY(!whiskerOf(QRect(0, 0, 240, 88), node.predictedLow, node.predictedHigh,
                           fixture.view.viewport())
                     .has_value());
    }

    void whatWasMeasuredOutsideIsMarked() {
        Scene scene;
        const NodeView node = scene.conv();
        const QColor ink = scene.fixture.look.theme().text.primary;
        const auto isMarked = [&](double seconds, bool isBeyond) {
            const QRect bar = scene.measure(seconds);
            const QImage picture = scene.fixture.view.grab().toImage();
            const std::vector<QRect> tip =
                outOfRangeArrow(bar, isBeyond, scene.fixture.view.viewport());
            return std::ranges::all_of(tip, [&](const QRect& column) {
                return scene.at(picture, column.center()) == ink;
            });
        };
        QVERIFY(!isMarked(node.predicted, true));
        QVERIFY(!isMarked((node.predicted + node.predictedHigh) / 2, true));
        QVERIFY(isMarked(node.predictedHigh * 1.2, true));
        QVERIFY(isMarked(node.predictedLow / 2, false));
        scene.fixture.look.choose(Look::Choice::dark);
        scene.measure(node.predictedHigh * 1.2);
        (void)savePicture(scene.fixture.view, QStringLiteral("bands-dark"));
        scene.fixture.look.choose(Look::Choice::light);
        (void)savePicture(scene.fixture.view, QStringLiteral("bands-light"));
    }

    /// "+4,259 %" ran over the bar.
    void whatTookManyTimesAsLongIsSaidShortly() {
        Scene scene;
        const QRect bar = scene.measure(scene.conv().predicted * 43.59);
        const QImage picture = scene.fixture.view.grab().toImage();
        const QRect box = scene.box();
        const QColor ground = scene.fixture.look.theme().surface.node;
        // Between what is predicted and the end of the bar, above it.
        constexpr int behindPredicted = 60;
        for (int x = box.left() + behindPredicted; x <= bar.right(); ++x) {
            for (int y = bar.top() - 5; y < bar.top() - 2; ++y) {
                QCOMPARE(scene.at(picture, {x, y}), ground);
            }
        }
        scene.fixture.look.choose(Look::Choice::light);
        (void)savePicture(scene.fixture.view, QStringLiteral("bands-many-times"));
    }

    void theCardOfAWireSaysTheBandOfWhatItMoves() {
        Scene scene;
        scene.fixture.document.edit("Stack", [&](Design& design) {
            return assign(design, {}, {scene.fixture.named("fc1")},
                          Assignment{{}, {}, {AxisWord::modelStack}});
        });
        QVERIFY(scene.fixture.waitForCheck());
        CanvasView& view = scene.fixture.view;
        QTRY_VERIFY(!view.list().badges.empty());
        const BadgeView badge = view.list().badges.front();
        view.camera().zoomTo(1, {});
        view.camera().centreOn(badge.at);
        const QPoint at = scene.fixture.at(badge.at);
        QTest::mouseMove(&view, at - QPoint(40, 0));
        QTest::mouseMove(&view, at);
        auto* card = view.findChild<HoverCard*>();
        QTRY_VERIFY(card->isVisible());
        // Beside it, however narrow or low the view.
        const auto hides = [&] {
            const QRectF box = boxOfBadge(badge.at);
            return card->geometry().intersects(QRectF(view.viewport().toLogical(box.topLeft()),
                                                      view.viewport().toLogical(box.bottomRight()))
                                                   .toRect());
        };
        QVERIFY(!hides());
        const auto checked = scene.fixture.check.answer();
        const auto moved =
            std::ranges::find(checked->preview->collectives, badge.name, &CollectivePreview::name);
        const CollectiveStep step = moved->step.value();
        QVERIFY(step.band.low < step.time && step.time < step.band.high);
        const QString band = quantity::timeBand(static_cast<double>(step.band.low.count) / 1e9,
                                                static_cast<double>(step.band.high.count) / 1e9);
        const auto labels = card->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(
            labels, [&](const QLabel* label) { return label->text().contains(band); }));
        (void)savePicture(view, QStringLiteral("bands-wire"));
        for (const QSize narrow : {QSize(420, 640), QSize(300, 640), QSize(1000, 200)}) {
            card->hide();
            view.resize(narrow);
            view.camera().centreOn(badge.at);
            const QPoint there = scene.fixture.at(badge.at);
            QTest::mouseMove(&view, there - QPoint(40, 0));
            QTest::mouseMove(&view, there);
            QTRY_VERIFY(card->isVisible());
            QVERIFY(!hides());
            QVERIFY(view.rect().contains(card->geometry().topLeft()));
        }
    }

    void aSyncIsPointedAtAndClickedLikeALayerAndIsNone() {
        test::CanvasFixture fixture;
        QVERIFY(fixture.openDictionary(2));
        QVERIFY(fixture.set("training.sync_every", "3"));
        const SyncView& sync = fixture.view.list().syncs.front();
        const QPoint at = fixture.at(sync.badge.at);
        QTest::mouseMove(&fixture.view, at);
        auto* card = fixture.view.findChild<HoverCard*>();
        QTRY_VERIFY(card->isVisible());
        QStringList said;
        for (const QLabel* label : card->findChildren<QLabel*>()) {
            said << label->text();
        }
        for (const char* words :
             {"How code learns", "code.weight sync", "1 sum dW",
              "each device over its own elements", "2 all-reduce", "3 divide",
              "by the count that the layer keeps", "4 apply", "5 renormalise", "unit_length"}) {
            QVERIFY2(said.contains(QString(words)), words);
        }
        const QString what = said.join('|');
        QVERIFY2(what.contains(QString::fromUtf8("16.6\u202fkB per device · ≈")), qPrintable(what));
        QVERIFY(what.contains(QString::fromUtf8("hebb · once in 3 updates")));
        const auto before = fixture.document.revision();
        for (const bool isRun : {false, true}) {
            fixture.view.setRun(isRun);
            fixture.selection.clear();
            const QPoint there = fixture.at(fixture.view.list().syncs.front().badge.at);
            QTest::mouseClick(&fixture.view, Qt::LeftButton, {}, there);
            QVERIFY(fixture.selection.has(fixture.named("code")));
        }
        QCOMPARE(fixture.document.revision(), before);
    }

    void theCardSaysTheBandAndWhetherItHeld() {
        Scene scene;
        const NodeView node = scene.conv();
        const Layer& layer = *findLayer(scene.fixture.network(), node.id);
        const auto checked = scene.fixture.check.answer();
        const CheckedLayers known(scene.fixture.document.design(), {}, checked->preview.get());
        const auto rowOf = [&](const CardText& card, const QString& title) {
            const auto row =
                std::ranges::find(card.rows, title, &std::pair<QString, QString>::first);
            return row == card.rows.end() ? QString() : row->second;
        };
        LayerTime time{.layer = "conv2",
                       .forward = {static_cast<std::int64_t>(node.predicted * 1e9)}};
        CardText card = hoverCardText(node, layer, known, scene.fixture.network(), time);
        const QString band = quantity::timeBand(node.predictedLow, node.predictedHigh);
        QVERIFY2(rowOf(card, "Computing").contains(band), qPrintable(rowOf(card, "Computing")));
        QVERIFY(!rowOf(card, "Computing, measured").contains("outside"));
        time.forward = {static_cast<std::int64_t>(node.predictedHigh * 2e9)};
        card = hoverCardText(node, layer, known, scene.fixture.network(), time);
        QVERIFY(rowOf(card, "Computing, measured").contains("outside"));
    }
};

std::unique_ptr<QObject> makeTestBands() { return std::make_unique<TestBands>(); }

#include "tst_bands.moc"
