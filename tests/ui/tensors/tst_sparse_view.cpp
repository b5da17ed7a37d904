// SPDX-License-Identifier: Apache-2.0
// Columns of elements and their dictionary, of a run whose neurons really competed on two devices.
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "tensors/tensor_picture.h"
#include "tensors/tensors_view.h"
#include "theme/look.h"
#include "ui/runs/trained_run.h"
#include <weft/catalogue.h>
#include <weft/devices.h>
#include <weft/error.h>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <set>

using namespace weft;
using namespace weft::ui;

class TestSparseView : public QObject {
    Q_OBJECT

    static constexpr std::int64_t elements = 16;
    static constexpr std::int64_t atoms = 64;

    struct Scene {
        PreviewQueue previewQueue;
        DesignDocument document{std::make_shared<const std::vector<LayerKindInfo>>(catalogue())};
        Selection selection{document};
        RunHub hub;
        RunPrediction prediction{hub, previewQueue};
        RunControl control{"weft"};
        TensorsView view;

        Scene(Look& look, const QString& run, const Design& design) : view(look, hub, control) {
            document.setDesign(design, false);
            view.setPrediction(prediction);
            view.resize(900, 560);
            view.follow(&document, &selection);
            view.show();
            hub.open(run);
            selection.select({findLayer(document.design().network, std::string_view("code"))->id});
            QTRY_VERIFY_WITH_TIMEOUT(sparse().shown() != nullptr, 60'000);
            QTRY_VERIFY_WITH_TIMEOUT(sparse().dictionary().shown() != nullptr, 60'000);
            QTRY_VERIFY_WITH_TIMEOUT(prediction.preview() != nullptr, 60'000);
        }
        /// Any value alone, as of any layer.
        void showOneByOne() {
            for (QComboBox* box : view.findChildren<QComboBox*>()) {
                if (box->accessibleName() == "How values are shown") {
                    box->setCurrentIndex(1);
                }
            }
        }
        SparseView& sparse() { return view.sparse(); }
        ElementColumns& columns() { return sparse().columns(); }
    };

    static void order(DictionaryView& dictionary, AtomOrder by) {
        auto* box = dictionary.findChild<QComboBox*>();
        box->setCurrentIndex(box->findData(static_cast<int>(by)));
    }

private Q_SLOTS:
    void initTestCase() {
        look_.applyLook(*qApp);
        design_ = test::dictionaryDesign(3, elements, 2);
        test::trainRun(design_, run().toStdString());
    }

    void aLayerOfNetworksIsShownInColumns() {
        Scene scene(look_, run(), design_);
        QVERIFY(scene.view.isInColumns());
        const SparseDisplay& shown = *scene.sparse().shown();
        QCOMPARE(shown.elements, elements);
        QCOMPARE(shown.atoms, atoms);
        QCOMPARE(shown.energies.size(), std::size_t(elements));
        QCOMPARE(shown.energies[0].size(), std::size_t{50});
        QVERIFY(shown.energies[3].back() < shown.energies[3].front());
        QVERIFY(shown.steps.empty()); // the rule is fixed
        // Non-zero codes over all elements.
        const ActiveValues& active = scene.sparse().activeValues();
        QVERIFY(active.isVisible());
        QCOMPARE(shown.codes, elements * atoms * 8 * 8);
        QVERIFY(shown.activeCodes > 0 && shown.activeCodes < shown.codes);
        const std::vector<std::int64_t>& counts = active.plot().histogram().counts;
        QCOMPARE(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), shown.activeCodes);
        QVERIFY(std::ranges::all_of(shown.signalToNoise,
                                    [](const auto& value) { return value && *value > 0; }));
        QCOMPARE(scene.sparse().dictionary().shown()->atoms(), atoms);
        const DictionaryView& dictionary = scene.sparse().dictionary();
        QTRY_VERIFY_WITH_TIMEOUT(dictionary.figures() != nullptr, 60'000);
        QCOMPARE(dictionary.figures()->held, atoms);
        QTRY_VERIFY(std::ranges::any_of(dictionary.findChildren<QLabel*>(), [](const QLabel* one) {
            return one->text().startsWith("Of 64 atoms ");
        }));
        // The same values one by one, as of any layer.
        scene.showOneByOne();
        QVERIFY(!scene.view.isInColumns());
        QTRY_VERIFY_WITH_TIMEOUT(!scene.view.picture().image().isNull(), 60'000);
        scene.selection.select(
            {findLayer(scene.document.design().network, std::string_view("picture"))->id});
        QVERIFY(!scene.view.findChild<QComboBox*>()->isVisible());
    }

    void aClickedElementIsFollowed() {
        Scene scene(look_, run(), design_);
        QSignalSpy elementsChanged(&scene.columns(), &ElementColumns::elementsChanged);
        const QRect third = scene.columns().column(3);
        QVERIFY(!third.isEmpty());
        QTest::mouseClick(&scene.columns(), Qt::LeftButton, {}, third.center());
        QCOMPARE(scene.columns().chosen(), 3);
        QVERIFY(!elementsChanged.isEmpty());
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

    void aSecondElementIsDashedBesideIt() {
        Scene scene(look_, run(), design_);
        ElementColumns& columns = scene.columns();
        const auto& curves = scene.sparse().curves().plot().curves();
        const auto click = [&](int element, Qt::KeyboardModifiers with = Qt::ControlModifier) {
            QTest::mouseClick(&columns, Qt::LeftButton, with, columns.column(element).center());
        };
        click(1, Qt::NoModifier);
        const std::size_t count = curves.size();
        click(3);
        QCOMPARE(columns.chosen(), 1);
        QCOMPARE(columns.second(), 3);
        QCOMPARE(curves.size(), count);
        QVERIFY(curves.back().name == "element 1" && !curves.back().isDashed);
        const PlotCurve& dashed = curves[curves.size() - 2];
        QVERIFY(dashed.name == "element 3" && dashed.isDashed && dashed.runColour == -1);
        QCOMPARE(std::ranges::count_if(curves, &PlotCurve::isDashed), 1);
        // Circles are for values of evaluations.
        const auto& drawn = scene.sparse().curves().plot().picture().curves;
        QVERIFY(drawn[drawn.size() - 2].isDashed && !drawn[drawn.size() - 2].hasRings);
        QVERIFY(columns.accessibleName().contains("element 3"));
        (void)test::savePicture(scene.view, QStringLiteral("sparse-second"));
        // The same again takes it back; so does following it.
        click(3);
        QCOMPARE(columns.second(), -1);
        QCOMPARE(std::ranges::count_if(curves, &PlotCurve::isDashed), 0);
        click(1);
        QCOMPARE(columns.second(), -1);
        QTest::keyClick(&columns, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(columns.second(), 2);
        click(2, Qt::NoModifier);
        QCOMPARE(columns.chosen(), 2);
        QCOMPARE(columns.second(), -1);
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
        const std::vector<double> use = scene.sparse().shown()->atomNumbers.front().use;
        order(dictionary, AtomOrder::use);
        QVERIFY(isFalling(use));
        QVERIFY(use[static_cast<std::size_t>(mosaic.order().front())] > 0);
        const std::vector<double> gains = scene.sparse().shown()->atomNumbers.front().gains;
        QCOMPARE(gains.size(), std::size_t(atoms));
        order(dictionary, AtomOrder::gain);
        QVERIFY(isFalling(gains));
        QVERIFY(gains[static_cast<std::size_t>(mosaic.order().front())] > 0);
        order(dictionary, AtomOrder::norm);
        QVERIFY(isFalling(dictionary.shown()->norms));
        order(dictionary, AtomOrder::similarity);
        QTest::mouseClick(&mosaic, Qt::LeftButton, {}, mosaic.atomRect(7).center());
        QCOMPARE(mosaic.chosen(), std::int64_t{7});
        QCOMPARE(mosaic.order().front(), std::int64_t{7});
        QVERIFY(isFalling(atomSimilarity(dictionary.shown()->weight, 7)));
        QTest::keyClick(&mosaic, Qt::Key_Right);
        QVERIFY(mosaic.chosen() != 7);
    }

    void aClickedAtomsCodeIsShownUntilItIsLeft() {
        Scene scene(look_, run(), design_);
        DictionaryView& dictionary = scene.sparse().dictionary();
        AtomMosaic& mosaic = dictionary.mosaic();
        ElementColumns& columns = scene.columns();
        const auto says = [&](const QString& text) {
            return std::ranges::any_of(dictionary.findChildren<QLabel*>(), [&](const QLabel* one) {
                return one->text().contains(text);
            });
        };
        QCOMPARE(columns.atom(), std::int64_t{-1});
        const QImage all = columns.grab().toImage();
        order(dictionary, AtomOrder::use);
        const std::int64_t most = mosaic.order().front();
        const auto click = [&](std::int64_t atom) {
            QTest::mouseClick(&mosaic, Qt::LeftButton, {}, mosaic.atomRect(atom).center());
        };
        click(most);
        QCOMPARE(columns.atom(), most);
        const QImage ofOne = columns.grab().toImage();
        QVERIFY(ofOne != all);
        QVERIFY(columns.accessibleName().contains(QString("atom %1 active at").arg(most)));
        QVERIFY(says(QString("Atom %1 of 64, followed").arg(most)) && says("active at") &&
                says("gain") && says("norm"));
        test::saveBothThemes(look_, scene.view, QStringLiteral("sparse-atom"));
        // It stays while elements are leafed through; the same again, or Escape, leaves it.
        columns.choose(2);
        QCOMPARE(columns.atom(), most);
        columns.choose(0);
        click(most);
        QCOMPARE(columns.atom(), std::int64_t{-1});
        QCOMPARE(mosaic.chosen(), most); // its figures stay
        QCOMPARE(columns.grab().toImage(), all);
        for (QWidget* where : {static_cast<QWidget*>(&mosaic), static_cast<QWidget*>(&columns)}) {
            click(most);
            QTest::keyClick(&mosaic, Qt::Key_Right);
            QCOMPARE(columns.atom(), mosaic.order()[1]);
            QTest::keyClick(where, Qt::Key_Escape);
            QCOMPARE(columns.atom(), std::int64_t{-1});
        }
        click(most);
        scene.sparse().show("another", {});
        QCOMPARE(columns.atom(), std::int64_t{-1});
    }

    void eachElementsOwnAtomsAreOrdered() {
        Design design = test::dictionaryDesign(2, 4);
        for (Layer& layer : design.network.layers) {
            if (layer.name == "code") {
                layer.attributes.set("per_element", true);
                layer.attributes.set("peak", 2.0);
            }
        }
        const QString folder = folder_.path() + "/own";
        test::trainRun(design, folder.toStdString());
        Scene scene(look_, folder, design);
        DictionaryView& dictionary = scene.sparse().dictionary();
        const SparseDisplay& shown = *scene.sparse().shown();
        QCOMPARE(shown.atomNumbers.size(), std::size_t{4});
        order(dictionary, AtomOrder::gain);
        std::set<std::vector<std::int64_t>> orders;
        for (int element = 0; element < 4; ++element) {
            scene.columns().choose(element);
            QCOMPARE(dictionary.findChild<QComboBox*>()->currentText(), QString("by gain"));
            const auto& gains = shown.atomNumbers[static_cast<std::size_t>(element)].gains;
            QCOMPARE(gains.size(), std::size_t(atoms));
            QCOMPARE(dictionary.mosaic().order(), orderOf(gains, atoms));
            orders.insert(dictionary.mosaic().order());
        }
        QVERIFY(orders.size() > 1);
        // The run has the metric psnr: the mean of what the elements show.
        QCOMPARE(shown.peakToNoise.size(), std::size_t{4});
        double sum = 0;
        for (const std::optional<double>& one : shown.peakToNoise) {
            sum += *one;
        }
        const SeriesHandle psnr = scene.hub.series().find("code.psnr", Split::train);
        QVERIFY(psnr != nullptr);
        const auto at = psnr->nearest(XAxis::step, double(shown.step));
        QCOMPARE(psnr->step(*at), shown.step);
        QVERIFY(std::abs(psnr->values().at(*at) - sum / 4) < 1e-3);
        (void)test::savePicture(scene.view, QStringLiteral("sparse-psnr"));
    }

    void whatIsNotKnownOrdersNothingAndSaysWhy() {
        SparseView view(look_, [](std::int64_t) { return std::vector<int>(); });
        auto* box = view.dictionary().findChild<QComboBox*>();
        const auto* rows = qobject_cast<QStandardItemModel*>(box->model());
        const auto row = [&](AtomOrder by) { return box->findData(static_cast<int>(by)); };
        order(view.dictionary(), AtomOrder::use);
        const auto ofRun = [&](const char* part) {
            const auto name = QString("%1/tensors/step-000000001.code.%2.npy").arg(run(), part);
            return WatchedValue{
                .layer = "code", .part = part, .step = 1, .file = name.toStdString()};
        };
        std::vector<WatchedValue> values{ofRun("weight")};
        QSignalSpy drawn(&view, &SparseView::drawn);
        view.show("code", values);
        QVERIFY(drawn.wait(10'000));
        QVERIFY2(view.dictionary().shown() != nullptr, qPrintable(drawn.back()[0].toString()));
        for (const AtomOrder by : {AtomOrder::use, AtomOrder::gain}) {
            QVERIFY(!rows->item(row(by))->isEnabled());
            QVERIFY(rows->item(row(by))->toolTip().contains("step was observed"));
        }
        QVERIFY(rows->item(row(AtomOrder::norm))->isEnabled());
        QCOMPARE(box->currentText(), QString("as stored"));
        // Once it is known, what was wanted is had.
        for (const char* part : {"code", "reconstruction", "residual"}) {
            values.push_back(ofRun(part));
        }
        view.show("code", values);
        QTRY_VERIFY(view.shown() != nullptr);
        QVERIFY(rows->item(row(AtomOrder::gain))->isEnabled());
        QCOMPARE(box->currentText(), QString("by use"));
        QCOMPARE(view.dictionary().mosaic().order(),
                 orderOf(view.shown()->atomNumbers.front().use, atoms));
        // Where the step's own dictionary was not kept, its gains are not known.
        for (WatchedValue& value : values) {
            const auto to =
                std::filesystem::path(folder_.path().toStdString()) / value.file.filename();
            if (value.part != "weight") {
                std::filesystem::copy_file(value.file, to);
                value.file = to;
            }
        }
        view.show("code", values);
        QTRY_VERIFY(!rows->item(row(AtomOrder::gain))->isEnabled());
        QVERIFY(rows->item(row(AtomOrder::gain))->toolTip().contains("not recorded"));
        QCOMPARE(box->currentText(), QString("by use"));
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

    void atomsOfFilmsPlayWhileTheyAreSeen() {
        Design design = test::dictionaryDesign(1, 4);
        design.data.attributes.set("frames", std::int64_t{3});
        design.data.attributes.set("films", std::int64_t{20});
        for (Layer& layer : design.network.layers) {
            if (layer.name == "picture") {
                layer.attributes.set("shape", Shape{3, 32, 32});
            }
        }
        const QString folder = folder_.path() + "/films";
        test::trainRun(design, folder.toStdString());
        Scene scene(look_, folder, design);
        DictionaryView& dictionary = scene.sparse().dictionary();
        auto* plays = dictionary.findChild<QToolButton*>(QStringLiteral("play"));
        QVERIFY(plays->isVisible());
        QCOMPARE(dictionary.shown()->pictures.size(), std::size_t{3});
        QCOMPARE(scene.sparse().shown()->input.size(), std::size_t{3});
        (void)test::savePicture(scene.view, QStringLiteral("sparse-films"));
        const QString atomsFile = folder_.filePath("films.png");
        scene.view.exportTo(atomsFile);
        const QImage strips(atomsFile);
        QVERIFY(strips.width() >= 3 * 3 * 48); // three frames side by side
        QSignalSpy played(&dictionary, &DictionaryView::played);
        QTRY_VERIFY(played.count() >= 4);
        QSet<quint64> seen;
        for (const QList<QVariant>& one : played) {
            seen << one[0].toULongLong();
        }
        QCOMPARE(seen, (QSet<quint64>{0, 1, 2}));
        QTest::mouseClick(plays, Qt::LeftButton);
        const QImage still = dictionary.mosaic().grab().toImage();
        played.clear();
        QVERIFY(!played.wait(400));
        QTest::mouseClick(plays, Qt::LeftButton);
        QVERIFY(played.wait(2000));
        QVERIFY(dictionary.mosaic().grab().toImage() != still);
        scene.view.hide();
        QVERIFY(!played.wait(400));
    }

    void theMosaicIsWrittenAsItIsOrdered() {
        Scene scene(look_, run(), design_);
        DictionaryView& dictionary = scene.sparse().dictionary();
        QVERIFY(!dictionary.findChild<QToolButton*>(QStringLiteral("play"))->isVisible());
        const QString file = folder_.filePath("atoms.png");
        scene.view.exportTo(file);
        const QImage stored(file);
        QVERIFY(stored.width() > 100 && stored.height() > 100);
        order(dictionary, AtomOrder::norm);
        scene.view.exportTo(file);
        QVERIFY(QImage(file).size() == stored.size() && QImage(file) != stored);
        QVERIFY_THROWS_EXCEPTION(Error, scene.view.exportTo("/nowhere/at-all/atoms.png"));
        QVERIFY_THROWS_EXCEPTION(Error, scene.view.exportTo(folder_.filePath("atoms.tiff")));
        scene.showOneByOne();
        QTRY_VERIFY_WITH_TIMEOUT(!scene.view.picture().image().isNull(), 60'000);
        scene.view.exportTo(file);
        QCOMPARE(QImage(file).size(), scene.view.picture().image().size());
    }

    void numbersAreWrittenForNumPy() {
        Scene scene(look_, run(), design_);
        order(scene.sparse().dictionary(), AtomOrder::use);
        const QString file = folder_.filePath("atoms.npy");
        scene.view.exportTo(file);
        const TensorNumbers& weight = scene.sparse().dictionary().shown()->weight;
        TensorNumbers read = readTensor(file.toStdString());
        QVERIFY(read.shape == weight.shape && read.numbers == weight.numbers); // as stored
        scene.showOneByOne();
        auto* values = scene.view.findChild<QListWidget*>();
        values->setCurrentItem(values->findItems("code", Qt::MatchExactly).front());
        QTRY_VERIFY_WITH_TIMEOUT(scene.view.numbers().tensor() != nullptr &&
                                     scene.view.numbers().tensor()->shape[1] == atoms,
                                 60'000);
        QCOMPARE(scene.view.nameToSave(), QString("code.code.png"));
        scene.view.exportTo(file);
        read = readTensor(file.toStdString());
        QCOMPARE(read.shape, scene.view.numbers().tensor()->shape);
        QCOMPARE(read.shape[0], elements);
        QVERIFY(read.numbers == scene.view.numbers().tensor()->numbers);
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
        order(scene.sparse().dictionary(), AtomOrder::use);
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
