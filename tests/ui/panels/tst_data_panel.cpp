// SPDX-License-Identifier: Apache-2.0
#include "panels/data/data_panel.h"
#include "panels/data/sample_strip.h"
#include "support/test_main.h"
#include "support/view_pictures.h"
#include "theme/style.h"
#include <weft/catalogue.h>
#include <weft/settings.h>

#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QFile>
#include <QIODevice>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>

using namespace weft;
using namespace weft::ui;

class TestDataPanel : public QObject {
    Q_OBJECT

    struct Scene {
        WindowContext context;
        DataPanel panel;
        explicit Scene(Look& look)
            : context(look, std::make_shared<const std::vector<LayerKindInfo>>(catalogue())),
              panel(context) {
            context.designs.setCurrent(&context.designs.add(
                std::make_unique<OpenDesign>(context.kinds, context.previewQueue)));
            panel.resize(340, 600);
            panel.show();
        }
        void setData(const DataSettings& data) const {
            context.designs.current()->document().edit("data", [&](Design& design) {
                design.data = data;
                return Edited{};
            });
        }
        [[nodiscard]] const SampleStrip& strip() const { return *panel.findChild<SampleStrip*>(); }
        [[nodiscard]] QString words() const {
            QStringList words;
            for (const auto* label : panel.findChildren<QLabel*>()) {
                words << (label->isVisible() ? label->text() : QString());
            }
            return words.join('\n');
        }
    };

private Q_SLOTS:
    void initTestCase() { look_.applyLook(*qApp); }

    void theFirstExamplesAreShownWithTheirLabels() {
        Scene scene(look_);
        scene.setData({.source = "digits", .attributes = {{"count", std::int64_t{40}}}});
        // Until they are there, frames hold their place and say nothing.
        QTRY_VERIFY(scene.strip().isReading());
        QVERIFY(scene.strip().samples().empty() && scene.strip().height() > 28);
        QTRY_COMPARE(scene.strip().samples().size(), std::size_t{SampleStrip::mostSamples});
        for (const ShownSample& sample : scene.strip().samples()) {
            QCOMPARE(sample.picture.size(), QSize(28, 28));
            QVERIFY(sample.label.toInt() >= 0 && !sample.label.isEmpty());
        }
        QVERIFY(scene.strip().height() > 28 && !scene.strip().isReading());
        QVERIFY2(scene.words().contains(QStringLiteral("40 examples for training")),
                 qPrintable(scene.words()));
        QVERIFY(scene.words().contains(QStringLiteral("images 1×28×28")));
    }

