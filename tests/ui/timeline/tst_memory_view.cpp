// SPDX-License-Identifier: Apache-2.0
// The map of memory of a sample on two devices, under real mouse, wheel and key events.
#include "runs/layer_place.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/look.h"
#include "timeline/memory_rows.h"
#include "timeline/memory_view.h"
#include <weft/design_file.h>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

using namespace weft;
using namespace weft::ui;

class TestMemoryView : public QObject {
    Q_OBJECT

    struct Scene {
        WindowContext context;
        OpenDesign& design;
        MemoryView view{context};

        explicit Scene(Look& look, std::int64_t batch = 64, const char* sheet = "")
            : context(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
              design(context.designs.add(
                  std::make_unique<OpenDesign>(context.kinds, context.previewQueue))) {
            Design sample =
                loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft",
                           catalogue())
                    .design;
            const std::string kind = *sheet == 0 ? "cpu:" : "cuda:";
            sample.devices = {{.name = kind + "0", .sheet = sheet},
                              {.name = kind + "1", .sheet = sheet}};
            sample.assignment.words = {AxisWord::data};
            sample.data.batch = batch;
            sample.data.lastBatch = "wrap"; // a batch may be larger than the data
            design.document().setDesign(std::move(sample), false);
            context.designs.setCurrent(&design);
            view.resize(1000, 360);
            view.show();
            QTRY_COMPARE_WITH_TIMEOUT(view.devices().count(), 2, 120'000);
        }
        MemoryPlot& plot() { return view.plot(); }
        const MemoryMap& map() { return plot().picture().map; }
        const Design& shown() { return design.document().design(); }
        /// In the middle of the largest block of a kind.
        QPoint largest(BlockKind kind, std::string& layer) {
            const MemoryBlock* most = nullptr;
            for (const MemoryBlock& block : map().blocks) {
                const bool isMore = most == nullptr || block.bytes > most->bytes;
                most = block.kind == kind && !block.layer.empty() && isMore ? &block : most;
            }
            layer = most->layer;
            const QRectF seen = blockBox(plot().picture(), plot().size(), *most) &
                                QRectF(memoryAxisWidth, 0, plot().width(), plot().height());
            return seen.center().toPoint();
        }
        void wheel(QPoint at, int clicks) {
            QWheelEvent event(at, plot().mapToGlobal(at), {}, {0, 120 * clicks}, Qt::NoButton, {},
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(&plot(), &event);
        }
    };

    /// The steps at both ends of what is seen.
    static std::pair<std::string, std::string> endsOf(const MemoryPicture& picture) {
        const auto nameAt = [&](double pixel) {
            const std::int64_t moment = picture.view.toTime(pixel);
            const auto later = std::ranges::upper_bound(picture.begins, moment);
            const auto at = later - picture.begins.begin() - 1;
            return picture.map.steps[static_cast<std::size_t>(at)].name;
        };
        return {nameAt(1), nameAt(picture.view.width - 1)};
    }

    /// So many blocks of a made-up device.
    static MemoryMap manyBlocks(std::uint32_t count) {
        MemoryMap map;
        constexpr std::uint32_t rows = 50;
        const std::uint32_t steps = count / rows;
        for (std::uint32_t k = 0; k < steps; ++k) {
            map.steps.push_back({"op", {1000 * std::int64_t{k}}, {1000 * (std::int64_t{k} + 1)}});
            for (std::uint32_t row = 0; row < rows; ++row) {
                map.blocks.push_back({.offset = 100 * std::int64_t{row},
                                      .bytes = {100},
                                      .first = k,
                                      .last = k,
                                      .kind = static_cast<BlockKind>(row % blockKinds),
                                      .layer = "layer"});
            }
        }
        map.size = map.peak = {100 * rows};
        return map;
    }

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }

    void eachDeviceHasItsMap() {
        Scene scene(look_);
        QCOMPARE(scene.view.devices().itemText(1), QStringLiteral("cpu:1"));
        QVERIFY(!scene.map().blocks.empty());
        QCOMPARE(scene.plot().picture().slot, 0);
        scene.view.showDevice(QStringLiteral("cpu:1"));
        QCOMPARE(scene.plot().picture().slot, 1);
        QVERIFY(scene.view.warning().isEmpty());
        const std::int64_t most = *std::ranges::max_element(scene.plot().picture().inUse);
        QCOMPARE(most, scene.map().peak.count);
        QCOMPARE(scene.plot().picture().inUse[scene.map().peakStep], most);
    }

