// SPDX-License-Identifier: Apache-2.0
// Columns of elements and their dictionary, of a run whose neurons really competed on two devices.
#include "../session/trained_run.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "tensors/tensors_view.h"
#include "theme/look.h"
#include <weft/catalogue.h>
#include <weft/devices.h>

#include <QApplication>
#include <QComboBox>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace weft;
using namespace weft::ui;

class TestSparseView : public QObject {
    Q_OBJECT

    static constexpr std::int64_t elements = 16;
    static constexpr std::int64_t atoms = 32;

    struct Scene {
        Planner planner;
        DesignDocument document{std::make_shared<const std::vector<LayerKindInfo>>(catalogue())};
        Selection selection{document};
        RunHub hub;
        RunPrediction prediction{hub, planner};
        RunControl control{"weft"};
        TensorsView view;

        Scene(Look& look, const QString& run, const Design& design) : view(look, hub, control) {
            document.setDesign(design, false);
            prediction.setMachine(surveyMachine().machine);
            view.placeBy(prediction);
            view.resize(900, 560);
            view.follow(&document, &selection);
            view.show();
            hub.open(run);
            selection.select({findLayer(document.design().network, std::string_view("code"))->id});
            QTRY_VERIFY_WITH_TIMEOUT(sparse().shown() != nullptr, 60'000);
            QTRY_VERIFY_WITH_TIMEOUT(sparse().dictionary().shown() != nullptr, 60'000);
            QTRY_VERIFY_WITH_TIMEOUT(prediction.preview() != nullptr, 60'000);
        }
        SparseView& sparse() { return view.sparse(); }
        ElementColumns& columns() { return sparse().columns(); }
    };

private Q_SLOTS:
    void initTestCase() {
        look_.dress(*qApp);
        design_ = test::dictionaryDesign(3, elements, 2);
        test::trainRun(design_, run().toStdString());
    }

    void aLayerOfNetworksIsShownInColumns() {
        Scene scene(look_, run(), design_);
        QVERIFY(scene.view.isInColumns());
        const SparseShown& shown = *scene.sparse().shown();
        QCOMPARE(shown.elements, elements);
        QCOMPARE(shown.atoms, atoms);
        QCOMPARE(shown.energies.size(), std::size_t(elements));
        QCOMPARE(shown.energies[0].size(), std::size_t{50});
        QVERIFY(shown.energies[3].back() < shown.energies[3].front());
        QVERIFY(shown.steps.empty()); // the rule is fixed
        QVERIFY(std::ranges::all_of(shown.signalToNoise,
                                    [](const auto& value) { return value && *value > 0; }));
        QCOMPARE(scene.sparse().dictionary().shown()->atoms(), atoms);
        // The same values one by one, as of any layer.
        scene.view.setInColumns(false);
        QVERIFY(!scene.view.isInColumns());
        QTRY_VERIFY_WITH_TIMEOUT(!scene.view.picture().image().isNull(), 60'000);
        scene.selection.select(
            {findLayer(scene.document.design().network, std::string_view("picture"))->id});
        QVERIFY(!scene.view.findChild<QComboBox*>()->isVisible());
    }

    void aClickedElementIsFollowed() {
        Scene scene(look_, run(), design_);
        QSignalSpy leafed(&scene.columns(), &ElementColumns::leafed);
        const QRect third = scene.columns().column(3);
        QVERIFY(!third.isEmpty());
        QTest::mouseClick(&scene.columns(), Qt::LeftButton, {}, third.center());
        QCOMPARE(scene.columns().chosen(), 3);
        QVERIFY(!leafed.isEmpty());
        const std::vector<PlotCurve>& curves = scene.sparse().curves().plot().curves();
        QCOMPARE(curves.size(), std::size_t(scene.columns().count()));
        QVERIFY(scene.sparse().curves().plot().isLogY());
        QCOMPARE(curves.back().name, QString("element 3")); // above the others, in ink
        QCOMPARE(curves.back().runColour, -1);
        QCOMPARE(curves.back().series->values().at(49), scene.sparse().shown()->energies[3][49]);
        // The others by their devices: the first half of the batch is the first's.
        QCOMPARE(curves.front().runColour, 0);
        QVERIFY(scene.columns().accessibleName().contains("on device 0"));
        scene.columns().choose(12);
        QVERIFY(scene.columns().accessibleName().contains("on device 1"));
    }

    void elementsBeyondTheWidthAreLeafedThrough() {
        Scene scene(look_, run(), design_);
        scene.view.resize(620, 500);
        ElementColumns& columns = scene.columns();
        QTRY_VERIFY(columns.count() < elements);
        const int wide = columns.count();
        auto* bar = columns.findChild<QScrollBar*>();
        QVERIFY(bar->isVisible());
        QVERIFY(columns.column(static_cast<int>(elements) - 1).isEmpty());
        QWheelEvent wheel({50, 50}, columns.mapToGlobal(QPoint(50, 50)), {}, {0, -120},
                          Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&columns, &wheel);
        QCOMPARE(columns.first(), 1);
        QTest::keyClick(&columns, Qt::Key_End);
        QCOMPARE(columns.chosen(), static_cast<int>(elements) - 1);
        QCOMPARE(columns.first(), static_cast<int>(elements) - wide);
        QVERIFY(!columns.column(static_cast<int>(elements) - 1).isEmpty());
        QTest::keyClick(&columns, Qt::Key_Home);
        QCOMPARE(columns.first(), 0);
        QTest::keyClick(&columns, Qt::Key_Right);
        QCOMPARE(columns.chosen(), 1);
        // The one that is followed keeps its curve when others are in view.
        bar->setValue(bar->maximum());
        QCOMPARE(scene.sparse().curves().plot().curves().back().name, QString("element 1"));
    }

    void whereItIsLowTheCurvesStandBeside() {
        Scene scene(look_, run(), design_);
        const auto isBeside = [&] {
            SparseView& sparse = scene.sparse();
            return sparse.curves().mapTo(&sparse, QPoint()).x() >= sparse.columns().width();
        };
        QVERIFY(!isBeside());
        scene.view.resize(1100, 340);
        QTRY_VERIFY(isBeside());
        QCOMPARE(scene.view.size(), QSize(1100, 340));
        scene.view.resize(1100, 600);
        QTRY_VERIFY(!isBeside());
    }

    void stepsThatElementsTakeThemselvesAreARow() {
        Design design = test::dictionaryDesign(1, 4);
        for (Layer& layer : design.network.layers) {
            if (layer.name == "code") {
                layer.attributes.set("step_rule", std::string("basic"));
            }
        }
        const QString folder = folder_.path() + "/adaptive";
        test::trainRun(design, folder.toStdString());
        Scene scene(look_, folder, design);
        QCOMPARE(scene.sparse().shown()->steps.size(), std::size_t{4});
        QCOMPARE(scene.sparse().shown()->steps[0].size(), std::size_t{50});
        (void)test::savePicture(scene.view, QStringLiteral("sparse-steps"));
    }

    void atomsAreOrderedAndOneIsChosen() {
        Scene scene(look_, run(), design_);
        DictionaryView& dictionary = scene.sparse().dictionary();
        AtomMosaic& mosaic = dictionary.mosaic();
        const auto isFalling = [&](const std::vector<double>& values) {
            return std::ranges::is_sorted(mosaic.order(), [&](auto a, auto b) {
                return values[static_cast<std::size_t>(a)] > values[static_cast<std::size_t>(b)];
            });
        };
        QCOMPARE(mosaic.order().size(), std::size_t(atoms));
        QVERIFY(std::ranges::is_sorted(mosaic.order()));
        const std::vector<double> use = scene.sparse().shown()->use;
        dictionary.setOrder(AtomOrder::use);
        QVERIFY(isFalling(use));
        QVERIFY(use[static_cast<std::size_t>(mosaic.order().front())] > 0);
        dictionary.setOrder(AtomOrder::norm);
        QVERIFY(isFalling(dictionary.shown()->norms));
        dictionary.setOrder(AtomOrder::similarity);
        QTest::mouseClick(&mosaic, Qt::LeftButton, {}, mosaic.place(7).center());
        QCOMPARE(mosaic.chosen(), std::int64_t{7});
        QCOMPARE(mosaic.order().front(), std::int64_t{7});
        QVERIFY(isFalling(atomSimilarity(dictionary.shown()->weight, 7)));
        QTest::keyClick(&mosaic, Qt::Key_Right);
        QVERIFY(mosaic.chosen() != 7);
    }

    void aStepIsShownOnceItIsWhole() {
        SparseView view(look_, [](std::int64_t) { return std::vector<int>(); });
        QSignalSpy drawn(&view, &SparseView::drawn);
        std::vector<WatchedValue> values;
        for (const char* part : {"code", "reconstruction", "residual"}) {
            const auto name = QString("000001.code.%1.npy").arg(part);
            values.push_back({.layer = "code",
                              .part = part,
                              .step = 1,
                              .file = (run() + "/tensors/" + name).toStdString()});
        }
        std::vector<WatchedValue> half = {values[0], values[1]};
        view.show("code", half);
        QVERIFY(!drawn.wait(200));
        QVERIFY(view.shown() == nullptr);
        half.push_back(values[2]);
        half.back().file = "/nowhere/at-all.npy";
        view.show("code", half);
        QVERIFY(drawn.wait(10'000));
        QVERIFY2(drawn.back()[0].toString().contains("cannot read"),
                 qPrintable(drawn.back()[0].toString()));
        QVERIFY(view.shown() == nullptr);
    }

    void anotherRunLeavesNothingOfTheOneBefore() {
        Scene scene(look_, run(), design_);
        SparseView& sparse = scene.sparse();
        sparse.show("another", {});
        QVERIFY(sparse.shown() == nullptr);
        QVERIFY(sparse.dictionary().shown() == nullptr);
        QCOMPARE(sparse.columns().count(), 0);
        QVERIFY(sparse.curves().plot().curves().empty());
        scene.hub.close();
        QTRY_VERIFY(scene.view.values().empty());
    }

    void picturesOfBothThemes() {
        Scene scene(look_, run(), design_);
        scene.columns().choose(3);
        scene.sparse().dictionary().setOrder(AtomOrder::use);
        test::saveBothThemes(look_, scene.view, QStringLiteral("sparse"));
    }

private:
    [[nodiscard]] QString run() const { return folder_.path() + "/run"; }

    QTemporaryDir folder_;
    Design design_;
    Look look_;
};

std::unique_ptr<QObject> makeTestSparseView() { return std::make_unique<TestSparseView>(); }
#include "tst_sparse_view.moc"
