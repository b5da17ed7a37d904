// SPDX-License-Identifier: Apache-2.0
// Somebody who has films and no design: from the start page, by mouse and keys alone, to the
// dictionary that her own frames taught, and to a picture of it.
#include "data_story.h"
#include "panels/data/sample_strip.h"
#include "support/test_main.h"
#include "tensors/tensors_view.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRandomGenerator>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

using namespace weft;
using namespace weft::test;

namespace {

constexpr int filmSide = 32;
constexpr int filmFrames = 48;
constexpr int dictionaryAtoms = 32;

/// Discs that lie over each other, nearer ones over those behind: edges at every place and angle.
QImage ground(quint32 seed) {
    constexpr int wide = 128;
    QRandomGenerator random(seed);
    QImage image(wide, wide, QImage::Format_Grayscale8);
    image.fill(Qt::gray);
    QPainter painter(&image);
    painter.setPen(Qt::NoPen);
    for (int i = 0; i < 500; ++i) {
        const int grey = static_cast<int>(random.bounded(256));
        const double size = 2 + 18 * std::pow(random.generateDouble(), 3);
        painter.setBrush(QColor(grey, grey, grey));
        painter.drawEllipse(QPointF(random.bounded(wide), random.bounded(wide)), size, size);
    }
    return image;
}

/// Two films, a folder each: a look that wanders over a ground, slow and fast.
QString writeFilms(const QString& folder) {
    for (const auto& [name, speed] : {std::pair{"slow", 1}, std::pair{"fast", 2}}) {
        const QImage over = ground(static_cast<quint32>(speed));
        const QString film = folder + '/' + QLatin1String(name);
        QDir().mkpath(film);
        for (int i = 0; i < filmFrames; ++i) {
            const QImage frame =
                over.copy(i * speed % (over.width() - filmSide), i, filmSide, filmSide);
            if (!frame.save(QStringLiteral("%1/frame_%2.png").arg(film).arg(i))) {
                qFatal("%s is not written", qPrintable(film));
            }
        }
    }
    return folder;
}

double meanOf(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// How alike pixels of atoms are to their right neighbours: 1 the same, 0 not at all.
double smoothness(const TensorNumbers& weight) {
    const auto wide = static_cast<std::size_t>(weight.shape.back());
    double alike = 0;
    double squares = 0;
    for (std::size_t k = 0; k < weight.numbers.size(); ++k) {
        const double number = weight.numbers[k];
        squares += number * number;
        alike += (k + 1) % wide == 0 ? 0 : number * static_cast<double>(weight.numbers[k + 1]);
    }
    return alike / squares;
}

} // namespace

class TestOwnFilms : public QObject {
    Q_OBJECT

    static constexpr int patience = 240'000; // milliseconds

    struct Scene : DataStory {
        /// A button with these words, or of that command, wherever it is seen.
        template <class Button = QAbstractButton>
        void press(const QString& words) {
            const auto seen = [&]() -> QAbstractButton* {
                for (auto* one : window().template findChildren<Button*>()) {
                    const bool isIt =
                        one->text() == words || one->property("command").toString() == words;
                    if (isIt && one->isVisible() && one->isEnabled()) {
                        return one;
                    }
                }
                return nullptr;
            };
            QVERIFY2(QTest::qWaitFor([&] { return seen() != nullptr; }, patience),
                     qPrintable(words));
            QTest::mouseClick(seen(), Qt::LeftButton);
        }
        /// The panel by its tab, where it is not in front.
        void open(const QString& title) {
            for (auto* bar : window().findChildren<QTabBar*>()) {
                for (int i = 0; bar->isVisible() && i < bar->count(); ++i) {
                    if (bar->tabText(i) == title) {
                        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
                        QCoreApplication::processEvents();
                        return;
                    }
                }
            }
        }
        LayerId place(QPoint at, const QString& kind) {
            QTest::mouseDClick(&page().view(), Qt::LeftButton, {}, at);
            type(kind);
            key(Qt::Key_Return);
            return page().design().selection().current();
        }
        /// A field of a panel in front.
        void fill(const QString& field, const QString& text) {
            for (auto* one : window().findChildren<QLineEdit*>(field)) {
                if (one->isVisible()) {
                    QTest::mouseClick(one, Qt::LeftButton);
                    one->selectAll();
                    QTest::keyClicks(one, text);
                    QTest::keyClick(one, Qt::Key_Return);
                    return;
                }
            }
            QFAIL(qPrintable(field));
        }
        ui::RunHub& hub() { return window().context().hub; }
        ui::TensorsView& tensors() {
            return static_cast<ui::TensorsView&>(
                *window().docks().panel(QStringLiteral("tensors")));
        }
        /// Answers the dialog that `press` opens, and that ends with it.
        void saveAs(const QString& words, const QString& file) {
            QTimer::singleShot(0, &window(), [this, file] {
                QFileDialog* dialog = picker();
                QVERIFY(dialog != nullptr);
                dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file);
                auto* buttons = dialog->findChild<QDialogButtonBox*>();
                QTest::mouseClick(buttons->button(QDialogButtonBox::Save), Qt::LeftButton);
            });
            press(words);
            QTRY_VERIFY(QFileInfo::exists(file));
        }
    };

