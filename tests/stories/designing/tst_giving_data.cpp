// SPDX-License-Identifier: Apache-2.0
// A design is given its data by hand: a source is chosen, its folder picked, fields bound to
// inputs, pictures looked at; every step goes back and forth.
#include "data_story.h"
#include "panels/data/feed_rows.h"
#include "panels/data/sample_strip.h"
#include "shell/docks/docks.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "widgets/attribute_field.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QThreadPool>
#include <QToolButton>
#include <QTreeWidget>
#include <QUndoStack>

using namespace weft;
using namespace weft::test;

namespace {

constexpr int side = 28;
constexpr int examples = 20;

void append(QByteArray& bytes, int number) {
    for (const int shift : {24, 16, 8, 0}) {
        bytes.append(static_cast<char>(number >> shift));
    }
}

void write(const QString& file, const QByteArray& bytes) {
    QFile out(file);
    QTest::qVerify(out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size(), "written",
                   qPrintable(file), __FILE__, __LINE__);
}

/// Digits in a plain hand, as IDX files that no default names.
QString writeGlyphs(const QString& folder) {
    QDir().mkpath(folder);
    QByteArray pictures("\0\0\x08\x03", 4);
    QByteArray names("\0\0\x08\x01", 4);
    append(pictures, examples);
    append(pictures, side);
    append(pictures, side);
    append(names, examples);
    for (int i = 0; i < examples; ++i) {
        QImage image(side, side, QImage::Format_Grayscale8);
        image.fill(Qt::black);
        QPainter painter(&image);
        painter.setPen(Qt::white);
        painter.setFont(ui::Look::sans(20 + i % 5, ui::tokens().sizes.type.semibold));
        painter.drawText(image.rect().translated(i % 3 - 1, i % 4 - 2), Qt::AlignCenter,
                         QString::number(i % 10));
        painter.end();
        for (int y = 0; y < side; ++y) {
            pictures.append(reinterpret_cast<const char*>(image.constScanLine(y)), side);
        }
        names.append(static_cast<char>(i % 10));
    }
    write(folder + "/glyphs", pictures);
    write(folder + "/names", names);
    return folder;
}

} // namespace

class TestGivingData : public QObject {
    Q_OBJECT

    struct Scene : DataStory {
        explicit Scene(QSize size = {1600, 1000}) : DataStory(size) {
            command("file.new");
            window().docks().reveal(QStringLiteral("data"));
            QCoreApplication::processEvents();
        }
        const ui::SampleStrip& strip() { return *part<ui::SampleStrip>(); }
        bool seesPictures() {
            return QTest::qWaitFor([&] {
                return strip().samples().size() == ui::SampleStrip::mostSamples &&
                       !strip().isReading();
            });
        }
        std::vector<std::string> codes() {
            (void)waitForCheck();
            std::vector<std::string> found;
            for (const Diagnostic& one : page().design().check().answer()->preview->problems) {
                found.push_back(one.code);
            }
            return found;
        }
        bool isMissing() { return std::ranges::count(codes(), "W045") > 0; }
    };

