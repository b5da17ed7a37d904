// SPDX-License-Identifier: Apache-2.0
// The tensors of a network that was really trained.
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "tensors/tensors_view.h"
#include "theme/look.h"
#include "ui/runs/trained_run.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QListWidget>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace weft;
using namespace weft::ui;

class TestTensorsView : public QObject {
    Q_OBJECT

    struct Scene {
        Design design;
        DesignDocument document{std::make_shared<const std::vector<LayerKindInfo>>(catalogue())};
        Selection selection{document};
        RunHub hub;
        RunControl control{"weft"};
        TensorsView view;

        Scene(Look& look, const QString& run) : view(look, hub, control) {
            design = test::digitsDesign(4);
            document.setDesign(design, false);
            view.resize(900, 560);
            view.follow(&document, &selection);
            view.show();
            hub.open(run);
            QTRY_VERIFY_WITH_TIMEOUT(!hub.checkpoints().empty() && !hub.tensors().empty(), 60'000);
        }
        void select(const char* layer) {
            selection.select({findLayer(document.design().network, std::string_view(layer))->id});
        }
        QListWidget& list() { return *view.findChild<QListWidget*>(); }
        bool show(const QString& part) {
            const auto found = list().findItems(part, Qt::MatchExactly);
            if (found.isEmpty()) {
                return false;
            }
            QSignalSpy shown(&view, &TensorsView::shown);
            list().setCurrentItem(found.front());
            return shown.wait(60'000) || !shown.isEmpty();
        }
    };

private Q_SLOTS:
    void initTestCase() {
        look_.applyLook(*qApp);
        test::trainRun(test::digitsDesign(4), run().toStdString());
    }

    void weightsGradientsAndActivationsAreShown() {
        Scene scene(look_, run());
        scene.select("conv1");
        QTRY_VERIFY_WITH_TIMEOUT(!scene.list().findItems("weight", Qt::MatchExactly).isEmpty(),
                                 60'000);
        for (const char* part : {"weight", "y", "weight.gradient"}) {
            QVERIFY2(scene.list().findItems(part, Qt::MatchExactly).size() == 1, part);
            if (scene.list().currentItem()->text() != part) {
                QVERIFY2(scene.show(part), part);
            }
            QTRY_VERIFY_WITH_TIMEOUT(!scene.view.picture().image().isNull(), 60'000);
            QVERIFY(!scene.view.histogram().histogram().counts.empty());
            QVERIFY(scene.view.numbers().rowCount() > 0);
        }
    }

    void nothingSelectedIsSaid() {
        Scene scene(look_, run());
        QVERIFY(scene.view.values().empty());
        QVERIFY(scene.view.picture().image().isNull());
    }

    void theTableOfNumbersIsAProperModel() {
        NumberModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
        auto tensor = std::make_shared<TensorNumbers>();
        tensor->shape = {2, 3, 4};
        for (int i = 0; i < 24; ++i) {
            tensor->numbers.push_back(static_cast<float>(i));
        }
        model.setTensor(tensor);
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(model.columnCount(), 4);
        QCOMPARE(model.index(5, 3).data().toString(), QString("23"));
        QCOMPARE(model.headerData(4, Qt::Vertical, Qt::DisplayRole).toString(), QString("1, 1"));
        model.setTensor(nullptr);
        QCOMPARE(model.rowCount(), 0);
        tensor->shape = {};
        tensor->numbers = {7};
        model.setTensor(tensor);
        QCOMPARE(model.rowCount(), 1);
    }

    void thePictureIsZoomedAtThePointer() {
        TensorPicture picture(look_);
        picture.resize(300, 300);
        picture.show();
        QImage image(10, 10, QImage::Format_RGB32);
        image.fill(Qt::red);
        picture.setImage(image);
        const double before = picture.scale();
        QWheelEvent event({150, 150}, picture.mapToGlobal(QPoint(150, 150)), {}, {0, 120},
                          Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&picture, &event);
        QVERIFY(picture.scale() > before);
        QTest::mouseDClick(&picture, Qt::LeftButton);
        QCOMPARE(picture.scale(), before);
    }

    void picturesOfBothThemes() {
        Scene scene(look_, run());
        scene.select("conv1");
        QTRY_VERIFY_WITH_TIMEOUT(scene.list().count() > 3, 60'000);
        if (scene.list().currentItem()->text() != "y") {
            QVERIFY(scene.show("y"));
        }
        test::saveBothThemes(look_, scene.view, QStringLiteral("tensors"));
    }

private:
    [[nodiscard]] QString run() const { return folder_.path() + "/run"; }

    QTemporaryDir folder_;
    Look look_;
};

std::unique_ptr<QObject> makeTestTensorsView() { return std::make_unique<TestTensorsView>(); }
#include "tst_tensors_view.moc"