    /// An empty canvas, two layers and a wire.
    static void draw(Scene& scene) {
        scene.press<QPushButton>(scene.window().context().commands.find("file.new")->text());
        QTRY_VERIFY(scene.window().page() != nullptr);
        const LayerId input = scene.place({300, 120}, QStringLiteral("input"));
        const LayerId code = scene.place({300, 300}, QStringLiteral("sparse"));
        QCOMPARE(scene.design().network.layers.size(), std::size_t{2});
        QCOMPARE(findLayer(scene.design().network, code)->kind, std::string("lca"));
        scene.drag(scene.port(input, false), scene.port(code, true));
        QCOMPARE(scene.design().network.wires.size(), std::size_t{1});
        scene.click(code);
        scene.open(QStringLiteral("Inspector"));
        scene.fill(QStringLiteral("atoms"), QString::number(dictionaryAtoms));
        scene.fill(QStringLiteral("stride"), QStringLiteral("4"));
        const Attributes& with = findLayer(scene.design().network, code)->attributes;
        QCOMPARE(with.integer("atoms"), std::int64_t{dictionaryAtoms});
        QCOMPARE(with.integers("stride"), std::vector<std::int64_t>{4});
    }

    /// Her folder, and what comes of it is fed in one step.
    static void giveFrames(Scene& scene) {
        const QString films = writeFilms(scene.folder() + "/movies");
        scene.open(QStringLiteral("Data"));
        scene.choose(QStringLiteral("source"), QStringLiteral("Movie frames"));
        QTRY_VERIFY(scene.part<QToolButton>(QStringLiteral("fix data"))->isVisible());
        QTest::mouseClick(&scene.shown<QToolButton>(QStringLiteral("fix data")), Qt::LeftButton);
        scene.pick(films);
        QTRY_VERIFY(scene.design().data.attributes.find("folder") != nullptr);
        QCOMPARE(QString::fromStdString(scene.design().data.attributes.text("folder")), films);
        const auto& strip = *scene.part<ui::SampleStrip>();
        QTRY_VERIFY(!strip.isReading() && !strip.samples().empty());
        QCOMPARE(strip.samples().front().picture.size(), QSize(filmSide, filmSide));
        const Design before = scene.design();
        const LayerId input = before.network.layers.front().id;
        const QString own = QString::fromStdString(findLayer(before.network, input)->name);
        QTest::mouseClick(&scene.shown<QToolButton>(QStringLiteral("mend ") + own), Qt::LeftButton);
        const Design fed = scene.design();
        QCOMPARE(fed.data.feeds.at(own.toStdString()), std::string("images"));
        QCOMPARE(findLayer(fed.network, input)->attributes.integers("shape"),
                 (Shape{1, filmSide, filmSide}));
        scene.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(scene.design() == before);
        scene.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(scene.design() == fed);
    }

