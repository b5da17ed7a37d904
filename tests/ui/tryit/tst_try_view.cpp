// SPDX-License-Identifier: Apache-2.0
// A network that was really trained is asked: by drawing, by a dropped picture, on held-out
// examples.
#include "../session/trained_run.h"
#include "support/places.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/look.h"
#include "tryit/try_view.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>

#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QIODevice>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestTryView : public QObject {
    Q_OBJECT

    struct Scene {
        RunHub hub;
        TryView view;
        Scene(Look& look, const QString& run) : view(look, hub) {
            view.resize(1000, 520);
            view.show();
            hub.open(run);
            QTRY_VERIFY_WITH_TIMEOUT(!hub.checkpoints().empty(), 60'000);
        }
        void drag(std::initializer_list<QPoint> points) {
            DrawPad& pad = view.pad();
            QTest::mousePress(&pad, Qt::LeftButton, {}, *points.begin());
            for (const QPoint& at : points) {
                QTest::mouseMove(&pad, at);
            }
            QTest::mouseRelease(&pad, Qt::LeftButton, {}, *(points.end() - 1));
        }
        void drawOne() {
            const QPoint middle = view.pad().rect().center();
            drag({middle - QPoint(0, 70), middle, middle + QPoint(0, 70)});
        }
    };

private Q_SLOTS:
    void initTestCase() {
        look_.dress(*qApp);
        test::trainRun(test::digitsDesign(150), run().toStdString());
    }

    void aDrawnDigitIsAnswered() {
        Scene scene(look_, run());
        QVERIFY(scene.view.answers().guesses().empty());
        scene.drawOne();
        QTRY_VERIFY_WITH_TIMEOUT(!scene.view.answers().guesses().empty(), 60'000);
        const auto& guesses = scene.view.answers().guesses();
        QVERIFY(guesses.size() >= 3);
        double sum = 0;
        for (const ClassGuess& guess : guesses) {
            sum += guess.confidence;
        }
        QVERIFY(sum > 0.2 && sum < 1.001);
    }

    void aDroppedPictureIsAnswered() {
        Scene scene(look_, run());
        QImage image(64, 64, QImage::Format_RGB32);
        image.fill(Qt::black);
        for (int y = 8; y < 56; ++y) {
            for (int x = 28; x < 36; ++x) {
                image.setPixel(x, y, 0xFFFFFFFF);
            }
        }
        QMimeData data;
        data.setImageData(image);
        const QPoint middle = scene.view.pad().rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&scene.view.pad(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&scene.view.pad(), &drop);
        QVERIFY(!scene.view.pad().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!scene.view.answers().guesses().empty(), 60'000);
    }

    void heldOutExamplesMakeAMatrix() {
        Scene scene(look_, run());
        scene.view.evaluate();
        QTRY_VERIFY_WITH_TIMEOUT(scene.view.confusion().scores().examples > 0, 120'000);
        const ClassScores& scores = scene.view.confusion().scores();
        QCOMPARE(scores.classes, 10);
        QVERIFY2(scores.accuracy() > 0.5, qPrintable(QString::number(scores.accuracy())));
        QCOMPARE(scores.worst.size(), scene.view.worst().examples().size());
    }

    void aTypedTextIsGoneOnWith() {
        const QString data = folder_.path() + "/text";
        QDir().mkpath(data);
        QFile file(data + "/text.txt");
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 120; ++i) {
            file.write("the quick brown fox jumps over the lazy dog\n");
        }
        file.close();
        Design design =
            loadDesign(test::sourceFolder() / "projects/tiny-gpt/design.weft", catalogue()).design;
        design.data.attributes.set("file", std::string("text.txt"));
        design.data.batch = 2;
        design.training.steps = 1;
        design.training.evaluateEvery = 1000;
        test::trainRun(design, (folder_.path() + "/gpt").toStdString(), data.toStdString());
        Scene scene(look_, folder_.path() + "/gpt");
        scene.view.setDataFolder(data);
        QTest::keyClicks(&scene.view.typed(), "the quick");
        QTRY_VERIFY_WITH_TIMEOUT(!scene.view.answers().guesses().empty(), 120'000);
        for (const ClassGuess& guess : scene.view.answers().guesses()) {
            QVERIFY2(guess.index < 65, guess.name.c_str());
            QVERIFY(guess.confidence > 0 && guess.confidence < 1);
        }
    }

    void aNetworkWithoutWeightsSaysSo() {
        RunHub hub;
        TryView view(look_, hub);
        view.show();
        for (QPushButton* button : view.findChildren<QPushButton*>()) {
            QVERIFY(button->text() == "Clear" || !button->isEnabled());
        }
        view.evaluate();
        QVERIFY(view.confusion().scores().classes == 0);
    }

    void picturesOfBothThemes() {
        Scene scene(look_, run());
        scene.view.evaluate();
        QTRY_VERIFY_WITH_TIMEOUT(scene.view.confusion().scores().examples > 0, 120'000);
        scene.drawOne();
        QTRY_VERIFY_WITH_TIMEOUT(!scene.view.answers().guesses().empty(), 60'000);
        test::saveBothThemes(look_, scene.view, QStringLiteral("tryit"));
    }

private:
    [[nodiscard]] QString run() const { return folder_.path() + "/run"; }

    QTemporaryDir folder_;
    Look look_;
};

std::unique_ptr<QObject> makeTestTryView() { return std::make_unique<TestTryView>(); }
#include "tst_try_view.moc"