    /// The whole panel in both themes, from its top and from its end.
    static void pictures(Scene& scene, const QString& name) {
        QThreadPool::globalInstance()->waitForDone();
        auto* area = scene.part<QScrollArea>();
        for (const auto& [theme, choice] : {std::pair{"-dark", ui::Look::Choice::dark},
                                            std::pair{"-light", ui::Look::Choice::light}}) {
            scene.look().choose(choice);
            area->verticalScrollBar()->setValue(0);
            scene.picture(name + theme);
            area->ensureWidgetVisible(scene.part<ui::FeedRows>());
            scene.picture(name + theme + "-feeds");
            area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
            scene.picture(name + theme + "-end");
        }
    }

private Q_SLOTS:
    void anEmptyDesignIsGivenItsData_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1600x1000") << QSize(1600, 1000);
        QTest::newRow("1366x768") << QSize(1366, 768);
    }
    void anEmptyDesignIsGivenItsData() {
        QFETCH(const QSize, size);
        const QString name = QStringLiteral("data-%1").arg(size.width());
        Scene scene(size);
        const Design empty = scene.design();
        const QString folder = writeGlyphs(scene.folder() + "/hand");
        scene.choose(QStringLiteral("source"), QStringLiteral("IDX files"));
        QCOMPARE(scene.design().data.source, std::string("idx"));
        // Its files are missed, and that is one click from being mended.
        QVERIFY(scene.isMissing());
        QTRY_VERIFY(scene.part<QToolButton>(QStringLiteral("fix data"))->isVisible());
        QVERIFY(QTest::qWaitFor([&] { return !scene.strip().isReading(); }));
        pictures(scene, name + "-missing");
        QTest::mouseClick(&scene.shown<QToolButton>(QStringLiteral("fix data")), Qt::LeftButton);
        scene.pick(folder);
        QTRY_VERIFY(!scene.design().data.attributes.entries().empty());
        QCOMPARE(QString::fromStdString(scene.design().data.attributes.text("folder")), folder);
        QVERIFY(scene.seesPictures());
        QCOMPARE(scene.design().data.attributes.text("train_images"), std::string("glyphs"));
        QVERIFY(!scene.isMissing());
        QCOMPARE(scene.strip().samples()[7].picture.size(), QSize(side, side));
        QCOMPARE(scene.strip().samples()[7].label, QStringLiteral("7"));
        // A field becomes an input of its own.
        QTest::mouseClick(&scene.shown<QToolButton>(QStringLiteral("add for images")),
                          Qt::LeftButton);
        QCOMPARE(scene.design().network.layers.size(), std::size_t{1});
        const Layer& images = scene.design().network.layers[0];
        QCOMPARE(images.name, std::string("images"));
        QVERIFY(images.position.has_value());
        QCOMPARE(images.attributes.integers("shape"), (Shape{1, side, side}));
        // Another input is there, as somebody places one, and takes the labels.
        scene.page().view().setFocus();
        QTest::mouseDClick(&scene.page().view(), Qt::LeftButton, {}, {260, 60});
        scene.type(QStringLiteral("input"));
        scene.key(Qt::Key_Return);
        QCOMPARE(scene.design().network.layers.size(), std::size_t{2});
        const QString own = QString::fromStdString(scene.design().network.layers[1].name);
        const Design placed = scene.design();
        scene.window().docks().reveal(QStringLiteral("data"));
        pictures(scene, name + "-unbound");
        QTest::mouseClick(&scene.shown<QToolButton>(QStringLiteral("mend ") + own), Qt::LeftButton);
        const Design bound = scene.design();
        QCOMPARE(bound.data.feeds.at(own.toStdString()), std::string("labels"));
        QCOMPARE(bound.network.layers[1].attributes.text("dtype"), std::string("i32"));
        pictures(scene, name + "-bound");
        // Feed, shape and type are one step.
        scene.command("edit.undo");
        QVERIFY(scene.design() == placed);
        scene.command("edit.redo");
        QVERIFY(scene.design() == bound);
        while (scene.page().design().document().history().canUndo()) {
            scene.command("edit.undo");
        }
        QVERIFY(scene.design() == empty);
        QTRY_VERIFY(scene.strip().samples().empty());
        while (scene.page().design().document().history().canRedo()) {
            scene.command("edit.redo");
        }
        QVERIFY(scene.design() == bound);
        QVERIFY(scene.seesPictures());
    }

    void aRowTakesWhatIsDroppedOnIt() {
        Scene scene;
        const QString folder = writeGlyphs(scene.folder() + "/hand");
        scene.choose(QStringLiteral("source"), QStringLiteral("IDX files"));
        auto& editor = scene.shown<QLineEdit>(QStringLiteral("folder"));
        scene.dropOn(*editor.parentWidget(), folder);
        QVERIFY(scene.seesPictures());
        QCOMPARE(scene.design().data.attributes.text("train_labels"), std::string("names"));
        // A new source leaves nothing of the old one behind that it does not have.
        scene.choose(QStringLiteral("source"), QStringLiteral("Drawn digits"));
        QVERIFY(scene.design().data.attributes == Attributes());
        QVERIFY(scene.seesPictures());
        QVERIFY(!scene.isMissing());
    }

    void twoInputsExchangeWhatFeedsThem() {
        Scene scene;
        scene.openSample(QStringLiteral("quickstart-digits"));
        scene.window().docks().reveal(QStringLiteral("data"));
        QVERIFY(scene.seesPictures());
        const Design before = scene.design();
        scene.choose(QStringLiteral("input picture"), QStringLiteral("digit"));
        QCOMPARE(scene.design().data.feeds.at("digit"), std::string("images"));
        QCOMPARE(scene.design().data.feeds.at("picture"), std::string("labels"));
        const Layer& digit = *findLayer(scene.design().network, std::string_view("digit"));
        QCOMPARE(digit.attributes.integers("shape"), (Shape{1, side, side}));
        scene.choose(QStringLiteral("field of digit"), QStringLiteral("labels"));
        QCOMPARE(scene.design().data.feeds.at("digit"), std::string("labels"));
        scene.command("edit.undo");
        scene.command("edit.undo");
        QVERIFY(scene.design() == before);
    }

    void aMismatchIsMendedInItsPlace() {
        Scene scene;
        scene.openSample(QStringLiteral("quickstart-digits"));
        scene.window().docks().reveal(QStringLiteral("data"));
        QVERIFY(scene.seesPictures());
        const Design fitting = scene.design();
        scene.page().design().document().edit("spoil", [&](Design& design) {
            design.data.feeds["digit"] = "digits";
            return setAttribute(design, {}, scene.layerNamed("picture"), "shape", Shape{1, 30, 30});
        });
        const auto lineOf = [&](const char* input) {
            const auto& lines = scene.part<ui::FeedRows>()->lines();
            const auto found = std::ranges::find(lines, input, &ui::FeedLine::input);
            return found == lines.end() ? ui::FeedLine() : *found;
        };
        QTRY_VERIFY(lineOf("picture").fit == FeedFit::wrong);
        QVERIFY(lineOf("digit").fit == FeedFit::missing);
        pictures(scene, QStringLiteral("data-mismatch"));
        scene.window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&scene.window()));
        QTest::mouseClick(&scene.shown<QToolButton>(QStringLiteral("mend picture")),
                          Qt::LeftButton);
        QTest::mouseClick(&scene.shown<QToolButton>(QStringLiteral("mend digit")), Qt::LeftButton);
        QTRY_VERIFY(lineOf("picture").fit == FeedFit::fits);
        QTRY_VERIFY(lineOf("digit").fit == FeedFit::fits);
        QVERIFY(scene.design().data.feeds == fitting.data.feeds);
        const auto& layers = scene.design().network.layers;
        QVERIFY(layers[0].attributes ==
                Attributes({{"shape", Shape{1, side, side}}, {"dtype", std::string("f32")}}));
        // The clicked button is gone, and the focus is in its row.
        QVERIFY(QApplication::focusWidget() != nullptr);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("field of digit"));
    }

    void theProblemOpensThePickerAtItsAttribute() {
        Scene scene;
        write(scene.folder() + "/poem.txt", QByteArray("all that is gold ").repeated(40));
        scene.choose(QStringLiteral("source"), QStringLiteral("Text, by characters"));
        QVERIFY(scene.waitForCheck());
        scene.window().docks().reveal(QStringLiteral("problems"));
        auto* list =
            scene.window().docks().panel(QStringLiteral("problems"))->findChild<QTreeWidget*>();
        const auto row = [&] {
            const auto found =
                list->findItems(QStringLiteral("choose the file"), Qt::MatchExactly, 2);
            return found.isEmpty() ? nullptr : found.front();
        };
        QTRY_VERIFY(row() != nullptr);
        scene.picture(QStringLiteral("data-problem"));
        const QRect line = list->visualItemRect(row());
        const int fix = list->columnViewportPosition(2) + list->columnWidth(2) / 2;
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, {fix, line.center().y()});
        QVERIFY(scene.picker() != nullptr);
        (void)savePicture(*scene.picker(), QStringLiteral("data-picker"));
        scene.pick(scene.folder() + "/poem.txt");
        QTRY_COMPARE(scene.design().data.attributes.entries().size(), std::size_t{1});
        QVERIFY(scene.design().data.attributes.text("file").ends_with("poem.txt"));
        QTRY_VERIFY(row() == nullptr);
        scene.window().docks().reveal(QStringLiteral("data"));
        QTRY_VERIFY(!scene.strip().samples().empty());
        pictures(scene, QStringLiteral("data-text"));
    }

    /// Every row is reached by the Tab key, from the top to the bottom.
    void rowsAreReachedByKeys() {
        Scene scene;
        scene.openSample(QStringLiteral("quickstart-digits"));
        scene.window().docks().reveal(QStringLiteral("data"));
        QVERIFY(scene.seesPictures());
        scene.choose(QStringLiteral("source"), QStringLiteral("IDX files"));
        QVERIFY(QTest::qWaitFor([&] { return !scene.strip().isReading(); }));
        (void)scene.waitForCheck();
        QCoreApplication::processEvents();
        scene.window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&scene.window()));
        scene.shown<QComboBox>(QStringLiteral("source")).setFocus();
        QStringList names;
        for (int i = 0; i < 60 && scene.panel().isAncestorOf(QApplication::focusWidget()); ++i) {
            names << QApplication::focusWidget()->objectName();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QVERIFY2(names.startsWith(QStringLiteral("source")), qPrintable(names.join(' ')));
        const QStringList wanted{
            "folder",      "pick folder", "fix data", "train_images", "pick train_images",
            "label_dtype", "class_names", "batch",    "last_batch"};
        qsizetype at = 0;
        for (const QString& name : wanted) {
            const qsizetype next = names.indexOf(name, at);
            QVERIFY2(next > at || at == 0, qPrintable(name + ": " + names.join(", ")));
            QVERIFY2(next >= 0, qPrintable(name));
            at = next;
        }
    }
};

std::unique_ptr<QObject> makeTestGivingData() { return std::make_unique<TestGivingData>(); }

#include "tst_giving_data.moc"