    static void setTraining(Scene& scene) {
        // Around 0, as neurons that compete want them. Few at a time, and often.
        scene.choose(QStringLiteral("normalise"), QStringLiteral("deviation"));
        QCOMPARE(scene.design().data.attributes.text("normalise"), std::string("deviation"));
        scene.fill(QStringLiteral("batch"), QStringLiteral("8"));
        scene.open(QStringLiteral("Training"));
        scene.fill(QStringLiteral("epochs"), QStringLiteral("5000"));
        QCOMPARE(scene.design().data.batch, std::int64_t{8});
        QCOMPARE(scene.design().training.epochs, 5000.0);
        QVERIFY(scene.waitForCheck());
        for (const Diagnostic& problem :
             scene.page().design().check().answer()->preview->problems) {
            QVERIFY2(problem.severity != Severity::error, problem.text.c_str());
        }
    }

    /// It runs, and what it is about falls.
    static void learn(Scene& scene) {
        scene.press<QPushButton>(QStringLiteral("run.start"));
        QTRY_VERIFY_WITH_TIMEOUT(scene.hub().isLiving() && scene.hub().lastStep() > 300, patience);
        scene.open(QStringLiteral("Tensors"));
        ui::SparseView& sparse = scene.tensors().sparse();
        QTRY_VERIFY(scene.tensors().isInColumns());
        scene.press<QToolButton>(QStringLiteral("Observe next step"));
        QTRY_VERIFY_WITH_TIMEOUT(sparse.shown() != nullptr, patience);
        QTRY_VERIFY_WITH_TIMEOUT(sparse.dictionary().shown() != nullptr, patience);
        QCOMPARE(sparse.dictionary().shown()->atoms(), std::int64_t{dictionaryAtoms});
        QVERIFY(smoothness(sparse.dictionary().shown()->weight) > 0.2); // noise has none
        const ui::SeriesHandle energy = scene.hub().series().find("energy", Split::train);
        QVERIFY(energy != nullptr);
        const std::span<const double> values = energy->values().numbers();
        QVERIFY2(meanOf(values.last(12)) < meanOf(values.first(3)) / 2,
                 qPrintable(QString::number(meanOf(values.last(12)))));
    }

    /// The atoms that explain most come first; two elements are compared.
    static void lookAtAtoms(Scene& scene) {
        ui::SparseView& sparse = scene.tensors().sparse();
        QTRY_VERIFY_WITH_TIMEOUT(!sparse.shown()->atomNumbers.front().gains.empty(), patience);
        auto* order = sparse.dictionary().findChild<QComboBox*>();
        QTest::keyClick(order, Qt::Key_Down);
        QTest::keyClick(order, Qt::Key_Down);
        QCOMPARE(order->currentText(), QStringLiteral("by gain"));
        const std::vector<double>& gains = sparse.shown()->atomNumbers.front().gains;
        const auto first = static_cast<std::size_t>(sparse.dictionary().mosaic().order().front());
        QCOMPARE(gains.at(first), *std::ranges::max_element(gains));
        QTest::mouseClick(&sparse.columns(), Qt::LeftButton, Qt::ControlModifier,
                          sparse.columns().column(3).center());
        QCOMPARE(sparse.columns().second(), 3);
        scene.press<QPushButton>(QStringLiteral("run.stop"));
        QTRY_VERIFY_WITH_TIMEOUT(!scene.hub().isLiving(), patience);
    }

    /// The dictionary as a picture.
    static void save(Scene& scene) {
        const QString file = scene.folder() + "/atoms.png";
        scene.saveAs(QStringLiteral("Save…"), file);
        const QImage saved(file);
        QVERIFY(saved.width() >= 6 * 48 && saved.height() >= 5 * 48);
        scene.picture(QStringLiteral("own-films"));
        // And its numbers, as they are stored, for NumPy.
        scene.saveAs(QStringLiteral("Save…"), scene.folder() + "/atoms.npy");
        const TensorNumbers& weight = scene.tensors().sparse().dictionary().shown()->weight;
        QVERIFY(readTensor((scene.folder() + "/atoms.npy").toStdString()).numbers ==
                weight.numbers);
    }

private Q_SLOTS:
    void fromAFolderOfFramesToADictionary() {
        Scene scene;
        for (const auto step : {draw, giveFrames, setTraining, learn, lookAtAtoms, save}) {
            step(scene);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
    }
};

std::unique_ptr<QObject> makeTestOwnFilms() { return std::make_unique<TestOwnFilms>(); }
#include "tst_own_films.moc"