    void aTextIsShownInLines() {
        const QTemporaryDir folder;
        QFile text(folder.filePath("text.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write(QByteArray("to be or not to be, that is the question\n").repeated(20));
        text.close();
        Scene scene(look_);
        scene.setData(
            {.source = "text",
             .attributes = {{"file", text.fileName().toStdString()}, {"length", std::int64_t{8}}}});
        QTRY_COMPARE(scene.strip().samples().size(), std::size_t{SampleStrip::mostSamples});
        QCOMPARE(scene.strip().samples().front().text, QStringLiteral("to be or"));
    }

    void whatCannotBeReadIsSaid() {
        Scene scene(look_);
        scene.setData({.source = "digits", .attributes = {{"count", std::int64_t{40}}}});
        QTRY_VERIFY(!scene.strip().samples().empty());
        scene.setData({.source = "text", .attributes = {{"file", std::string("/no/such.txt")}}});
        QTRY_VERIFY2(scene.words().contains(QStringLiteral("/no/such.txt")),
                     qPrintable(scene.words()));
        QVERIFY(scene.strip().samples().empty() && !scene.strip().isReading());
    }

    void showsClassesAndValuesAndNormalisesByAnEdit() {
        const QTemporaryDir folder;
        QFile table(folder.filePath("points.csv"));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("x,y,kind\n");
        for (int row = 0; row < 30; ++row) {
            table.write(row % 3 == 0 ? "0,10,<b>bat\n" : "3,10,\"c\nat\"\n");
        }
        table.close();
        Scene scene(look_);
        const Attributes given{{"file", table.fileName().toStdString()},
                               {"targets", std::string("kind")}};
        scene.setData({.source = "csv", .attributes = given});
        const auto* figures = scene.panel.findChild<QLabel*>("figures of the data");
        QTRY_COMPARE(figures->text(),
                     QStringLiteral("inputs from 0 to 10, mean 2 to 10, standard deviation 0 to "
                                    "1.41\nExamples per class: <b>bat\u00a010 · c at\u00a020"));
        QCOMPARE(figures->textFormat(), Qt::PlainText);
        auto* button = scene.panel.findChild<QToolButton*>("normalise data");
        QTRY_VERIFY(button->isVisible());
        QCOMPARE(scene.strip().samples()[1].label, QStringLiteral("c at"));
        const DesignDocument& document = scene.context.designs.current()->document();
        test::savePicture(scene.panel, QStringLiteral("data-figures"));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!button->isEnabled());
        QTRY_VERIFY(document.design().data.attributes.has("mean"));
        QVERIFY(button->isEnabled());
        QCOMPARE(document.design().data.attributes.reals("mean"), (std::vector<double>{2, 10}));
        QCOMPARE(document.design().data.attributes.reals("std"),
                 (std::vector<double>{1.41421, 1})); // a constant column stays finite
        scene.context.designs.current()->document().history().undo();
        QCOMPARE(document.design().data.attributes, given);
        scene.setData({.source = "random"});
        QTRY_VERIFY(!figures->text().contains("bat"));
        QTRY_VERIFY(figures->text().startsWith("images"));
        QVERIFY(!button->isVisible()); // this source has no mean
    }

    /// That data.order is overruled is no fault of the source's own order.
    void aNoteAboutTheDataIsNoProblemOfTheSource() {
        Scene scene(look_);
        scene.setData({.source = "textures"});
        OpenDesign& design = *scene.context.designs.current();
        QTRY_VERIFY(design.check().isWhole());
        QVERIFY(std::ranges::any_of(design.check().answer()->preview->problems,
                                    [](const Diagnostic& one) { return one.code == "N045"; }));
        QStringList tips;
        for (const auto* order : scene.panel.findChildren<QComboBox*>(QStringLiteral("order"))) {
            tips << order->parentWidget()->toolTip();
        }
        QCOMPARE(tips.size(), 2);
        QVERIFY2(tips.filter(QStringLiteral("Default by_list")).size() == 1,
                 qPrintable(tips.join('\n')));
    }

    void theSourcesAreThoseOfTheCatalogue() {
        Scene scene(look_);
        const auto* source = scene.panel.findChild<QComboBox*>(QStringLiteral("source"));
        const std::vector<SettingKind> kinds = findSetting(settings(), "data.source")->kinds;
        QCOMPARE(source->count(), static_cast<int>(kinds.size()));
        for (int i = 0; i < source->count(); ++i) {
            const SettingKind& kind = kinds[static_cast<std::size_t>(i)];
            QCOMPARE(source->itemText(i), QString::fromStdString(kind.title));
            QCOMPARE(source->itemData(i, Qt::ToolTipRole).toString(),
                     paragraphs(QString::fromStdString(kind.help)));
        }
    }

    /// Whatever a source declares has a row, and what names files a button that picks them.
    void everyAttributeHasItsRow_data() {
        QTest::addColumn<QString>("source");
        const std::vector<SettingKind> kinds = findSetting(settings(), "data.source")->kinds;
        for (const SettingKind& kind : kinds) {
            QTest::newRow(kind.name.c_str()) << QString::fromStdString(kind.name);
        }
    }
    void everyAttributeHasItsRow() {
        QFETCH(QString, source);
        Scene scene(look_);
        scene.setData({.source = source.toStdString()});
        const std::vector<SettingKind> kinds = findSetting(settings(), "data.source")->kinds;
        const auto kind = std::ranges::find(kinds, source.toStdString(), &SettingKind::name);
        for (const AttributeSpec& spec : kind->attributes) {
            const QString name = QString::fromStdString(spec.name);
            QTRY_VERIFY2(scene.panel.findChild<QWidget*>(name) != nullptr, qPrintable(name));
            auto* editor = scene.panel.findChild<QWidget*>(name);
            QVERIFY(!editor->parentWidget()->toolTip().isEmpty());
            QCOMPARE(scene.panel.findChild<QToolButton*>("pick " + name) != nullptr,
                     spec.namesFiles());
            QVERIFY2(qobject_cast<QComboBox*>(editor) != nullptr || spec.choices.empty(),
                     qPrintable(name));
        }
    }

    /// Who scrolls over the source does not choose another.
    void theWheelChangesNothing() {
        Scene scene(look_);
        scene.setData({.source = "digits"});
        auto* source = scene.panel.findChild<QComboBox*>(QStringLiteral("source"));
        QTRY_COMPARE(source->currentText(), QStringLiteral("Drawn digits"));
        const QPointF middle = source->rect().center();
        QWheelEvent down(middle, source->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton,
                         Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(source, &down);
        QCOMPARE(source->currentText(), QStringLiteral("Drawn digits"));
        QCOMPARE(scene.context.designs.current()->document().design().data.source,
                 std::string("digits"));
    }

    void aTypedValueIsOneStepAndItsDefaultComesBack() {
        Scene scene(look_);
        scene.setData({.source = "digits", .attributes = {{"count", std::int64_t{40}}}});
        const auto field = [&] {
            return scene.panel.findChild<QLineEdit*>(QStringLiteral("count"));
        };
        QTRY_VERIFY(field() != nullptr);
        QTRY_COMPARE(field()->text(), QStringLiteral("40"));
        const DesignDocument& document = scene.context.designs.current()->document();
        const auto count = [&] { return document.design().data.attributes.integer("count"); };
        field()->selectAll();
        QTest::keyClicks(field(), QStringLiteral("64"));
        QTest::keyClick(field(), Qt::Key_Return);
        QCOMPARE(count(), 64);
        scene.context.designs.current()->document().history().undo();
        QCOMPARE(count(), 40);
        // Half a number changes nothing and is told at the row.
        QTRY_COMPARE(field()->text(), QStringLiteral("40"));
        field()->selectAll();
        QTest::keyClicks(field(), QStringLiteral("many"));
        QCOMPARE(count(), 40);
        QVERIFY(field()->parentWidget()->toolTip().contains(QStringLiteral("many")));
    }

    void aTextThatIsTakenOutIsTheDefaultAgain() {
        Scene scene(look_);
        scene.setData({.source = "idx", .attributes = {{"class_names", std::string("a, b")}}});
        const auto field = [&] {
            return scene.panel.findChild<QLineEdit*>(QStringLiteral("class_names"));
        };
        QTRY_VERIFY(field() != nullptr);
        field()->selectAll();
        QTest::keyClick(field(), Qt::Key_Delete);
        const DesignDocument& document = scene.context.designs.current()->document();
        QVERIFY(!document.design().data.attributes.has("class_names"));
        // Where the default is a name, no name is a value of its own.
        auto* labels = scene.panel.findChild<QLineEdit*>(QStringLiteral("test_labels"));
        labels->selectAll();
        QTest::keyClick(labels, Qt::Key_Delete);
        QCOMPARE(document.design().data.attributes.text("test_labels"), std::string());
    }

    void anotherBatchReadsNothingAnew() {
        Scene scene(look_);
        DataSettings data{.source = "digits", .attributes = {{"count", std::int64_t{40}}}};
        scene.setData(data);
        QTRY_VERIFY(!scene.strip().samples().empty());
        const qint64 picture = scene.strip().samples().front().picture.cacheKey();
        data.batch = 7;
        scene.setData(data);
        // Once the batch is shown the panel has heard of it, and says of all that it reads anew.
        const auto* batch = scene.panel.findChild<QLineEdit*>(QStringLiteral("batch"));
        QTRY_COMPARE(batch->text(), QStringLiteral("7"));
        QVERIFY(!scene.strip().isReading());
        QVERIFY2(scene.words().contains(QStringLiteral("40 examples for training")),
                 qPrintable(scene.words()));
        QVERIFY(!scene.strip().samples().empty());
        QCOMPARE(scene.strip().samples().front().picture.cacheKey(), picture);
    }

private:
    Look look_;
};

std::unique_ptr<QObject> makeTestDataPanel() { return std::make_unique<TestDataPanel>(); }

#include "tst_data_panel.moc"