    void anotherDesignIsEstimatedAnew() {
        Scene scene(look_);
        const Bytes before = scene.map().size;
        scene.design.document().edit("batch", [](Design& design) {
            design.data.batch *= 2;
            return Edited{};
        });
        QTRY_VERIFY_WITH_TIMEOUT(scene.map().size > before, 120'000);
    }

    void aClickOnABlockSelectsItsLayerAndRingsAllItHolds() {
        Scene scene(look_);
        std::string layer;
        const QPoint at = scene.largest(BlockKind::activations, layer);
        QTest::mouseClick(&scene.plot(), Qt::LeftButton, {}, at);
        const Selection& selection = scene.design.selection();
        QCOMPARE(selection.layers().size(), std::size_t{1});
        QCOMPARE(findLayer(scene.shown().network, *selection.layers().begin())->name, layer);
        QTRY_VERIFY(!scene.plot().picture().chosen.empty());
        for (std::uint32_t k = 0; k < scene.map().blocks.size(); ++k) {
            QCOMPARE(scene.plot().picture().chosen.contains(k),
                     scene.map().blocks[k].layer == layer);
        }
        QTest::mouseClick(&scene.plot(), Qt::LeftButton, {}, {memoryAxisWidth + 4, 3});
        QVERIFY(selection.isEmpty());
        QTRY_VERIFY(scene.plot().picture().chosen.empty());
    }

    void theTipSaysWhoseABlockIsAndHowLongItLives() {
        Scene scene(look_);
        std::string layer;
        const QPoint at = scene.largest(BlockKind::weights, layer);
        QTest::mouseMove(&scene.plot(), at);
        QHelpEvent help(QEvent::ToolTip, at, scene.plot().mapToGlobal(at));
        QApplication::sendEvent(&scene.plot(), &help);
        const QString tip = QToolTip::text();
        QVERIFY2(tip.startsWith(QString::fromStdString(layer)), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("weights")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("whole step")), qPrintable(tip));
        QToolTip::hideText();
    }

    void wheelAndKeysZoomMoveAndFit() {
        Scene scene(look_);
        const TimeView whole = scene.plot().picture().view;
        const std::int64_t under = whole.toTime(400);
        scene.wheel({memoryAxisWidth + 400, 100}, 4);
        const TimeView view = scene.plot().picture().view;
        QVERIFY(view.perPixel < whole.perPixel);
        QVERIFY(std::abs(view.toTime(400) - under) <= static_cast<std::int64_t>(whole.perPixel));
        QTest::keyClick(&scene.plot(), Qt::Key_D);
        QVERIFY(scene.plot().picture().view.begin > view.begin);
        for (int k = 0; k < 100; ++k) {
            QTest::keyClick(&scene.plot(), Qt::Key_D);
        }
        QVERIFY(scene.plot().picture().view.end() <= scene.plot().picture().begins.back() + 1);
        // A selection leaves the view alone.
        const TimeView chosen = scene.plot().picture().view;
        scene.design.selection().select({scene.shown().network.layers[1].id});
        QTRY_VERIFY(!scene.plot().picture().chosen.empty());
        QCOMPARE(scene.plot().picture().view, chosen);
        QTest::keyClick(&scene.plot(), Qt::Key_F);
        QCOMPARE(scene.plot().picture().view, whole);
    }

    void aNewEstimateLeavesTheStepsThatAreSeen() {
        Scene scene(look_);
        const QPoint middle(memoryAxisWidth + scene.plot().picture().view.width / 2, 100);
        scene.wheel(middle, 6);
        const auto seen = endsOf(scene.plot().picture());
        const MemoryMap before = scene.map();
        scene.design.document().edit("batch", [](Design& design) {
            design.data.batch *= 4;
            return Edited{};
        });
        QTRY_VERIFY_WITH_TIMEOUT(!(scene.map() == before), 120'000);
        QCOMPARE(endsOf(scene.plot().picture()), seen);
        QVERIFY(scene.plot().picture().view.begin > 0);
        // One that was drawn as it is shows the same steps at another length.
        auto* even = scene.view.findChild<QAbstractButton*>(QStringLiteral("evenSteps"));
        QTest::mouseClick(even, Qt::LeftButton);
        QCOMPARE(endsOf(scene.plot().picture()), seen);
        QTest::mouseClick(even, Qt::LeftButton);
        QCOMPARE(endsOf(scene.plot().picture()), seen);
    }

    void whatIsShownWholeStaysWhole() {
        Scene scene(look_);
        const MemoryMap before = scene.map();
        scene.design.document().edit("batch", [](Design& design) {
            design.data.batch *= 4;
            return Edited{};
        });
        QTRY_VERIFY_WITH_TIMEOUT(!(scene.map() == before), 120'000);
        QCOMPARE(scene.plot().picture().view.begin, std::int64_t{0});
        QVERIFY(scene.plot().picture().view.end() >= scene.plot().picture().begins.back() - 1);
    }

    void evenStepsAreAllOfOneWidth() {
        Scene scene(look_);
        auto* even = scene.view.findChild<QAbstractButton*>(QStringLiteral("evenSteps"));
        QVERIFY(even != nullptr);
        QTest::mouseClick(even, Qt::LeftButton);
        const std::vector<std::int64_t>& begins = scene.plot().picture().begins;
        QCOMPARE(begins.size(), scene.map().steps.size() + 1);
        for (std::size_t k = 0; k + 1 < begins.size(); ++k) {
            QCOMPARE(begins[k + 1] - begins[k], begins[1] - begins[0]);
        }
    }

    void whatOverflowsIsNamed() {
        // A device with 16 GB, and a batch beyond that.
        Scene scene(look_, 2'000'000, "t4");
        QVERIFY(scene.map().size > scene.map().available);
        QVERIFY2(scene.view.warning().contains(QStringLiteral("first at")),
                 qPrintable(scene.view.warning()));
        const MemoryBlock* first = scene.map().overflow();
        QVERIFY(first != nullptr);
        QVERIFY(scene.view.warning().contains(QString::fromStdString(first->layer)));
        test::saveBothThemes(look_, scene.view, QStringLiteral("memory-overflow"));
    }

    void aBrokenDesignHasNoMap() {
        Scene scene(look_);
        scene.design.document().edit("remove", [](Design& design) {
            return removeLayers(design, {}, {findLayer(design.network, "flat")->id});
        });
        QTRY_VERIFY(!scene.plot().isVisible());
        scene.design.document().history().undo();
        QTRY_VERIFY_WITH_TIMEOUT(scene.plot().isVisible(), 120'000);
    }

    void tenThousandBlocksAreDrawnAndFound() {
        MemoryPlot plot(look_);
        plot.resize(1200, 500);
        plot.show(manyBlocks(10'000), 2);
        QElapsedTimer clock;
        clock.start();
        const QImage picture = plot.grab().toImage();
        qInfo("10 000 blocks: %lld ms", static_cast<long long>(clock.elapsed()));
        QVERIFY(!picture.isNull());
        const MemoryPicture& shown = plot.picture();
        QCOMPARE(shown.map.blocks.size(), std::size_t{10'000});
        for (const std::uint32_t number : {0U, 777U, 9'999U}) {
            const QRectF place = blockBox(shown, plot.size(), shown.map.blocks[number]);
            QCOMPARE(blockAt(shown, plot.size(), place.center()), std::optional(number));
            const QColor seen =
                picture.pixelColor((place.center() * picture.devicePixelRatio()).toPoint());
            QCOMPARE(seen, blockColour(shown.map.blocks[number].kind, 2, look_.theme()));
        }
    }

    void theTipOfTheBarsExplainsTheFillAndThePrediction() {
        MemoryRows rows(look_);
        rows.show({{.name = "cpu:0", .allocated = 1e6}});
        const QString fill = rows.toolTip();
        QVERIFY(fill.contains("allocated"));
        rows.show(
            {{.name = "cpu:0", .allocated = 1e6, .predicted = 2e6, .words = "Weights: 2 MB"}});
        QCOMPARE(rows.toolTip(), fill + "\n\ncpu:0\nWeights: 2 MB");
    }

    void picturesOfBothThemes() {
        Scene scene(look_);
        std::string layer;
        (void)scene.largest(BlockKind::activations, layer);
        scene.design.selection().select({findLayer(scene.shown().network, layer)->id});
        QTRY_VERIFY(!scene.plot().picture().chosen.empty());
        test::saveBothThemes(look_, scene.view, QStringLiteral("memory"));
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestMemoryView() { return std::make_unique<TestMemoryView>(); }

#include "tst_memory_view.moc"
